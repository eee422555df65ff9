"""Perceived race, gender and age of faces by FairFace's network, for users who have its weights."""

from portrayal.annotators.fairface.annotator import FairFace, FairFaceOptions

__all__ = ["FairFace", "FairFaceOptions"]
