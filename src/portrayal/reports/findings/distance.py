"""Models in the order of their distance from a reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Ranked, Ranking
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import aspect_title, decimal, known, span

__all__ = ["MEAN_DISTANCES", "distance_rankings"]

MEAN_DISTANCES = {"mean_total_variation": 1.0, "mean_absolute_deviation": 2.0}
"""Metrics in which distances of single terms do not cancel, and how many times the mean total variation each is."""


def distance_rankings(data: ReportData, rows: Iterable[Measurement], metric: str, anchor: str) -> Iterator[Ranking]:
    """Return how far each model lies from the reference over all prompts, by annotator, attribute and language."""
    by_place: dict[tuple[str, str, str], list[Ranked]] = {}
    read = {(share.seen.annotator, share.seen.attribute) for share in data.corrections if share.decides}
    for row in rows:
        value, low, high = known(row.value), known(row.low), known(row.high)
        if row.metric != metric or row.level != "overall" or value is None or low is None or high is None:
            continue
        if (row.annotator, row.attribute) in read:
            continue  # labels say that it was misread; how far each model lies then stands with the corrected numbers
        text = f"{decimal(value)} ({span(decimal(low), decimal(high))})"
        key = (row.annotator, row.attribute, row.language)
        by_place.setdefault(key, []).append(
            Ranked(row.generator, value, low=low, high=high, text=text, prompt_set=row.prompt_set)
        )
    for (annotator, attribute, language), models in by_place.items():
        if len(models) < 2:
            continue  # of one model, shares say more than a distance
        title = t("Distance from the reference, {attribute}", attribute=aspect_title(attribute, data.attributes))
        title += f" ({language_title(language)})" if language else ""
        title += t(", seen by {annotator}", annotator=annotator) if len(data.annotators) > 1 else ""
        scale = t("the part of the pictures that would have to change, whatever the direction")
        yield Ranking(title, models, anchor, scale=scale)
