"""The pairs behind two rows of models: pictures that both drew for the same prompt with the same seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from portrayal.records import Attribute, Measurement, PartNames, Prompt, content_id
from portrayal.reports.comparisons.pairing import PairedShare, Pairing
from portrayal.stats.shares.cells import worth
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

__all__ = ["ModelPairing", "model_pairing", "pairing_of_two"]

_SAME = 1e-9


def model_pairing(study: OpenStudy, names: PartNames) -> Pairing | None:
    """Return what finds pairs, for rows in which parts go by their ``names``; None where there are too many pictures.

    Nothing is read before the first pair is asked for.
    """
    if study.workspace.tables["observations"].count() > PAIRED_AT_MOST:
        return None
    pictures = StudyPictures(study, names)
    return ModelPairing(pictures, pictures)


def pairing_of_two(study: OpenStudy, other: OpenStudy, suffixes: tuple[str, str]) -> Pairing | None:
    """Return what finds pairs of models in two studies, whose rows call them by their names with a suffix each."""
    if max(each.workspace.tables["observations"].count() for each in (study, other)) > PAIRED_AT_MOST:
        return None
    first, second = suffixes
    return ModelPairing(StudyPictures(study, study.names, first), StudyPictures(other, other.names, second))


@dataclass
class StudyPictures:
    """Finds the pictures behind a row of one study; ``suffix`` is what its models' names have more than theirs."""

    study: OpenStudy
    names: PartNames
    suffix: str = ""
    _by_method: dict[str, ComparedPictures | None] | None = None
    _levels: dict[tuple[str, str, str, str], dict[str, str]] = field(default_factory=dict)

    def behind(self, row: Measurement) -> tuple[Drawn, Attribute, list[str]] | None:
        """Return the pictures and the prompts with any; None where these do not yield the row's number."""
        pictures, attribute = self._pictures.get(row.method), self.study.attributes.get(row.attribute)
        generators = [
            name for name in self.study.generators if self.names.generator(name) + self.suffix == row.generator
        ]
        annotators = [name for name in self.study.annotators if self.names.annotator(name) == row.annotator]
        known = pictures is not None and attribute is not None and row.group in attribute.groups
        if not known or len(generators) != 1 or len(annotators) != 1 or pictures is None or attribute is None:
            return None
        side = Drawn(pictures, generators[0], annotators[0], self._prompts(pictures, row))
        used = side.used(attribute.name)
        if not used or content_id(*sorted(used)) != row.prompt_set.split(" ")[0]:
            return None
        cell, place = side.shares(attribute, used), attribute.groups.index(row.group)
        same = cell.n == row.n and abs(float(np.clip(cell.share[place], 0, 1)) - (row.value or 0.0)) < _SAME
        # A row that is worth less has the same picture for several prompts, which pairs would count as several.
        whole = (row.worth or 0.0) >= float(worth(cell)[place]) * (1 - _SAME)
        return (side, attribute, used) if same and whole else None

    @property
    def _pictures(self) -> Mapping[str, ComparedPictures | None]:
        if self._by_method is None:
            needs = {method.name: need_of(method) for method in self.study.methods}
            wanted = list(dict.fromkeys(need for need in needs.values() if need is not None))
            evidence = collect(self.study, wanted, RunControl()) if wanted else None
            self._by_method = {
                name: ComparedPictures.of(evidence, need) if need and evidence else None for name, need in needs.items()
            }
        return self._by_method

    def _prompts(self, pictures: ComparedPictures, row: Measurement) -> dict[str, str]:
        key = (row.level, row.item, row.language, row.variant)
        if key not in self._levels:
            every = pictures.plan.design.prompts.items()
            self._levels[key] = {name: name for name, prompt in every if _is_about(prompt, row)}
        return self._levels[key]


@dataclass
class ModelPairing:
    """Finds the pairs of two models."""

    first: StudyPictures
    second: StudyPictures
    required: bool = False
    _known: dict[int, tuple[Measurement, tuple[Drawn, Attribute, list[str]] | None]] = field(default_factory=dict)

    def __call__(self, one: Measurement, other: Measurement) -> PairedShare | None:
        """Return the pairs; None where rows count other pictures, or too few have a partner."""
        here, there = self._behind(self.first, one), self._behind(self.second, other)
        if here is None or there is None or one.annotator != other.annotator or here[2] != there[2]:
            return None
        # Two studies give the same annotator the same identity only where it is set up alike.
        return paired_share(here[0], there[0], here[1], one.group, here[2])

    def _behind(self, pictures: StudyPictures, row: Measurement) -> tuple[Drawn, Attribute, list[str]] | None:
        if id(row) not in self._known:  # the row is kept, so that no other gets its id
            self._known[id(row)] = (row, pictures.behind(row))
        return self._known[id(row)][1]


def _is_about(prompt: Prompt, row: Measurement) -> bool:
    if row.level in ("category", "term") and getattr(prompt, row.level) != row.item:
        return False
    return row.language in ("", prompt.language) and row.variant in ("", prompt.variant)
