"""A picture as a picture: how natural it looks, and how well it fits a reference or its prompt."""

from portrayal.annotators.quality.annotator import Quality, QualityOptions
from portrayal.annotators.quality.niqe import fit_niqe

__all__ = ["Quality", "QualityOptions", "fit_niqe"]
