"""Diffusion models on this machine, through the library ``diffusers``: they draw from text, and edit pictures."""

from portrayal.generators.diffusers.generator import Diffusers
from portrayal.generators.diffusers.options import DiffusersOptions

__all__ = ["Diffusers", "DiffusersOptions"]
