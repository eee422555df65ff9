"""Representation: who is shown, how often, and how far that lies from a reference.

Per generator and annotator, for every perceived attribute: the share of each group overall, by category and by
term; its difference from and ratio to the reference; total variation, Kullback-Leibler divergence and chi-square of
the whole distribution, and how far a typical prompt lies from its own reference; means of numbers such as perceived
age; and what is missing, by reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from portrayal.evidence import Evidence, Need
from portrayal.methods.beside_reference import Comparison
from portrayal.methods.cells import CellEvidence, CellNeeds, Level, levels, people_note
from portrayal.methods.comparing_method import ComparingMethod, ComparingOptions
from portrayal.methods.filled_rows import at, bounded, filled, missing_rows, number
from portrayal.records import PERSON, Attribute, Measurement, Note, Reference, said
from portrayal.stats.intervals import Array
from portrayal.stats.means import mean_interval, sample_mean_interval
from portrayal.stats.shares.cells import PromptShares, small_note, worth
from portrayal.stats.shares.intraclass import PRIOR
from portrayal.stats.shares.prompt_sample import borrowed_priors, sample_intervals

__all__ = ["Representation"]


_Compared = tuple[Attribute, Reference]


@dataclass(frozen=True, slots=True)
class _Context:
    """What the measurements of one cell share."""

    blank: Measurement
    cells: CellEvidence
    level: Level
    rng: np.random.Generator
    priors: _Priors


class _Priors:
    """How alike the images of a prompt may be, by what other terms of the same generator tell."""

    def __init__(self, cells: CellEvidence, terms: Sequence[Level]) -> None:
        self._cells, self._terms = cells, terms
        self._known: dict[tuple[str, str], Mapping[str, Array]] = {}

    def of(self, row: Measurement, attribute: Attribute) -> Array:
        """Return it for a term; of more than a term, which other cells are like it is not known."""
        if row.level != "term":
            return PRIOR
        key = row.annotator, attribute.name
        if key not in self._known:
            cells = [self._cells.shares(row.generator, *key[:1], attribute, term.prompts) for term in self._terms]
            priors = borrowed_priors(cells)
            self._known[key] = {term.item: prior for term, prior in zip(self._terms, priors, strict=True)}
        return self._known[key][row.item]


class Representation(ComparingMethod):
    """See the module's description and :class:`ComparingOptions`."""

    name = "representation"
    options: ComparingOptions
    citations: Sequence[str] = (
        "C. J. Clopper and Egon S. Pearson (1934): The Use of Confidence or Fiducial Limits Illustrated in the Case of "
        "the Binomial. Biometrika 26. (intervals and tests of shares)",
        "Wassily Hoeffding (1956): On the Distribution of the Number of Successes in Independent Trials. Annals of "
        "Mathematical Statistics 27. (shares over several prompts)",
        "Erik Learned-Miller and Philip S. Thomas (2020): A New Confidence Interval for the Mean of a Bounded Random "
        "Variable. arXiv:1905.06208. (means)",
    )

    def __init__(self, options: ComparingOptions, folder: Path) -> None:
        super().__init__(options, folder)
        self._needs = CellNeeds.of(options)

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Counts per prompt."""
        return list(self._needs)

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements, generator by generator, overall first."""
        design = evidence.plan.design
        self.check(design)
        cells, references = CellEvidence(evidence, self._needs), self.references(design)
        for generator in evidence.plan.generators:
            parts = list(levels(evidence, generator))
            priors = _Priors(cells, [part for part in parts if part.level == "term"])
            for level in parts:
                for annotator, attributes in design.annotators.items():
                    blank = Measurement(self.name, "", generator, annotator, level=level.level, item=level.item)
                    yield from self._missing(_Context(blank, cells, level, rng, priors))
                    for name in attributes:
                        if name == PERSON or design.attributes[name].is_text:
                            continue  # says whether anyone is shown, or something in words
                        context = _Context(replace(blank, attribute=name), cells, level, rng, priors)
                        yield from self._attribute(context, design.attributes[name], references.get(name))

    def _attribute(self, context: _Context, attribute: Attribute, reference: Reference | None) -> Iterator[Measurement]:
        blank, cells, prompts = context.blank, context.cells, context.level.prompts
        missing = cells.missing(blank.generator, blank.annotator, ("", attribute.name), prompts)
        used = cells.used(blank.generator, blank.annotator, attribute, prompts)
        row = replace(blank, missing=sum(missing.values()), prompts=len(used), prompt_set=cells.prompt_set(used))
        yield from self._missing(context)
        if not used:
            metric = "mean" if attribute.is_numeric else "share"
            yield replace(row, metric=metric, notes=(_why_empty(missing),))
        elif reference is None:
            yield self._mean(replace(context, blank=row), attribute, used)
        else:
            cell = cells.shares(blank.generator, blank.annotator, attribute, prompts)
            row = replace(row, n=cell.n, notes=self._few(context, attribute, used))
            yield from self._shares(replace(context, blank=row), cell, (attribute, reference), used)

    def _missing(self, context: _Context) -> Iterator[Measurement]:
        """Yield the share of planned images that cannot be used, by reason: whole images, or for one attribute."""
        row, cells, prompts = context.blank, context.cells, context.level.prompts
        about = (row.generator, row.annotator, (row.attribute,), prompts)
        reasons = cells.missing(*about)
        if not reasons:
            return
        yield from missing_rows(row, reasons, cells.missing_shares(*about))

    def _mean(self, context: _Context, attribute: Attribute, used: Sequence[str]) -> Measurement:
        row = context.blank
        numbers = context.cells.numbers(row.generator, row.annotator, attribute, used)
        interval, like = mean_interval(numbers), sample_mean_interval(numbers.cell, numbers.variances)
        low, high = number(interval.low), number(interval.high)
        notes = said(*self._few(context, attribute, used), None if low is not None else Note("range_not_known"))
        people = context.cells.people(row.generator, row.annotator, attribute, used)
        row = replace(row, metric="mean", value=number(numbers.mean), low=low, high=high, n=people, notes=notes)
        return replace(row, like_low=number(like.low), like_high=number(like.high))

    def _shares(
        self, context: _Context, cell: PromptShares, compared: _Compared, used: Sequence[str]
    ) -> Iterator[Measurement]:
        row, cells, (attribute, reference) = context.blank, context.cells, compared
        truth = cells.truth(row.generator, attribute, used)
        drawn = cells.drawn(row.generator, row.annotator, attribute, used)
        wanted = [reference.shares(cells.plan.design.prompts[prompt].term) for prompt in used]
        covered = [position for position, shares in enumerate(wanted) if shares is not None]
        targets = np.array([[shares[group] for group in attribute.groups] for shares in wanted if shares is not None])
        whole = len(covered) == len(used)
        bounds = bounded(cell)
        like, images = sample_intervals(cell, context.priors.of(row, attribute)), worth(cell)
        target = cell.mean(targets) if whole else None
        planted = None if truth is None else cell.mean(truth)
        seen = None if drawn is None else cell.mean(drawn)
        named = replace(row, metric="share", reference=reference.name if whole else "")
        for index, group in enumerate(attribute.groups):
            share = filled(replace(named, group=group, worth=float(images[index])), bounds, index)
            share = replace(share, like_low=at(like[0], index), like_high=at(like[1], index))
            yield replace(share, target=at(target, index), planted=at(planted, index), drawn=at(seen, index))
        if covered:
            part = cell.take(covered)
            against = self._partly(context, part, attribute, [used[position] for position in covered], whole=whole)
            true = None if truth is None else truth[covered]
            comparison = Comparison(replace(against, reference=reference.name), part, targets, true, self.options.draws)
            yield from comparison.measure(attribute.groups, context.rng)

    def _few(self, context: _Context, attribute: Attribute, used: Sequence[str]) -> tuple[Note, ...]:
        """Return in how many images people are, where these count, and a warning when images are few."""
        row, cells = context.blank, context.cells
        images = cells.images(row.generator, row.annotator, attribute, used)
        people = cells.people(row.generator, row.annotator, attribute, used)
        return said(people_note(people, images), small_note(round(float(images.sum())), self.options.small))

    def _partly(
        self, context: _Context, part: PromptShares, attribute: Attribute, covered: Sequence[str], *, whole: bool
    ) -> Measurement:
        """Return the row of a comparison, which speaks only of the prompts that the reference covers."""
        row = context.blank
        notes = self._few(context, attribute, covered)
        if whole:
            return replace(row, notes=notes)
        lost = context.cells.missing(row.generator, row.annotator, ("", row.attribute), covered)
        partly = Note.of("reference_covers", n=part.prompts, m=row.prompts)
        row = replace(row, n=part.n, prompts=part.prompts, prompt_set=context.cells.prompt_set(covered))
        return replace(row, missing=sum(lost.values()), notes=(partly, *notes))


def _why_empty(missing: Mapping[str, int]) -> Note:
    return Note.of("no_usable_image_because", **missing) if missing else Note("annotator_silent")
