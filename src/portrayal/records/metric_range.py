"""What values a metric can have: no interval may reach where the number itself cannot lie."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["metric_range", "range_of_difference"]

_PARTS = (
    "share", "label_share", "missing", "total_variation", "mean_total_variation", "chi_square_p", "implicit_score",
    "explicit_score", "explicit_score_hard", "hallucination_rate", "automatic_score", "human_score", "flip_rate",
    "edge_share", "redrawn", "jaccard_hallucination", "hallucination_by_addition", "hallucination_by_omission",
    "hallucination_part_added", "hallucination_part_omitted", "miss_rate",
)  # fmt: skip
_SIZES = (
    "ratio", "kl_divergence", "chi_square", "human_difference", "topic_word_bias", "model_word_bias",
    "topic_image_bias", "model_image_bias", "distribution_bias", "distribution_bias_at_common_size",
)  # fmt: skip
_RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        **dict.fromkeys(_PARTS, (0.0, 1.0)),
        **dict.fromkeys(_SIZES, (0.0, math.inf)),
        **dict.fromkeys(("difference", "paired_difference"), (-1.0, 1.0)),
        **dict.fromkeys(("mean_absolute_deviation", "expected_largest_deviation"), (0.0, 2.0)),
    }
)


def metric_range(metric: str) -> tuple[float, float]:
    """Return the least and the most that a metric can be; of one that is not known here, anything.

    >>> metric_range("total_variation"), metric_range("ratio"), metric_range("index of a plugin")
    ((0.0, 1.0), (0.0, inf), (-inf, inf))
    """
    return _RANGES.get(metric, (-math.inf, math.inf))


def range_of_difference(metric: str) -> tuple[float, float]:
    """Return the least and the most that two numbers of a metric can differ by.

    >>> range_of_difference("total_variation"), range_of_difference("ratio")
    ((-1.0, 1.0), (-inf, inf))
    """
    least, most = metric_range(metric)
    return (least - most, most - least) if math.isfinite(most - least) else (-math.inf, math.inf)
