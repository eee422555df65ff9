"""How many images a study still waits for: until they are drawn and looked at, its numbers count them as missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from portrayal.annotators import looks_itself
from portrayal.records import Measurement, from_table, reason_of
from portrayal.reports.drawn_in_rounds import waiting_words
from portrayal.study.sampling.told import not_over
from portrayal.study.study import OpenStudy

__all__ = ["WAITING", "label_names", "not_finished", "waiting_images"]

WAITING = frozenset({"pending", "not annotated"})
"""Reasons that end when the run goes on. What people did not label is no such image: nobody need label all."""
_MISSING = "SELECT * FROM measurements WHERE metric = 'missing' AND attribute = '' AND level = 'overall'"


def label_names(study: OpenStudy) -> frozenset[str]:
    """Return the identities and names of annotators that look at nothing themselves: their labels are brought in."""
    brought = [name for name, (_, annotator) in study.annotators.items() if not looks_itself(annotator)]
    return frozenset([*brought, *map(study.names.annotator, brought)])


def waiting_images(rows: Iterable[Measurement], labels: frozenset[str]) -> int:
    """Return how many images of all models have no answer yet, or were not looked at by all; ``labels`` need not."""
    waiting: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        code = reason_of(row.group).code
        if code in WAITING and (code == "pending" or row.annotator not in labels):
            waiting[row.generator, row.annotator, row.method, row.language, row.variant] += row.missing
    of_model: dict[str, int] = {}
    for (model, *_), images in waiting.items():
        of_model[model] = max(of_model.get(model, 0), images)
    return sum(of_model.values())


def not_finished(study: OpenStudy) -> str:
    """Return that a run is not over, adaptive or not, as it is said to people; nothing where it is."""
    if said := not_over(study):
        return said
    images = waiting_images(from_table(study.workspace.query(_MISSING), Measurement), label_names(study))
    return waiting_words(images) if images else ""
