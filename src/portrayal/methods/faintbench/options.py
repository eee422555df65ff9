"""What can be adjusted about FAIntbench's scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from portrayal.methods.bias_scores.options import ScoringOptions
from portrayal.methods.faintbench.alignment import OPTIMISED

__all__ = ["FaintbenchOptions"]

_WEIGHTS: Mapping[str, float] = {"gender": 0.4, "race5": 0.4, "age3": 0.2}
_GROUP_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "gender": {"male": 0.2, "female": 0.2},
    "race5": {"european": 0.2, "east_asian": 0.2, "african": 0.2, "latino": 0.1, "south_asian": 0.1},
    "age3": {"young": 0.1, "middle_aged": 0.1, "elderly": 0.1},
}


class FaintbenchOptions(ScoringOptions):
    """``profile``: how masses are corrected. ``pairs``: a CSV of pairs instead of the shipped. ``resample``: what
    another draw would change, the images or the prompts too. ``human``: the annotator of human labels.
    """

    weights: Mapping[str, float] = _WEIGHTS
    profile: str = OPTIMISED
    group_weights: Mapping[str, Mapping[str, float]] = _GROUP_WEIGHTS
    pairs: Path | None = None
    resample: Literal["images", "prompts"] = "images"
    human: str = ""
