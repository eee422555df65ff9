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
from pydantic import Field

from portrayal.evidence import Design, Evidence, Need
from portrayal.methods.base import Counting, Draws
from portrayal.methods.cells import CellEvidence, CellNeeds, Level, levels, people_note
from portrayal.methods.comparison import Comparison, number
from portrayal.methods.references import References
from portrayal.records import PERSON, Adjustment, Attribute, Measurement, Note, Reference, said
from portrayal.stats.cells import PromptShares, share_intervals, small_note
from portrayal.stats.intervals import Array
from portrayal.stats.means import mean_interval
from portrayal.suites import TableChoice

__all__ = ["Representation", "RepresentationOptions"]


class RepresentationOptions(Counting):
    """``references``: attribute to the name of a reference, a CSV path, or a
    :class:`~portrayal.suites.TableChoice` with region and year; attributes not named are compared with equal shares,
    Monk tones with nothing.
    ``draws``: bootstrap draws. ``small``: fewer images than this carry a warning.
    """

    references: Mapping[str, str | TableChoice] = {}
    draws: Draws = 1000
    small: int = Field(default=30, ge=1)


_Compared = tuple[Attribute, Reference]


@dataclass(frozen=True, slots=True)
class _Context:
    """What the measurements of one cell share."""

    blank: Measurement
    cells: CellEvidence
    level: Level
    rng: np.random.Generator


class Representation:
    """See the module's description and :class:`RepresentationOptions`."""

    Options = RepresentationOptions
    name = "representation"
    adjusted: Sequence[Adjustment] = ()
    citations: Sequence[str] = (
        "Edwin B. Wilson (1927): Probable Inference, the Law of Succession, and Statistical Inference. JASA 22. "
        "(intervals of shares)",
        "C. J. Clopper and Egon S. Pearson (1934): The Use of Confidence or Fiducial Limits Illustrated in the Case of "
        "the Binomial. Biometrika 26. (intervals of shares over several prompts)",
        "Tim C. Hesterberg (2015): What Teachers Should Know About the Bootstrap. The American Statistician 69. "
        "(cluster bootstrap over prompts, expanded percentiles)",
    )

    def __init__(self, options: RepresentationOptions, folder: Path) -> None:
        self.options = options
        self._needs = CellNeeds.of(options)
        self._references = References(self.name, options.references, folder)

    @property
    def needs(self) -> Sequence[Need[object]]:
        """Counts per prompt."""
        return list(self._needs)

    def check(self, design: Design) -> None:
        """Refuse references for attributes that nobody knows."""
        self._references.check(design)

    def references(self, design: Design) -> Mapping[str, Reference]:
        """Return the reference of each attribute that annotators tell by groups of people."""
        return self._references.load(design)

    def sources(self, design: Design) -> Mapping[str, str]:
        """Return the references used, by name, and where their figures come from."""
        return self._references.sources(design)

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements, generator by generator, overall first."""
        design = evidence.plan.design
        self.check(design)
        cells, references = CellEvidence(evidence, self._needs), self._references.load(design)
        for generator in evidence.plan.generators:
            for level in levels(evidence, generator):
                for annotator, attributes in design.annotators.items():
                    blank = Measurement(self.name, "", generator, annotator, level=level.level, item=level.item)
                    yield from self._missing(_Context(blank, cells, level, rng))
                    for name in attributes:
                        if name == PERSON or design.attributes[name].is_text:
                            continue  # says whether anyone is shown, or something in words
                        context = _Context(replace(blank, attribute=name), cells, level, rng)
                        yield from self._attribute(context, design.attributes[name], references.get(name))

    def _attribute(self, context: _Context, attribute: Attribute, reference: Reference | None) -> Iterator[Measurement]:
        blank, cells, prompts = context.blank, context.cells, context.level.prompts
        missing = cells.missing(blank.generator, blank.annotator, ("", attribute.name), prompts)
        used = cells.used(blank.generator, blank.annotator, attribute, prompts)
        row = replace(blank, missing=sum(missing.values()), prompts=len(used))
        yield from self._missing(context)
        if not used:
            metric = "mean" if attribute.is_numeric else "share"
            yield replace(row, metric=metric, notes=(_why_empty(missing),))
        elif reference is None:
            yield self._mean(replace(context, blank=row), attribute, used)
        else:
            cell = cells.shares(blank.generator, blank.annotator, attribute, prompts)
            few = self._few(replace(context, blank=row), cell, attribute, used)
            row = replace(row, n=cell.n, notes=few)
            yield from self._shares(replace(context, blank=row), cell, (attribute, reference), used)

    def _missing(self, context: _Context) -> Iterator[Measurement]:
        """Yield the share of planned images that cannot be used, by reason: whole images, or for one attribute."""
        row, cells, prompts = context.blank, context.cells, context.level.prompts
        about = (row.generator, row.annotator, (row.attribute,), prompts)
        reasons = cells.missing(*about)
        if not reasons:
            return
        cell = cells.missing_shares(*about)
        bounds = (cell.share.clip(0, 1), *share_intervals(cell))
        row = replace(row, metric="missing", n=cell.n, prompts=cell.prompts)
        for index, (reason, count) in enumerate(reasons.items()):
            yield _filled(replace(row, group=reason, missing=count), bounds, index)

    def _mean(self, context: _Context, attribute: Attribute, used: Sequence[str]) -> Measurement:
        row = context.blank
        cell, variances = context.cells.means(row.generator, row.annotator, attribute.name, used)
        interval = mean_interval(cell, variances)
        notes = self._few(context, cell, attribute, used)
        value = number(float(cell.share[0]))
        return replace(
            row, metric="mean", value=value, low=number(interval.low), high=number(interval.high), n=cell.n, notes=notes
        )

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
        bounds = (cell.share.clip(0, 1), *share_intervals(cell))
        target = cell.mean(targets) if whole else None
        planted = None if truth is None else cell.mean(truth)
        seen = None if drawn is None else cell.mean(drawn)
        named = replace(row, metric="share", reference=reference.name if whole else "")
        for index, group in enumerate(attribute.groups):
            bounded = _filled(replace(named, group=group), bounds, index)
            yield replace(bounded, target=_at(target, index), planted=_at(planted, index), drawn=_at(seen, index))
        if covered:
            part = PromptShares(cell.shares[covered], cell.counts[covered], cell.weights[covered])
            against = self._partly(context, part, attribute, [used[position] for position in covered], whole=whole)
            true = None if truth is None else truth[covered]
            comparison = Comparison(replace(against, reference=reference.name), part, targets, true, self.options.draws)
            yield from comparison.measure(attribute.groups, context.rng)

    def _few(
        self, context: _Context, cell: PromptShares, attribute: Attribute, used: Sequence[str]
    ) -> tuple[Note, ...]:
        """Return in how many images people are, where these count, and a warning when images or prompts are few."""
        row = context.blank
        images = context.cells.images(row.generator, row.annotator, attribute, used)
        return said(people_note(cell.n, images), small_note(replace(cell, counts=images), images=self.options.small))

    def _partly(
        self, context: _Context, part: PromptShares, attribute: Attribute, covered: Sequence[str], *, whole: bool
    ) -> Measurement:
        """Return the row of a comparison, which speaks only of the prompts that the reference covers."""
        row = context.blank
        notes = self._few(context, part, attribute, covered)
        if whole:
            return replace(row, notes=notes)
        lost = context.cells.missing(row.generator, row.annotator, ("", row.attribute), covered)
        partly = Note.of("reference_covers", n=part.prompts, m=row.prompts)
        return replace(row, n=part.n, prompts=part.prompts, missing=sum(lost.values()), notes=(partly, *notes))


def _filled(row: Measurement, bounds: tuple[Array, Array, Array], index: int) -> Measurement:
    value, low, high = (float(column[index]) for column in bounds)
    return replace(row, value=value, low=low, high=high)


def _at(column: Array | None, index: int) -> float | None:
    return None if column is None else float(column[index])


def _why_empty(missing: Mapping[str, int]) -> Note:
    return Note.of("no_usable_image_because", **missing) if missing else Note("annotator_silent")
