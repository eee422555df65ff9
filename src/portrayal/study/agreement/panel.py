"""Who is compared with whom, on which attributes, and by whose eyes images are put into groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from portrayal.errors import ConfigError, InputError, StudyError, did_you_mean
from portrayal.records import PERSON, Attribute, PartNames
from portrayal.study.study import OpenStudy

__all__ = ["Panel", "Split", "gather"]

_IMPORTED = "imported:"


@dataclass(frozen=True, slots=True)
class Split:
    """A way to put the people compared into groups: an attribute, as one annotator perceives it. Both are places."""

    attribute: int
    annotator: int


@dataclass(frozen=True, slots=True)
class Panel:
    """The annotators, the reference first when there is one, and the attributes that any of them tells.

    ``grouped`` have groups, ``numeric`` are numbers; an attribute's place counts through both. ``by`` narrows the
    groups that agreement is told by; empty means all.
    """

    annotators: tuple[str, ...]
    knows: tuple[frozenset[str], ...]
    grouped: tuple[Attribute, ...]
    numeric: tuple[Attribute, ...]
    reference: str | None
    by: tuple[str, ...] = ()

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """All attributes, in the order of their places."""
        return (*self.grouped, *self.numeric)

    def named(self, names: PartNames) -> Panel:
        """Return the panel by the names of its annotators, for people to read."""
        reference = None if self.reference is None else names.annotator(self.reference)
        return replace(self, annotators=tuple(map(names.annotator, self.annotators)), reference=reference)

    def pairs(self) -> Iterator[tuple[int, int, int]]:
        """Yield first annotator, second annotator and attribute of every comparison, attribute by attribute."""
        for place, attribute in enumerate(self.attributes):
            for pair in combinations(self._who_know(attribute), 2):
                yield (*pair, place)

    def splits(self, first: int, attribute: int) -> list[Split]:
        """Return how the people that ``first`` and another compare are put into groups; not at all beside a reference.

        The word of ``first`` counts where it tells the attribute, else that of the first annotator that does.
        """
        if self.reference is not None and first != 0:
            return []
        chosen = [place for place, split in enumerate(self.grouped) if split.name != PERSON or place == attribute]
        wanted = [place for place in chosen if not self.by or self.grouped[place].name in self.by]
        who = {place: self._who_know(self.grouped[place]) for place in wanted}
        return [Split(place, first if first in who[place] else who[place][0]) for place in wanted]

    def shared(self) -> list[Attribute]:
        """Return the attributes that two annotators or more tell."""
        return [attribute for attribute in self.attributes if len(self._who_know(attribute)) > 1]

    def _who_know(self, attribute: Attribute) -> list[int]:
        return [place for place, known in enumerate(self.knows) if attribute.name in known]


def gather(study: OpenStudy, names: Sequence[str], reference: str = "", by: Sequence[str] = ()) -> Panel:
    """Return the panel of the annotators named; one that is imported, if it is the only one, is the reference."""
    chosen = list(dict.fromkeys(_identity(study, name) for name in names))
    judge = _identity(study, reference) if reference else None
    if judge is None:
        imported = [name for name in chosen if name.startswith(_IMPORTED)]
        judge = imported[0] if len(imported) == 1 else None
    if judge is not None:
        chosen = list(dict.fromkeys([judge, *chosen]))
    if len(chosen) < 2:
        raise InputError(f"a comparison takes two annotators or more; {study.root} has: {', '.join(study.annotators)}")
    attributes: dict[str, Attribute] = {}
    for name in chosen:
        for attribute in study.annotators[name][1].attributes:
            if attributes.setdefault(attribute.name, attribute).groups != attribute.groups:
                raise ConfigError(
                    f"{study.root}: the annotators have different groups for {attribute.name!r}; "
                    "give it another name in one of them"
                )
    panel = Panel(
        annotators=tuple(chosen),
        knows=tuple(frozenset(described.name for described in study.annotators[name][1].attributes) for name in chosen),
        grouped=tuple(described for described in attributes.values() if described.groups),
        numeric=tuple(described for described in attributes.values() if described.is_numeric),
        reference=judge,
        by=tuple(by),
    )
    _check(panel)
    return panel


def _check(panel: Panel) -> None:
    if not panel.shared():
        raise StudyError(f"{' and '.join(panel.annotators)} have no attribute in common; there is nothing to compare")
    known = [attribute.name for attribute in panel.grouped]
    for name in panel.by:
        if name not in known:
            raise InputError(f"--by {name!r}: none of these annotators puts people into such groups"
                             f"{did_you_mean(name, known)}")  # fmt: skip


def _identity(study: OpenStudy, name: str) -> str:
    """Return the annotator that ``name`` means; the same annotator with other options needs its full identity."""
    fitting = [identity for identity in study.annotators if name and name in study.annotator_names(identity)]
    if len(fitting) > 1 and name not in fitting:
        quoted = " or ".join(f"'{identity}'" for identity in fitting)
        raise InputError(f"{study.root}: {name!r} may be any of {len(fitting)} annotators; say which: {quoted}")
    if fitting:
        return name if name in fitting else fitting[0]
    known = {other for identity in study.annotators for other in study.annotator_names(identity) if other}
    raise InputError(f"{study.root}: no annotator {name!r} among the [[annotators]]{did_you_mean(name, known)}")
