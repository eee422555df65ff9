"""What the work that is left will cost at most, before any of it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from portrayal.annotators import looks_itself
from portrayal.study.annotate.annotate_images import PendingImages
from portrayal.study.generate.pending_jobs import PendingJobs, SourceImages
from portrayal.study.parts.payment import call_price, edit_price, known_sum, require_price
from portrayal.study.sampling.later_rounds import later_rounds
from portrayal.study.study import OpenStudy

__all__ = ["LATER", "STAGES", "CostEstimate", "Stage", "estimate", "require_prices"]

Stage = Literal["generate", "annotate"]
STAGES: tuple[Stage, ...] = ("generate", "annotate")
LATER = "later rounds"


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Calls that are left for one part, and their price: 0 for a part of this machine, None when nobody knows.

    ``part`` is its identity, ``name`` what it is called. The rounds of an adaptive run that come after this one are
    a row of their own for all parts of a stage, without a ``part``: the most that they may draw.
    """

    stage: str
    part: str
    images: int
    usd: float | None
    name: str


def estimate(study: OpenStudy, stages: Sequence[str] = STAGES) -> list[CostEstimate]:
    """Return what each generator and annotator has left to do, one call an image; a call tried again may cost again."""
    estimates: list[CostEstimate] = []
    coming = Counter[str]()
    if "generate" in stages:
        sources = SourceImages(study) if study.edits else None
        for name, role in study.generators.items():
            drawn = PendingJobs(study, name).texts()
            edited = PendingJobs(study, name, sources).texts() if sources else Counter[str]()
            coming.update(drawn + edited)
            usd = known_sum(call_price(role.generator, drawn), edit_price(role.generator, edited))
            images = drawn.total() + edited.total()
            estimates.append(CostEstimate("generate", name, images, usd, study.names.generator(name)))
    if "annotate" in stages:
        for name, (_, annotator) in study.annotators.items():
            texts = Counter[str]()
            if looks_itself(annotator):
                texts = PendingImages(study, name).texts() + coming
            usd = call_price(annotator, texts)
            estimates.append(CostEstimate("annotate", name, texts.total(), usd, study.names.annotator(name)))
    # A single stage ends with its round.
    return [*estimates, *_of_later_rounds(study)] if set(stages) == set(STAGES) else estimates


def _of_later_rounds(study: OpenStudy) -> Iterator[CostEstimate]:
    """Yield what rounds after this one may cost at most: whatever they draw is looked at by all."""
    later = later_rounds(study)
    if not later.images:
        return
    drawn = ((study.generators[name].generator, texts) for name, texts in later.texts.items())
    yield CostEstimate("generate", "", later.images, _dearest(drawn, later.images), LATER)
    everything = sum(later.texts.values(), Counter[str]())
    looking = [annotator for _, annotator in study.annotators.values() if looks_itself(annotator)]
    usd = known_sum(*(_dearest([(annotator, everything)], later.images) for annotator in looking))
    yield CostEstimate("annotate", "", later.images * len(looking), usd, LATER)


def _dearest(calls: Iterable[tuple[object, Counter[str]]], number: int) -> float | None:
    """Return the price of the dearest of these calls, so many of them."""
    prices = [(call_price(part, Counter([text])), count) for part, texts in calls for text, count in texts.items()]
    known = sorted(((price, count) for price, count in prices if price is not None), reverse=True)
    if len(known) < len(prices):
        return None
    usd = 0.0
    for price, count in known:
        usd += price * min(count, number)
        number -= min(count, number)
    return usd


def require_prices(study: OpenStudy, stages: Sequence[str] = STAGES) -> None:
    """Refuse a budget before any work is done, when the price of a part that works in these stages is unknown."""
    for name, part in _parts(study, stages):
        require_price(part, name)


def _parts(study: OpenStudy, stages: Sequence[str]) -> Iterator[tuple[str, object]]:
    if "generate" in stages:
        yield from ((name, role.generator) for name, role in study.generators.items())
    if "annotate" in stages:
        yield from ((name, annotator) for name, (_, annotator) in study.annotators.items())
