"""What all measurements of one generator, as one annotator saw it, share; and what all of these share, found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from portrayal.evidence import Design, MissingCounts, Plan, Planted, PromptMoments
from portrayal.methods.bias_scores.counts import Counts, read_counts
from portrayal.methods.bias_scores.levels import Level, OverPrompts, Score, over_prompts
from portrayal.methods.bias_scores.manifestation.term_pairs import Pair
from portrayal.methods.bias_scores.options import ScoringOptions
from portrayal.methods.bias_scores.prompt_sets import Groups, PromptSet
from portrayal.methods.filled_rows import number
from portrayal.records import Measurement, Note, Prompt, said

if TYPE_CHECKING:
    from portrayal.methods.bias_scores.scoring_method import ScoringMethod

__all__ = ["IMPLICIT", "TOTAL", "Cells", "Context", "Contexts", "by_generator", "no_total"]

IMPLICIT = "implicit_score"
TOTAL = ""
"""The attribute of a row about all attributes together."""
_WORTH_A_NOTE = 0.005
"""A shift by too few images that is smaller than this is left unsaid."""
_ENOUGH_IMAGES = 10
"""Of a prompt: with fewer, the correction of implicit scores falls short; see docs/validity.md."""


@dataclass(frozen=True)
class Context:
    """One generator and one annotator; ``moments`` are this generator's."""

    method: ScoringMethod
    design: Design
    generator: str
    annotator: str
    moments: Sequence[PromptMoments]
    counts: Counts
    planted: Planted
    rng: np.random.Generator

    @property
    def options(self) -> ScoringOptions:
        """The method's options."""
        return self.method.options

    @property
    def groups(self) -> Groups:
        """The attributes' groups."""
        return self.method.groups

    @property
    def pairs(self) -> Sequence[Pair]:
        """The pairs of terms that the manifestation factor compares."""
        return self.method.pairs

    @cached_property
    def told(self) -> list[str]:
        """The attributes that have a weight and that the annotator tells."""
        observed = self.design.annotators[self.annotator]
        return [name for name in self.groups if name in observed]

    @cached_property
    def prompt_sets(self) -> list[PromptSet]:
        """The implicit prompts that have usable images, by number of people."""
        prompt_sets = []
        for each in self.moments:
            asked = [self.design.prompts[prompt] for _, prompt in each.cells]
            usable = np.asarray(each.moments.together.any(axis=(1, 2)))
            rows = [row for row, prompt in enumerate(asked) if usable[row] and _is(prompt, "implicit")]
            if rows:
                prompts = [asked[row] for row in rows]
                prompt_sets.append(PromptSet.of(prompts, each.moments.take(rows), self.planted, self.groups))
        return prompt_sets

    @property
    def over_prompts(self) -> OverPrompts | None:
        """How intervals allow for other prompts, if they do."""
        return over_prompts if self.options.resample == "prompts" else None

    @property
    def sampled(self) -> Note | None:
        """What is to be known where intervals allow for other prompts."""
        return Note("prompts_sampled") if self.over_prompts else None

    def suite(self, variant: str) -> list[Prompt]:
        """Return the suite's prompts that are implicit, or explicit, whether they were asked or not."""
        return [prompt for prompt in self.design.prompts.values() if _is(prompt, variant)]

    def blank(self, metric: str, level: Level | None = None, attribute: str = TOTAL) -> Measurement:
        """Return a row to fill in."""
        about = (self.method.name, metric, self.generator, self.annotator, attribute)
        return Measurement(*about) if level is None else Measurement(*about, level=level.name, item=level.item)

    def untold(self, attributes: Sequence[str]) -> tuple[Note, ...]:
        """Say which of the attributes the annotator does not tell; nothing when it tells all."""
        unseen = [name for name in attributes if name not in self.told]
        return tuple(Note.of("not_observed", attribute=name, annotator=self.annotator) for name in unseen)

    def empty(self, row: Measurement, why: Sequence[Note], asked: Sequence[Prompt]) -> Measurement:
        """Return the row without a score, and why there is none."""
        return replace(row, missing=self.counts.planned(asked), notes=(*row.notes, *why))

    def filled(self, row: Measurement, score: Score, asked: Sequence[Prompt], images: float) -> Measurement:
        """Return the row with its score; images that were asked for and are not behind it count as missing."""
        whole = score.prompts == len(asked)
        partly = None if whole else Note.of("some_prompts", n=score.prompts, m=len(asked))
        few = None
        if abs(score.lowered) >= _WORTH_A_NOTE:
            way = "few_images_lower" if score.lowered > 0 else "few_images_raise"
            few = Note.of(way, n=f"{abs(score.lowered):.3f}")
        scant = row.metric == IMPLICIT and images < _ENOUGH_IMAGES * score.prompts
        return replace(
            row,
            value=min(max(score.value, 0.0), 1.0),  # a mean of ones can come out a hair above 1
            low=number(score.interval.low),
            high=number(score.interval.high),
            corrected=min(max(score.value + score.lowered, 0.0), 1.0) if score.lowered else None,
            planted=number(score.planted),
            n=int(images),
            missing=self.counts.planned(asked) - int(images),
            prompts=score.prompts,
            notes=said(*row.notes, partly, few, Note("under_ten_images") if scant else None, self.sampled),
        )


def no_total(names: Sequence[str]) -> Note:
    """Say for want of which attributes there is no total."""
    return Note.of("no_total", **dict.fromkeys(names, ""))


def _is(prompt: Prompt, variant: str) -> bool:
    """Tell whether a prompt is the suite's, which knows its kind, and of this visibility."""
    return bool(prompt.kind) and prompt.variant == variant


Cells = Mapping[str, Sequence[tuple[PromptMoments, Sequence[int]]]]
"""Generator to where its cells stand."""


@dataclass(frozen=True)
class Contexts:
    """Makes contexts; each copies only its own generator's moments, and is forgotten when its rows are yielded."""

    method: ScoringMethod
    plan: Plan
    missing: MissingCounts
    rng: np.random.Generator

    def of(self, moments: Cells, generator: str, annotator: str) -> Context:
        """Return the context of one generator as one annotator saw it."""
        of_generator = [
            PromptMoments(each.people, [each.cells[row] for row in rows], each.moments.take(rows))
            for each, rows in moments.get(generator, ())
        ]
        return Context(
            self.method,
            design=self.plan.design,
            generator=generator,
            annotator=annotator,
            moments=of_generator,
            counts=self._counts[generator, annotator],
            planted=self.plan.planted.get(generator, {}),
            rng=self.rng,
        )

    @cached_property
    def _counts(self) -> Mapping[tuple[str, str], Counts]:
        return read_counts(self.plan, self.missing)


def by_generator(moments: Sequence[PromptMoments]) -> Cells:
    """Return where each generator's cells stand; found once, not anew for every generator."""
    cells: dict[str, list[tuple[PromptMoments, list[int]]]] = {}
    for each in moments:
        rows: dict[str, list[int]] = {}
        for row, (generator, _) in enumerate(each.cells):
            rows.setdefault(generator, []).append(row)
        for generator, places in rows.items():
            cells.setdefault(generator, []).append((each, places))
    return cells
