"""Images that are the same picture: no further evidence, however often they count."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.language import t

__all__ = ["different", "repeats"]


def different(data: ReportData, row: Measurement) -> tuple[int, int] | None:
    """Return how many images of a row's term, or else of its generator, there are, and how many different pictures.

    None where all are different.
    """
    if row.level == "term":
        return data.repeated.get(row.generator, {}).get(row.item)
    made = data.outcomes.get(row.generator, {}).get("made", 0)
    pictures = data.distinct.get(row.generator, made)
    return (made, pictures) if pictures < made else None


def repeats(data: ReportData) -> Iterator[str]:
    """Say of each generator that made pictures several times what follows for its numbers."""
    for generator, pictures in data.distinct.items():
        made = data.outcomes.get(generator, {}).get("made", 0)
        if pictures < made:
            yield t(
                "{generator} made {images|image|images}, but only {n|different picture|different pictures}. What is "
                "told above takes the same picture again for no further evidence; intervals in charts and tables do "
                "not.",
                generator=generator,
                images=made,
                n=pictures,
            )
