"""What can be adjusted about BiasIG's scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from portrayal.methods.bias_scores.options import ScoringOptions
from portrayal.metrics.manifestation import Variant

__all__ = ["BiasigOptions"]

_WEIGHTS: Mapping[str, float] = {"gender": 0.4, "race4": 0.4, "age3": 0.2}
_GROUP_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "gender": {"male": 0.2, "female": 0.2},
    "race4": {"white": 0.2, "black": 0.2, "east_asian": 0.2, "south_asian": 0.2},
    "age3": {"young": 0.1, "middle_aged": 0.1, "elderly": 0.1},
}


class BiasigOptions(ScoringOptions):
    """``path``: the clone, whose pairs the manifestation factor compares; without it there is none. ``evidence``: count
    the most probable group, as the authors do, or add up probabilities. ``resample``: what another draw would change,
    the images, or the wordings of the questions too. ``totals``: explicit totals over all questions alike, as the
    authors' script has them, or by the attributes' weights.
    """

    weights: Mapping[str, float] = _WEIGHTS
    group_weights: Mapping[str, Mapping[str, float]] = _GROUP_WEIGHTS
    manifestation: Variant = "released"
    resample: Literal["images", "wordings"] = "wordings"
    path: Path | None = None
    evidence: Literal["label", "mass"] = "label"
    totals: Literal["questions", "attributes"] = "questions"
