"""FAIntbench (Luo et al. 2024): implicit and explicit bias scores, and the manifestation factor, at every level."""

from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions

__all__ = ["Faintbench", "FaintbenchOptions"]
