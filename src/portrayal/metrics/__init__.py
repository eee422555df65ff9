"""What it means: pure functions on arrays, one idea a file."""

from portrayal.metrics.divergence import chi_square, kl_divergence, total_variation
from portrayal.metrics.shares import difference, ratio

__all__ = ["chi_square", "difference", "kl_divergence", "ratio", "total_variation"]
