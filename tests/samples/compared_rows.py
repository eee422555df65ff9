"""Rows of two models, compared."""

from __future__ import annotations

from dataclasses import replace

from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import DifferenceVerdict
from portrayal.reports.comparisons.models_compared import ModelsCompared, compare_models

__all__ = ["GENDER", "compared", "share", "verdicts"]

GENDER = {"gender": Attribute("gender", "perceived gender", ("male", "female"))}


def share(model: str, item: str, seen: float, n: int, **changes: object) -> Measurement:
    """Return the share of women among ``n`` pictures of one prompt."""
    row = Measurement(
        "representation", "share", model, "eye", attribute="gender", group="female", level="term", item=item
    )
    row = replace(row, value=seen / n, low=0.0, high=1.0, n=n, worth=float(n), prompts=1, prompt_set=item)
    return replace(row, **changes)  # type: ignore[arg-type]  # names of columns


def compared(*rows: Measurement, margin: float = 0.1) -> ModelsCompared:
    found = compare_models(rows, ["A", "B"], margin, GENDER)
    assert found is not None
    return found


def verdicts(found: ModelsCompared) -> list[DifferenceVerdict]:
    return [each.verdict for pair in found.pairs for each in pair.differences]
