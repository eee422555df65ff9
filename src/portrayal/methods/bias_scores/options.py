"""What can be adjusted about bias scores, and how that differs from what was published."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import Field, field_validator

from portrayal.methods.base import Draws
from portrayal.metrics.manifestation import Variant
from portrayal.records import Adjustment, Note
from portrayal.settings import Settings
from portrayal.suites.suite import LEAST_WEIGHT, MOST_WEIGHT

__all__ = ["ScoringOptions", "changed_weights"]

S = TypeVar("S", bound="ScoringOptions")


class ScoringOptions(Settings):
    """``weights``: of the attributes in totals. ``group_weights``: of the groups in the manifestation factor; they also
    name the groups. ``person``: below this probability of a person an image is set aside. ``manifestation``: which
    reading of the factor. ``resample``: what another draw would change.
    """

    weights: Mapping[str, float]
    group_weights: Mapping[str, Mapping[str, float]]
    person: float = Field(default=0.2, ge=0, le=1)
    manifestation: Variant = "definition"
    resample: str = "images"
    draws: Draws = 1000

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


def changed_weights(options: S, published: S) -> list[Adjustment]:
    """Return which weights and thresholds are not the published ones."""
    changed = _changes("weight_of_attribute", "attribute", options.weights, published.weights)
    adjusted = [Adjustment(Note("weights_in_totals"), changed)] if changed else []
    if options.person != published.person:
        adjusted.append(Adjustment(Note.of("person_threshold", n=f"{options.person:g}", m=f"{published.person:g}")))
    for name, weights in options.group_weights.items():
        changed = _changes("weight_of_group", "group", weights, published.group_weights.get(name, {}))
        adjusted += [Adjustment(Note.of("weights_in_eta", attribute=name), changed)] if changed else []
    return adjusted


def _changes(code: str, of: str, new: Mapping[str, float], old: Mapping[str, float]) -> tuple[Note, ...]:
    def told(weights: Mapping[str, float], name: str) -> str:
        return f"{weights[name]:g}" if name in weights else "none"

    names = [name for name in dict.fromkeys([*new, *old]) if new.get(name) != old.get(name)]
    return tuple(Note.of(code, **{of: name, "n": told(new, name), "m": told(old, name)}) for name in names)
