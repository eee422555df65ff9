"""Shares of sides that are no models, for every term and category: ways of asking, languages, annotators, genders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from portrayal.errors import StudyError
from portrayal.evidence import PictureShares, Plan
from portrayal.methods.base import Counting
from portrayal.records import JOINT, PERSON, Attribute, Measurement, Prompt, content_id
from portrayal.reports.comparisons.pairing import PairedShare
from portrayal.reports.comparisons.sides import By, SideName, side_name
from portrayal.stats.shares.cells import share_intervals, worth
from portrayal.study.comparing.usable_pictures import (
    PAIRED_AT_MOST,
    ComparedPictures,
    Drawn,
    need_of,
    paired_share,
)
from portrayal.study.measure.collect import collect
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["OtherSides", "other_sides"]

GENDER = "gender"
METHOD = "sides"
"""Whose rows they are: no method's, as they are counted for a comparison."""
Sides = dict[str, list[Drawn]]
"""By what sides differ in, their pictures as each annotator saw them."""


@dataclass
class OtherSides:
    """Rows by side, which sides are compared, and what sentences call them; it finds the pairs behind two rows."""

    required: bool = False
    rows: list[Measurement] = field(default_factory=list)
    couples: list[tuple[str, str]] = field(default_factory=list)
    names: dict[str, SideName] = field(default_factory=dict)
    left_out: int = 0
    """How many prompts were not asked of all sides."""
    _drawn: dict[int, tuple[Drawn, Attribute, list[str]]] = field(default_factory=dict)

    def __call__(self, one: Measurement, other: Measurement) -> PairedShare | None:
        """Return the pairs: the same pictures for two annotators, else those of the same seed."""
        (here, attribute, strata), (there, _, _) = self._drawn[id(one)], self._drawn[id(other)]
        return paired_share(here, there, attribute, one.group, strata)

    def add(self, label: str, side: Drawn, seen_by: str) -> None:
        """Add the rows of one side as one annotator saw it."""
        for row, attribute, strata in _rows(side, label, seen_by):
            self.rows.append(row)
            self._drawn[id(row)] = (side, attribute, strata)


def other_sides(study: OpenStudy, by: By, models: Sequence[str] = ()) -> OtherSides:
    """Return the sides of each model: its ways of asking, languages, annotators, or whom its pictures show."""
    if study.workspace.tables["observations"].count() > PAIRED_AT_MOST:
        raise StudyError(
            f"{study.root}: too many images to compare by {by.value}: more than {PAIRED_AT_MOST:,} answers"
        )
    need = next((found for method in study.methods if (found := need_of(method))), None)
    need = need or PictureShares(Counting().rule, Counting().evidence)
    pictures, sides = ComparedPictures.of(collect(study, [need], RunControl()), need), OtherSides(by is By.ANNOTATOR)
    called = {name: study.names.generator(name) for name in pictures.plan.generators}
    chosen = [name for name, model in called.items() if not models or model in models]
    for generator in chosen:
        drawn = _sides(study, by, pictures, generator)
        sides.left_out += _cut(drawn) if by is not By.GENDER else 0
        named = {value: side_name(by, value, called[generator] if len(chosen) > 1 else "") for value in drawn}
        sides.names |= {name.label: name for name in named.values()}
        sides.couples += [(named[one].label, named[other].label) for one, other in combinations(named, 2)]
        for value, seen in drawn.items():
            for side in seen:
                sides.add(named[value].label, side, "" if by is By.ANNOTATOR else study.names.annotator(side.annotator))
    return sides


def _sides(study: OpenStudy, by: By, pictures: ComparedPictures, generator: str) -> Sides:
    plan = pictures.plan
    prompts = [plan.design.prompts[name] for name in plan.generators[generator]]
    same = {prompt.id: prompt.id for prompt in prompts}
    if by is By.GENDER:
        return _perceived(study, pictures, generator, same)
    if by is By.ANNOTATOR:
        return {study.names.annotator(name): [Drawn(pictures, generator, name, same)] for name in study.annotators}
    asked: dict[str, dict[str, str]] = {}
    places = Counter[tuple[str, ...]]()
    for prompt in prompts:
        value, rest = _apart(by, prompt)
        # Of a term that is asked in several wordings the first one belongs to the first one of the other side.
        places[value, rest, prompt.term.casefold()] += 1
        stratum = content_id(rest, prompt.term.casefold(), str(places[value, rest, prompt.term.casefold()]))
        asked.setdefault(value, {})[stratum] = prompt.id
    return {
        value: [Drawn(pictures, generator, name, strata) for name in study.annotators]
        for value, strata in asked.items()
    }


def _perceived(study: OpenStudy, pictures: ComparedPictures, generator: str, same: Mapping[str, str]) -> Sides:
    """Return the pictures of each perceived gender, of prompts that have some of every one."""
    sides: Sides = {}
    groups = study.attributes[GENDER].groups
    tell = [name for name in study.annotators if GENDER in pictures.plan.design.annotators[name]]
    shown = [pictures.showing(GENDER, place) for place in range(len(groups))]
    for annotator in tell:
        seen = [Drawn(each, generator, annotator, same, whole=pictures) for each in shown]
        used = set.intersection(*(set(side.used(GENDER)) for side in seen))
        for group, side in zip(groups, seen, strict=True):
            kept = {stratum: prompt for stratum, prompt in same.items() if stratum in used}
            sides.setdefault(group, []).append(replace(side, prompts=kept))
    return sides


def _apart(by: By, prompt: Prompt) -> tuple[str, str]:
    """Return what makes the side of a prompt, and what else it is asked in."""
    apart = (prompt.language, prompt.variant)
    return apart if by is By.LANGUAGE else (apart[1], apart[0])


def _cut(sides: Sides) -> int:
    """Leave to each side what all were asked alike, and return how many prompts that leaves out."""
    every = [set(side.prompts) for seen in sides.values() for side in seen[:1]]
    common = set.intersection(*every) if every else set()
    for value, seen in sides.items():
        kept = {stratum: prompt for stratum, prompt in seen[0].prompts.items() if stratum in common}
        sides[value] = [replace(side, prompts=kept) for side in seen]
    return sum(len(strata - common) for strata in every)


def _rows(side: Drawn, label: str, seen_by: str) -> Iterator[tuple[Measurement, Attribute, list[str]]]:
    plan = side.pictures.plan
    for name in plan.design.annotators[side.annotator]:
        attribute, used = plan.design.attributes[name], side.used(name)
        if name == PERSON or not attribute.groups or not used or (side.whole and GENDER in name.split(JOINT)):
            continue
        for level, item, strata in _levels(plan, side.prompts, used):
            cell = side.shares(attribute, strata)
            planned = sum(int(plan.planned[plan.places[side.generator, side.prompts[each]]]) for each in strata)
            row = Measurement(METHOD, "share", label, seen_by, attribute=name, level=level, item=item, n=cell.n)
            usable = replace(side, pictures=side.whole).shares(attribute, strata).n if side.whole else cell.n
            row = replace(row, missing=planned - usable, prompts=len(strata), prompt_set=content_id(*sorted(strata)))
            (low, high), images, share = share_intervals(cell), worth(cell), cell.share.clip(0, 1)
            for place, group in enumerate(attribute.groups):
                value, least, most = float(share[place]), float(low[place]), float(high[place])
                filled = replace(row, group=group, value=value, low=least, high=most, worth=float(images[place]))
                yield filled, attribute, strata


def _levels(plan: Plan, prompts: Mapping[str, str], used: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    yield "overall", "", list(used)
    for level in ("category", "term"):
        items: dict[str, list[str]] = {}
        for stratum in used:
            items.setdefault(getattr(plan.design.prompts[prompts[stratum]], level), []).append(stratum)
        if level == "term" or len(items) > 1:
            yield from ((level, item, strata) for item, strata in items.items() if item)
