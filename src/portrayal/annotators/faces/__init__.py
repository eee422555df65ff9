"""Faces and what an observer would perceive in them, on the CPU and offline."""

from portrayal.annotators.faces.annotator import Faces

__all__ = ["Faces"]
