"""The first screen: for each model the largest deviations that chance does not explain, and what cannot be told.

Everything that was compared is corrected for together, by the false discovery rate of Benjamini and Hochberg at 5 %.
Where nothing deviates at all, 19 of 20 pages then tell no deviation; of the deviations that pages tell, about one in
twenty is a false one. A 95 % interval beside one number says less: of a hundred such numbers, five miss by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Deviation, Ranking, Told
from portrayal.reports.missing import unmade
from portrayal.reports.places import Standing, standings
from portrayal.reports.repeats import widened

__all__ = ["FALSE_ALARMS", "FirstScreen", "ModelFindings", "first_screen"]

FALSE_ALARMS = 0.05
LISTED = 60
"""Deviations of one model that are told in all; further ones are counted."""


@dataclass(frozen=True, slots=True)
class ModelFindings:
    """One model: what is told openly, what is folded, and how many more there are.

    ``scores`` are the method's own, each with its title, but for those by which models are put in order above.
    ``unmade`` says why it has no image at all, where it has none: then that is what was found.
    """

    generator: str
    first: Sequence[Told]
    folded: Sequence[Told]
    more: int
    compared: int
    scores: Sequence[tuple[str, str]] = ()
    unmade: str = ""


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """What the first screen tells; ``clear`` of all that was ``compared`` is more than chance explains.

    ``clear`` is what is told, what is only counted (``more``), and what is about the ``same`` as something told.
    """

    models: Sequence[ModelFindings]
    rankings: Sequence[Standing]
    compared: int
    clear: int
    broad: bool = False
    """Whether any that is told is over all prompts."""
    unordered: bool = False
    """Whether models have numbers to be put in order by, but images of different prompts."""

    @property
    def needed(self) -> float:
        """The p-value at which one more comparison would have been told."""
        return FALSE_ALARMS * min(self.clear + 1, self.compared) / max(self.compared, 1)

    @property
    def told(self) -> list[Told]:
        """Every deviation that is told, openly or folded."""
        return [own for model in self.models for own in (*model.first, *model.folded)]

    @property
    def more(self) -> int:
        """How many further ones are only counted."""
        return sum(model.more for model in self.models)

    @property
    def same(self) -> int:
        """How many are about the same prompts and attribute as a larger one that is told."""
        return self.clear - len(self.told) - self.more

    @property
    def contested(self) -> int:
        """How many of those told another annotator does not see."""
        return sum(bool(own.contested) for own in self.told)

    @property
    def thumbnails(self) -> list[bytes]:
        """Every picture it shows."""
        return [thumb.thumbnail for own in self.told for thumb in own.pictures]


def first_screen(data: ReportData, deviations: Iterable[Deviation], rankings: Iterable[Ranking]) -> FirstScreen:
    """Return what is told first; models stand as they are given, or as the first ranking tells them apart."""
    made = list(deviations)
    tested = [own for own in made if own.p is not None]
    clear = _clear(tested)
    scores = list(rankings)
    ordered = [own for own in scores if own.ordered and len(own.models) > 1]
    alike = [own for own in ordered if _same_prompts(data, own)]
    standing = standings(widened(data, own) for own in alike)
    order = [own.generator for own in standing[0].places] if standing and standing[0].apart else []
    names = [*order, *(name for name in data.generators if name not in order)]
    openly = 3 if len(names) <= 2 else 2 if len(names) <= 4 else 1
    told = {own.title for own in standing if own.apart}
    models = [
        replace(
            _model(name, tested, clear, openly),
            scores=[(own.title, number) for own in scores if own.title not in told and (number := _text(own, name))],
            unmade=unmade(data, name),
        )
        for name in names
    ]
    broad = any(own.broad for own in clear)
    return FirstScreen(models, standing, len(tested), len(clear), broad, len(alike) < len(ordered))


def _text(ranking: Ranking, generator: str) -> str:
    return next((own.text for own in ranking.models if own.generator == generator), "")


def _same_prompts(data: ReportData, ranking: Ranking) -> bool:
    """Return whether the models have images of the same prompts: only then can they be put in order."""
    models = {own.generator for own in ranking.models}
    return len({frozenset(prompts) for name, prompts in data.made_of.items() if name in models}) <= 1


def _clear(tested: Sequence[Deviation]) -> list[Deviation]:
    """Return the deviations that pass, after correction for all that were tested."""
    if not tested:
        return []
    from portrayal.stats.multiple import benjamini_hochberg  # numpy takes a moment to load

    adjusted = benjamini_hochberg([own.p if own.p is not None else 1.0 for own in tested])
    return [own for own, q in zip(tested, adjusted, strict=True) if q <= FALSE_ALARMS]


def _model(generator: str, tested: Sequence[Deviation], clear: Sequence[Deviation], openly: int) -> ModelFindings:
    mine = list(_once([own for own in clear if own.generator == generator]))
    broad, single = ([own for own in mine if own.broad is wanted] for wanted in (True, False))
    single = _by_topic(single, {own.topic for own in broad[:1]})
    # What holds over all prompts comes first, but never leaves the largest single one unsaid.
    ordered = [*broad[:1], *single[: openly - 1], *broad[1:], *single[openly - 1 :]]
    told = [own.tell() for own in ordered[:LISTED]]
    compared = sum(own.generator == generator for own in tested)
    return ModelFindings(generator, told[:openly], told[openly:], max(len(ordered) - LISTED, 0), compared)


def _by_topic(deviations: Sequence[Deviation], told: Set[str]) -> list[Deviation]:
    """Return the largest of each topic that is not told yet, then the others, both from the largest on."""
    first = {own.topic: own for own in reversed(deviations) if own.topic not in told}
    largest = [own for own in deviations if first.get(own.topic) is own]
    return [*largest, *(own for own in deviations if first.get(own.topic) is not own)]


def _once(deviations: Sequence[Deviation]) -> Iterator[Deviation]:
    """Yield the deviations from the largest on, of each subject one."""
    seen: Set[tuple[str, ...]] = set()
    for own in sorted(deviations, key=lambda own: (-own.size, own.subject)):
        if own.subject not in seen:
            seen = {*seen, own.subject}
            yield own
