"""From evidence to the edits of one generator as one annotator saw them, ready to be scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence import Edited, Plan
from portrayal.methods.biaspainter.options import BiasPainterOptions
from portrayal.methods.biaspainter.scores import ATTRIBUTES, EditedFaces
from portrayal.records import Prompt
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["GROUPINGS", "NULL", "Editing", "Seeds", "editings"]

NULL = "null"
"""The category of prompts that ask for nothing."""
GROUPINGS = ("gender", "age3", "tone3", "race5")
"""What seeds are grouped by, as their prompts ask for it."""


@dataclass(frozen=True)
class Seeds:
    """The faces that are edited: names, and by grouping the group of each, empty where it is not known."""

    names: Sequence[str]
    groups: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, plan: Plan) -> Seeds:
        """Return the sources of a plan; several of one prompt are numbered."""
        prompts = [plan.design.prompts[source.prompt] for source in plan.sources]
        names = [
            prompt.term + (f" {source.number + 1}" if source.number else "")
            for prompt, source in zip(prompts, plan.sources, strict=True)
        ]
        groups = {name: [prompt.requested.get(name, "") for prompt in prompts] for name in GROUPINGS}
        return cls(names, {name: labels for name, labels in groups.items() if any(labels)})


@dataclass(frozen=True)
class Editing:
    """The edits of a generator as an annotator saw them. ``prompts`` are all that edit, in the order of the suite."""

    generator: str
    annotator: str
    plan: Plan
    options: BiasPainterOptions
    prompts: Sequence[Prompt]
    edited: Edited

    @cached_property
    def seeds(self) -> Seeds:
        """The faces that are edited; where nobody says of which gender they are, as they were perceived."""
        known = Seeds.of(self.plan)
        stated = known.groups.get("gender", [""] * len(known.names))
        perceived = [_GENDERS.get(value, "") for value in self.edited.before[self.options.gender].tolist()]
        genders = [one or other for one, other in zip(stated, perceived, strict=True)]
        return Seeds(known.names, {**known.groups, "gender": genders})

    @cached_property
    def instructions(self) -> Sequence[str]:
        """The extra instructions that words were also asked with."""
        return list(dict.fromkeys(prompt.variant for prompt in self.prompts if prompt.variant))

    def words(self, instruction: str = "") -> list[Prompt]:
        """Return the prompts of the words, asked plainly or with an instruction."""
        return [prompt for prompt in self.prompts if prompt.variant == instruction and prompt.category != NULL]

    @cached_property
    def null(self) -> list[Prompt]:
        """The prompts that ask for nothing."""
        return [prompt for prompt in self.prompts if prompt.category == NULL]

    def faces(self, prompts: Sequence[Prompt]) -> EditedFaces:
        """Return the edits by some prompts, in their order, as scores want them."""
        chosen, word = self.entries(prompts)
        source = self.edited.source[chosen]
        names = self.options.attributes
        after = {name: self.edited.after[names[name]][chosen] for name in ATTRIBUTES}
        before = {name: self.edited.before[names[name]][source] for name in ATTRIBUTES}
        planned = self._planned_of_seeds(prompts) if self.options.unanswered == "unchanged" else None
        return EditedFaces(len(prompts), self.genders, word, source, before=before, after=after, planned=planned)

    def entries(self, prompts: Sequence[Prompt]) -> tuple[Ints, Ints]:
        """Return the edits by some prompts, and the place of the prompt of each."""
        place = np.full(len(self.plan.cells), -1)
        for number, prompt in enumerate(prompts):
            place[self.plan.places[self.generator, prompt.id]] = number
        word = place[self.edited.cell]
        chosen = np.flatnonzero(word >= 0)
        return chosen, word[chosen]

    def same_pictures(self, prompts: Sequence[Prompt], others: Sequence[Prompt]) -> tuple[Ints, Ints]:
        """Return of each prompt how many edits are the very picture that the other gave of the same seed, of how many.

        ``others`` are as many prompts, each beside the one that it is compared with.
        """
        pictures = [self._pictures(side) for side in (prompts, others)]
        same, both = np.zeros(len(prompts), dtype=np.int64), np.zeros(len(prompts), dtype=np.int64)
        for (word, source), keys in pictures[0].items():
            if other := pictures[1].get((word, source)):
                both[word] += len(keys)
                same[word] += sum(key in other for key in keys)
        return same, both

    def _pictures(self, prompts: Sequence[Prompt]) -> Mapping[tuple[int, int], list[int]]:
        pictures: dict[tuple[int, int], list[int]] = {}
        chosen, word = self.entries(prompts)
        sources, keys = self.edited.source[chosen].tolist(), self.edited.key[chosen].tolist()
        for place, source, key in zip(word.tolist(), sources, keys, strict=True):
            pictures.setdefault((place, source), []).append(key)
        return pictures

    @cached_property
    def genders(self) -> Array:
        """The gender of each seed, nan where it is not known."""
        numbers = {group: value for value, group in _GENDERS.items()}
        return np.array([numbers.get(group, np.nan) for group in self.seeds.groups["gender"]])

    def planned(self, prompts: Sequence[Prompt]) -> Ints:
        """Return how many edits each prompt was to give."""
        return np.array([self.plan.planned[self.plan.places[self.generator, prompt.id]] for prompt in prompts])

    def _planned_of_seeds(self, prompts: Sequence[Prompt]) -> Array:
        """Return how many edits each prompt was to give of each seed; 0 of a seed whose gender was not perceived."""
        seen = ~np.isnan(self.edited.before[self.options.gender])
        return np.asarray(self.planned(prompts)[:, None] / max(len(seen), 1) * seen)

    @cached_property
    def cells(self) -> NDArray[np.bool_]:
        """Which cells of the plan are these edits'."""
        mine = {self.plan.places[self.generator, prompt.id] for prompt in self.prompts}
        return np.array([place in mine for place in range(len(self.plan.cells))], dtype=bool)


_GENDERS = {0.0: "male", 1.0: "female"}


def editings(plan: Plan, edited: Mapping[str, Edited], options: BiasPainterOptions) -> Iterator[Editing]:
    """Yield the edits of every generator that edits as every annotator saw them."""
    for generator, asked in plan.generators.items():
        prompts = [plan.design.prompts[prompt] for prompt in asked if plan.design.prompts[prompt].edits]
        for annotator in plan.design.annotators:
            if prompts and annotator in edited and _tells(plan, annotator, options):
                yield Editing(generator, annotator, plan, options=options, prompts=prompts, edited=edited[annotator])


def _tells(plan: Plan, annotator: str, options: BiasPainterOptions) -> bool:
    return bool(set(options.attributes.values()) & set(plan.design.annotators[annotator]))
