"""What the work that is left will cost at most, before any of it is done."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from portrayal.annotators import looks_itself
from portrayal.services.account import Paid
from portrayal.study.annotate import pending_images
from portrayal.study.crew import require_price
from portrayal.study.generate import pending_jobs
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
        for name, (_, generator, _) in study.generators.items():
            texts = _count(pending_jobs(study, name))
            coming.update(texts)
            found.append(_estimate("generate", name, generator, texts))
    if "annotate" in stages:
        for name, (_, annotator) in study.annotators.items():
            texts = _count(pending_images(study, name))
            if looks_itself(annotator):
                texts.update(coming)
            found.append(_estimate("annotate", name, annotator, texts))
    return found


def require_prices(study: Study, stages: Sequence[str] = STAGES) -> None:
    """Refuse a budget before any work is done, when the price of a part that works in these stages is unknown."""
    for name, part in _parts(study, stages):
        require_price(part, name)


def _parts(study: Study, stages: Sequence[str]) -> Iterator[tuple[str, object]]:
    if "generate" in stages:
        yield from ((name, generator) for name, (_, generator, _) in study.generators.items())
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


def _count(tables: Iterable[pa.Table]) -> Counter[str]:
    """Count jobs or images by the prompt they are asked with."""
    found = Counter[str]()
    for table in tables:
        found.update(table.column("text").to_pylist())
    return found
