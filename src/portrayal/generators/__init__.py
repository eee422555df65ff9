"""Who draws."""

from portrayal.generators.base import Editor, Generator, GeneratorFactory, Truth
from portrayal.registry import Entry, Registry

__all__ = ["GENERATORS", "Editor", "Generator", "GeneratorFactory", "Truth"]

GENERATORS: Registry[GeneratorFactory] = Registry(
    "generator",
    {
        "facegan": Entry(
            "portrayal.generators.facegan:Facegan",
            "photorealistic faces from an embedded GAN, answering prompts by a planted profile",
            needs=("openvino", "random_face", "PIL"),
            extra="faces",
        ),
        "simulated": Entry(
            "portrayal.generators.simulated:Simulated",
            "tiny or no images with planted people, refusals and failures, for tests and statistics",
        ),
    },
)
