"""What the work that is left will cost at most, before any of it is done."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portrayal.annotators import looks_itself
from portrayal.services.account import Paid
from portrayal.study.annotate import PendingImages
from portrayal.study.payment import require_price
from portrayal.study.pending_jobs import PendingJobs
from portrayal.study.study import Study

__all__ = ["Estimate", "estimate", "require_prices"]

STAGES = ("generate", "annotate")


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls that are left for one part, and their price: 0 for a part of this machine, None when nobody knows."""

    stage: str
    part: str
    images: int
    usd: float | None


def estimate(study: Study, stages: Sequence[str] = STAGES) -> list[Estimate]:
    """Return what each generator and annotator has left to do, one call an image; a call tried again may cost again."""
    found: list[Estimate] = []
    coming = Counter[str]()
    if "generate" in stages:
        for name, own in study.generators.items():
            texts = PendingJobs(study, name).texts()
            coming.update(texts)
            found.append(_estimate("generate", name, own.generator, texts))
    if "annotate" in stages:
        for name, (_, annotator) in study.annotators.items():
            texts = Counter[str]()
            if looks_itself(annotator):
                texts = PendingImages(study, name).texts() + coming
            found.append(_estimate("annotate", name, annotator, texts))
    return found


def require_prices(study: Study, stages: Sequence[str] = STAGES) -> None:
    """Refuse a budget before any work is done, when the price of a part that works in these stages is unknown."""
    for name, part in _parts(study, stages):
        require_price(part, name)


def _parts(study: Study, stages: Sequence[str]) -> Iterator[tuple[str, object]]:
    if "generate" in stages:
        yield from ((name, own.generator) for name, own in study.generators.items())
    if "annotate" in stages:
        yield from ((name, annotator) for name, (_, annotator) in study.annotators.items())


def _estimate(stage: str, name: str, part: object, texts: Counter[str]) -> Estimate:
    return Estimate(stage, name, texts.total(), _total(part, texts))


def _total(part: object, texts: Counter[str]) -> float | None:
    """Return the price of a call for each of the texts."""
    if not isinstance(part, Paid):
        return 0.0
    prices = [(part.price(text), count) for text, count in texts.items()]
    known = [price * count for price, count in prices if price is not None]
    return math.fsum(known) if len(known) == len(prices) else None
