"""Annotation by a vision language model behind a chat service: hosted, or on one's own machine."""

from portrayal.annotators.vlm.annotator import MODEL_VERSION, RAW_ANSWER, Vlm
from portrayal.annotators.vlm.request import VlmOptions

__all__ = ["MODEL_VERSION", "RAW_ANSWER", "Vlm", "VlmOptions"]
