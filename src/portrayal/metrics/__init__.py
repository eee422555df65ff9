"""What it means: pure functions on arrays, one idea a file."""

from portrayal.metrics.divergence import chi_square, kl_divergence, total_variation
from portrayal.metrics.explicit import explicit_score
from portrayal.metrics.implicit import implicit_score
from portrayal.metrics.manifestation import manifestation, pair_manifestation
from portrayal.metrics.shares import difference, ratio
from portrayal.metrics.weighting import weighted_mean, weighted_total

__all__ = [
    "chi_square",
    "difference",
    "explicit_score",
    "implicit_score",
    "kl_divergence",
    "manifestation",
    "pair_manifestation",
    "ratio",
    "total_variation",
    "weighted_mean",
    "weighted_total",
]
