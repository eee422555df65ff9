"""What each part of a study has to do in all: how many images, about how long, and for what price at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from portrayal.annotators import looks_itself
from portrayal.services.account import Paid
from portrayal.study.parts.payment import call_price, edit_price, known_sum
from portrayal.study.plan.editing import StudyGenerator
from portrayal.study.study import OpenStudy

__all__ = ["LOOKS", "Timed", "Workload", "workloads"]

LOOKS = "looks at"


@runtime_checkable
class Timed(Protocol):
    """A part that knows how long an image takes it on a machine of two cores, in seconds, once it has begun."""

    seconds_per_image: float


@dataclass(frozen=True, slots=True)
class Workload:
    """What one part has to do; ``seconds`` and ``usd`` are None when nobody knows."""

    who: str
    does: str
    images: int
    seconds: float | None
    usd: float | None
    paid: bool


def workloads(study: OpenStudy, images: int | None = None, brought: int = 0) -> Iterator[Workload]:
    """Yield what generators and annotators have to do; with ``images`` as if each generator drew so many of a prompt.

    ``brought`` is how many images come in from elsewhere: annotators look at these too.
    """
    texts = Counter[str]()
    for identity, role in study.generators.items():
        drawn, edited = _texts(study, role, images)
        texts.update(drawn + edited)
        does = "draws" if not edited else "edits" if not drawn else "draws and edits"
        usd = known_sum(call_price(role.generator, drawn), edit_price(role.generator, edited))
        yield _work(study.names.generator(identity), does, role.generator, drawn.total() + edited.total(), usd)
    for identity, (_, annotator) in study.annotators.items():
        if looks_itself(annotator):
            usd = call_price(annotator, texts)
            yield _work(study.names.annotator(identity), LOOKS, annotator, texts.total() + brought, usd)


def _work(who: str, does: str, part: object, images: int, usd: float | None) -> Workload:
    seconds = part.seconds_per_image * images if isinstance(part, Timed) else None
    return Workload(who, does=does, images=images, seconds=seconds, usd=usd, paid=isinstance(part, Paid))


def _texts(study: OpenStudy, role: StudyGenerator, images: int | None) -> tuple[Counter[str], Counter[str]]:
    """Return how many images a generator draws and edits by each text."""
    prompts = study.suite.prompts if study.suite else ()
    drawn, edited = Counter[str](), Counter[str]()
    sources = Counter[str]()
    for prompt in prompts:
        if not prompt.edits:
            drawn[prompt.text] += _of(role, images)
            sources[prompt.kind] += sum(_of(other, images) for other in study.generators.values())
    for prompt in prompts if role.edits else ():
        if prompt.edits:
            edited[prompt.text] += role.edits * sources[prompt.edits]
    return +drawn, +edited


def _of(role: StudyGenerator, images: int | None) -> int:
    return images if images is not None and role.images else role.images
