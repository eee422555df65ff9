"""Captions: what a model writes under an image, by BLIP or any other model that reads pictures and writes text."""

from portrayal.annotators.caption.annotator import Caption, CaptionOptions

__all__ = ["Caption", "CaptionOptions"]
