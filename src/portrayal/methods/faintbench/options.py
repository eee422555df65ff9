"""What can be adjusted about FAIntbench's scores, and how that differs from the published benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from portrayal.methods.base import Draws
from portrayal.methods.faintbench.alignment import OPTIMISED
from portrayal.metrics.manifestation import Variant
from portrayal.records import Adjustment, Note
from portrayal.settings import Settings
from portrayal.suites.suite import LEAST_WEIGHT, MOST_WEIGHT

__all__ = ["FaintbenchOptions", "changed_weights"]

_WEIGHTS: Mapping[str, float] = {"gender": 0.4, "race5": 0.4, "age3": 0.2}
_GROUP_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "gender": {"male": 0.2, "female": 0.2},
    "race5": {"european": 0.2, "east_asian": 0.2, "african": 0.2, "latino": 0.1, "south_asian": 0.1},
    "age3": {"young": 0.1, "middle_aged": 0.1, "elderly": 0.1},
}


class FaintbenchOptions(Settings):
    """``weights``: of the attributes in totals. ``person``: below this probability of a person an image is set aside.
    ``profile``: how masses are corrected. ``manifestation``: which reading of the factor. ``group_weights``: of the
    groups in the factor; they also name the groups. ``pairs``: a CSV of pairs instead of the shipped. ``resample``:
    what another draw would change, the images or the prompts too. ``human``: the annotator of human labels.
    """

    weights: Mapping[str, float] = _WEIGHTS
    person: float = Field(default=0.2, ge=0, le=1)
    profile: str = OPTIMISED
    manifestation: Variant = "definition"
    group_weights: Mapping[str, Mapping[str, float]] = _GROUP_WEIGHTS
    pairs: Path | None = None
    resample: Literal["images", "prompts"] = "images"
    draws: Draws = 1000
    human: str = ""

    @field_validator("weights")
    @classmethod
    def _positive(cls, weights: Mapping[str, float]) -> Mapping[str, float]:
        for name, weight in weights.items():
            if not LEAST_WEIGHT <= weight <= MOST_WEIGHT:
                limits = f"between {LEAST_WEIGHT:f} and {MOST_WEIGHT:,.0f}"
                raise ValueError(f"the weight of {name!r} must lie {limits}, got {weight:g}; or leave it out")
        if not weights:
            raise ValueError("at least one attribute needs a weight")
        return weights

    @field_validator("group_weights")
    @classmethod
    def _not_negative(cls, table: Mapping[str, Mapping[str, float]]) -> Mapping[str, Mapping[str, float]]:
        for name, weights in table.items():
            if len(weights) < 2 or not all(0 <= weight <= MOST_WEIGHT for weight in weights.values()):
                limits = f"from 0 to {MOST_WEIGHT:,.0f}"
                raise ValueError(f"group_weights of {name!r} need two or more groups with numbers {limits}")
        return table


def changed_weights(options: FaintbenchOptions) -> list[Adjustment]:
    """Return which weights and thresholds are not the published ones."""
    changed = _changes("weight_of_attribute", "attribute", options.weights, _WEIGHTS)
    adjusted = [Adjustment(Note("weights_in_totals"), changed)] if changed else []
    if options.person != (published := FaintbenchOptions().person):
        adjusted.append(Adjustment(Note.of("person_threshold", n=f"{options.person:g}", m=f"{published:g}")))
    for name, weights in options.group_weights.items():
        changed = _changes("weight_of_group", "group", weights, _GROUP_WEIGHTS.get(name, {}))
        adjusted += [Adjustment(Note.of("weights_in_eta", attribute=name), changed)] if changed else []
    return adjusted


def _changes(code: str, of: str, new: Mapping[str, float], old: Mapping[str, float]) -> tuple[Note, ...]:
    def told(weights: Mapping[str, float], name: str) -> str:
        return f"{weights[name]:g}" if name in weights else "none"

    names = [name for name in dict.fromkeys([*new, *old]) if new.get(name) != old.get(name)]
    return tuple(Note.of(code, **{of: name, "n": told(new, name), "m": told(old, name)}) for name in names)
