"""Who draws."""

from portrayal.generators.generator import (
    Editor,
    Generator,
    GeneratorFactory,
    NamesImages,
    Truth,
    finds_images,
    works_apart,
)
from portrayal.generators.image_names import ImageNames
from portrayal.registry import Entry, Registry

__all__ = ["GENERATORS", "Editor", "Generator", "GeneratorFactory", "ImageNames", "NamesImages", "Truth"]
__all__ += ["finds_images", "works_apart"]

GENERATORS: Registry[GeneratorFactory] = Registry(
    "generator",
    {
        "a1111": Entry(
            "portrayal.generators.a1111:A1111",
            "a1111:<url>: images drawn and edited by a server with AUTOMATIC1111's web UI API, such as Forge",
            needs=("httpx2", "stamina"),
            extra="api",
            words="A server with AUTOMATIC1111's web UI, or one that works the same way, such as Forge",
        ),
        "comfyui": Entry(
            "portrayal.generators.comfyui:Comfyui",
            "comfyui:<url>: images drawn or edited by a ComfyUI server, by a workflow with marked nodes",
            needs=("httpx2", "stamina"),
            extra="api",
            words="A ComfyUI server, by a workflow of yours",
        ),
        "diffusers": Entry(
            "portrayal.generators.diffusers:Diffusers",
            "diffusers:<model>: diffusion models on this machine, by hub id or folder; draws and edits",
            needs=("diffusers", "torch", "transformers", "accelerate"),
            extra="diffusers",
            words="A model on this machine, such as Stable Diffusion, by its name on the Hugging Face Hub",
        ),
        "facegan": Entry(
            "portrayal.generators.facegan:Facegan",
            "photorealistic faces from an embedded GAN, answering prompts by a planted profile",
            needs=("openvino", "random_face", "PIL"),
            extra="faces",
            words="To try it out: lifelike faces, drawn on this machine. Whom it draws for which occupation is set",
        ),
        "folder": Entry(
            "portrayal.generators.folder:Folder",
            "images that exist already in a folder: term.png, and edits as term/source.png or category/term/source.png",
        ),
        "openai": Entry(
            "portrayal.generators.openai:OpenAI",
            "openai:<model>: images and edits from OpenAI or any service that speaks its API",
            needs=("openai", "stamina"),
            extra="api",
            words="OpenAI, or a service that works the same way",
        ),
        "python": Entry(
            "portrayal.generators.python:Python",
            "python:<name>@<version>: stands for a generator that was given to the study in Python code",
        ),
        "simulated": Entry(
            "portrayal.generators.simulated:Simulated",
            "tiny or no images with planted people, refusals and failures, for tests and statistics",
            words="For tests: tiny pictures, with people that are set",
        ),
    },
)
