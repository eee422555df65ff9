"""What it means: pure functions on arrays, one idea a file."""

from portrayal.metrics.bias_scores import explicit_score, implicit_score
from portrayal.metrics.divergence import chi_square, difference, kl_divergence, ratio, total_variation
from portrayal.metrics.manifestation import manifestation, pair_manifestation
from portrayal.metrics.object_intervals import ObjectCounts, object_scores, rarefied_bias
from portrayal.metrics.objects import distribution_bias, jaccard_hallucination, log_bias, miss_rate
from portrayal.metrics.popularity import popularity
from portrayal.metrics.weighting import weighted_mean, weighted_total

__all__ = [
    "ObjectCounts",
    "chi_square",
    "difference",
    "distribution_bias",
    "explicit_score",
    "implicit_score",
    "jaccard_hallucination",
    "kl_divergence",
    "log_bias",
    "manifestation",
    "miss_rate",
    "object_scores",
    "pair_manifestation",
    "popularity",
    "rarefied_bias",
    "ratio",
    "total_variation",
    "weighted_mean",
    "weighted_total",
]
