"""How well images fit their texts: the mean of a number such as the CLIP score, by language and way of asking."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from portrayal.methods.by_language.views import View
from portrayal.methods.cells import CellEvidence
from portrayal.methods.filled_rows import number
from portrayal.records import Attribute, Measurement, Note
from portrayal.stats.means import mean_interval

__all__ = ["ALIGNMENT", "mean_rows"]

ALIGNMENT = "clip_score"
"""The attribute by which images are compared with their texts."""


def mean_rows(cells: CellEvidence, row: Measurement, attribute: Attribute, view: View) -> Iterator[Measurement]:
    """Yield the mean of an attribute that is a number over the prompts of a view."""
    prompts = [prompt.id for prompt in view.prompts]
    used = cells.used(row.generator, row.annotator, attribute, prompts)
    row = replace(row, metric="mean", attribute=attribute.name, language=view.language, variant=view.variant)
    if not used:
        yield replace(row, missing=cells.planned(row.generator, prompts), notes=(Note("no_usable_images"),))
        return
    numbers = cells.numbers(row.generator, row.annotator, attribute, used)
    interval, n = mean_interval(numbers), int(cells.images(row.generator, row.annotator, attribute, used).sum())
    missing = cells.planned(row.generator, prompts) - n
    value = float(numbers.cell.share[0])
    yield replace(
        row, value=value, low=number(interval.low), high=number(interval.high), n=n, missing=missing, prompts=len(used)
    )
