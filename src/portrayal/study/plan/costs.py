"""What the work that is left will cost at most, before any of it is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from portrayal.annotators import looks_itself
from portrayal.study.annotate.annotate_images import PendingImages
from portrayal.study.generate.pending_jobs import PendingJobs, SourceImages
from portrayal.study.parts.payment import call_price, edit_price, known_sum, require_price
from portrayal.study.study import OpenStudy

__all__ = ["STAGES", "CostEstimate", "Stage", "estimate", "require_prices"]

Stage = Literal["generate", "annotate"]
STAGES: tuple[Stage, ...] = ("generate", "annotate")


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Calls that are left for one part, and their price: 0 for a part of this machine, None when nobody knows.

    ``part`` is its identity, ``name`` what it is called.
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
    return estimates


def require_prices(study: OpenStudy, stages: Sequence[str] = STAGES) -> None:
    """Refuse a budget before any work is done, when the price of a part that works in these stages is unknown."""
    for name, part in _parts(study, stages):
        require_price(part, name)


def _parts(study: OpenStudy, stages: Sequence[str]) -> Iterator[tuple[str, object]]:
    if "generate" in stages:
        yield from ((name, role.generator) for name, role in study.generators.items())
    if "annotate" in stages:
        yield from ((name, annotator) for name, (_, annotator) in study.annotators.items())
