"""Images that are the same picture: no further evidence, however often they count."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from portrayal.records import Measurement
from portrayal.reports.data import Repeated, ReportData
from portrayal.reports.deviation import Ranking
from portrayal.reports.language import t

__all__ = ["copies", "different", "repeats", "same_pictures", "widened", "wider"]


def different(data: ReportData, row: Measurement) -> Repeated | None:
    """Return the pictures of a row's term or prompt, or else of its generator; None where all are different."""
    own = data.repeated.get(row.generator, {})
    return own.get(row.item if row.level in ("term", "prompt") else "")


def copies(data: ReportData, generator: str) -> float:
    """Return how many images of a generator count for one, as some are the same picture."""
    found = data.repeated.get(generator, {}).get("")
    return found.copies if found else 1.0


def wider(value: float, low: float, high: float, times: float) -> tuple[float, float]:
    """Return an interval as wide as that of so many times fewer images."""
    factor = math.sqrt(max(times, 1.0))
    return value - factor * (value - low), value + factor * (high - value)


def widened(data: ReportData, ranking: Ranking) -> Ranking:
    """Return the ranking with intervals in which the same picture counts once; what is written of them stays."""
    models = []
    for own in ranking.models:
        low, high = wider(own.value, own.low, own.high, copies(data, own.generator))
        models.append(replace(own, low=low, high=high))
    return replace(ranking, models=models)


def same_pictures(generator: str, images: int, pictures: int) -> str:
    """Say that a generator made the same picture more than once."""
    return t(
        "{generator} made {images|image|images}, but only {n|different picture|different pictures}.",
        generator=generator,
        images=images,
        n=pictures,
    )


def repeats(data: ReportData) -> Iterator[str]:
    """Say of each generator that made pictures several times what follows for its numbers.

    Where images are changed, one that stays as it was is as good as another.
    """
    for generator, own in data.repeated.items():
        if whole := own.get(""):
            said = same_pictures(generator, whole.images, whole.pictures)
            follows = t(
                "For the deviations told above, and for the order of models, the same picture again is no further "
                "evidence; intervals beside scores, in charts and in tables count it."
            )
            yield f"{said} {t('Numbers count every image.') if data.editing else follows}"
