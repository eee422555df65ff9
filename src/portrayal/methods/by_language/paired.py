"""How much shares differ between two languages or two ways of asking, over pairs of images with the same seed.

Languages are compared within a way of asking, and ways of asking within a language.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.evidence import Paired, Plan
from portrayal.methods.by_language.options import LanguageOptions
from portrayal.methods.by_language.views import levels, small_notes
from portrayal.methods.filled_rows import at, filled
from portrayal.records import Measurement, Note, Prompt, said
from portrayal.stats.intervals import Array
from portrayal.stats.two_sides.paired import Pairs

__all__ = ["PairedRows", "Side", "Versus", "couples", "versus"]


@dataclass(frozen=True, slots=True)
class Side:
    """A language and a variant."""

    language: str
    variant: str

    def __str__(self) -> str:
        return f"{self.language} {self.variant}".strip()


@dataclass(frozen=True, slots=True)
class Versus:
    """Two sides, and the prompts that belong together: of each term one of either side."""

    side: Side
    against: Side
    couples: Sequence[tuple[Prompt, Prompt]]


def versus(prompts: Collection[Prompt], base: Side) -> list[Versus]:
    """Return what is compared: every language with the base's, variant by variant, and every variant with the base's.

    Sides without a common term are left out.
    """
    sides: dict[Side, dict[str, list[Prompt]]] = defaultdict(lambda: defaultdict(list))
    for prompt in prompts:
        sides[Side(prompt.language, prompt.variant)][prompt.term.casefold()].append(prompt)
    compared = []
    for side in sides:
        for against in (Side(base.language, side.variant), Side(side.language, base.variant)):
            if against != side and against in sides:
                here, other = sides[side], sides[against]
                pairs = [(x, y) for term in here if term in other for x in here[term] for y in other[term]]
                compared += [Versus(side, against, pairs)] if pairs else []
    return compared


def couples(prompts: Collection[Prompt], base: Side) -> list[tuple[str, str]]:
    """Return the ids of the prompts to pair, each two once."""
    return list(dict.fromkeys((x.id, y.id) for each in versus(prompts, base) for x, y in each.couples))


Couple = tuple[Prompt, Prompt]


class PairedRows:
    """The measurements of paired differences."""

    def __init__(self, plan: Plan, paired: Paired, options: LanguageOptions) -> None:
        self._plan = plan
        self._paired = paired
        self._options = options

    def measure(
        self, blank: Measurement, prompts: Collection[Prompt], rng: np.random.Generator
    ) -> Iterator[Measurement]:
        """Yield the differences of one attribute as one annotator saw one generator's images."""
        for each in versus(prompts, Side(self._options.language, self._options.variant)):
            side = replace(blank, metric="paired_difference", reference=str(each.against))
            side = replace(side, language=each.side.language, variant=each.side.variant)
            yield from self._versus(side, each, rng)

    def _versus(self, row: Measurement, each: Versus, rng: np.random.Generator) -> Iterator[Measurement]:
        of: dict[str, list[Couple]] = defaultdict(list)
        for couple in each.couples:
            of[couple[0].id].append(couple)
        for level in levels({x.id: x for x, _ in each.couples}.values()):
            couples = [couple for prompt in level.prompts for couple in of[prompt]]
            yield from self._level(replace(row, level=level.level, item=level.item), couples, rng)

    def _level(self, row: Measurement, couples: Sequence[Couple], rng: np.random.Generator) -> Iterator[Measurement]:
        planned = sum(self._paired.planned.get(self._cells(row.generator, couple), 0) for couple in couples)
        seen = self._paired.differences.get((row.annotator, row.attribute), {})
        used = [couple for couple in couples if self._cells(row.generator, couple) in seen]
        pairs, truth = self._pairs(row, used)
        n = int(pairs.counts.sum())
        row = replace(row, n=n, missing=planned - n, prompts=len({x.id for x, _ in used}))
        unmatched = self._unmatched(row.generator, couples, planned)
        if not n:
            yield replace(row, notes=said(Note("no_usable_pair") if planned else None, unmatched))
            return
        bounds = (pairs.difference, *pairs.intervals())
        like = pairs.sample_intervals(rng=rng, draws=self._options.draws)
        planted = None if truth is None else pairs.cell.mean(truth)
        few = small_notes(n, len(pairs.counts), small=self._options.small, of="only_pairs")
        for place, group in enumerate(self._groups(row)):
            low, high = (at(bound, place) for bound in like)
            named = replace(row, group=group, planted=at(planted, place), notes=said(*few, unmatched))
            yield filled(replace(named, like_low=low, like_high=high), bounds, place)

    def _pairs(self, row: Measurement, couples: Sequence[Couple]) -> tuple[Pairs, Array | None]:
        """Return the pairs by occupation, and what their difference was made to be, where that is known."""
        terms: dict[str, list[Couple]] = defaultdict(list)
        for couple in couples:
            terms[couple[0].term.casefold()].append(couple)
        size = len(self._groups(row))
        seen = self._paired.differences.get((row.annotator, row.attribute), {})
        by_term = [[seen[self._cells(row.generator, couple)] for couple in of] for of in terms.values()]
        pairs = Pairs.of(
            [sum(one.n for one in sums) for sums in by_term],
            np.array([np.sum([one.totals for one in sums], axis=0) for sums in by_term]).reshape(-1, size),
            np.array([np.sum([one.squares for one in sums], axis=0) for sums in by_term]).reshape(-1, size),
            [float(np.mean([x.weight for x, _ in of])) for of in terms.values()],
        )
        truths = [self._truth(row, of) for of in terms.values()]
        known = [truth for truth in truths if truth is not None]
        return pairs, np.array(known).reshape(-1, size) if len(known) == len(truths) else None

    def _truth(self, row: Measurement, couples: Sequence[Couple]) -> Array | None:
        """Return what the difference of an occupation was made to be, by group, or None when it is not known."""
        differences = []
        planted = self._plan.planted.get(row.generator, {})
        for couple in couples:
            truths = [planted.get(prompt.id, {}).get(row.attribute) for prompt in couple]
            shares = np.array([[truth.get(g, 0.0) for g in self._groups(row)] for truth in truths if truth is not None])
            if len(shares) < len(couple):
                return None
            differences.append(shares[0] - shares[1])
        return np.asarray(np.mean(differences, axis=0))

    def _groups(self, row: Measurement) -> Sequence[str]:
        return self._plan.design.attributes[row.attribute].groups

    def _unmatched(self, generator: str, couples: Sequence[Couple], planned: int) -> Note | None:
        """Return a note when images have no partner: the smaller side could have been paired whole."""
        could = sum(int(self._plan.planned[list(self._cells(generator, couple))].min()) for couple in couples)
        if planned == could:
            return None
        return Note.of("unequal_seeds", n=could - planned, m=could)

    def _cells(self, generator: str, couple: Couple) -> tuple[int, int]:
        x, y = (self._plan.places[generator, prompt.id] for prompt in couple)
        return x, y
