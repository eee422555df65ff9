"""Images that are the same picture: no further evidence, however often they count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Deviation
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


def repeats(data: ReportData, deviations: Iterable[Deviation]) -> Iterator[str]:
    """Say of each generator that made pictures several times what follows for its numbers."""
    shares = any(own.least for own in deviations)
    for generator, pictures in data.distinct.items():
        made = data.outcomes.get(generator, {}).get("made", 0)
        if pictures < made:
            said = t(
                "{generator} made {images|image|images}, but only {n|different picture|different pictures}.",
                generator=generator,
                images=made,
                n=pictures,
            )
            follows = t(
                "For the shares told above the same picture again is no further evidence; intervals in charts and "
                "tables count it."
            )
            yield f"{said} {follows}" if shares else f"{said} {t('Numbers count every image.')}"
