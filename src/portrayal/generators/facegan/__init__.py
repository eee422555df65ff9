"""Photorealistic faces from an embedded GAN, which answers prompts by a planted profile."""

from portrayal.generators.facegan.generator import Facegan
from portrayal.generators.facegan.planted_edits import LatentFace

__all__ = ["Facegan", "LatentFace"]
