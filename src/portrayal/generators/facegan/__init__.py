"""Photorealistic faces from an embedded GAN, which answers prompts by a planted profile."""

from portrayal.generators.facegan.edits import LatentFace
from portrayal.generators.facegan.generator import Facegan

__all__ = ["Facegan", "LatentFace"]
