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

from portrayal.errors import ConfigError, did_you_mean
from portrayal.methods.base import Counting, Tables
from portrayal.methods.cells import Level, Lookup, levels
from portrayal.methods.comparison import Comparison, joined, number
from portrayal.records import Attribute, Measurement, Reference
from portrayal.stats.cells import Cell, share_intervals, small_note
from portrayal.stats.intervals import wilson
from portrayal.stats.means import mean_interval
from portrayal.suites import load_reference

__all__ = ["Representation", "RepresentationOptions"]


class RepresentationOptions(Counting):
    """``references``: attribute to ``uniform``, ``faintbench``, ``none`` or a CSV path; attributes not named are
    compared with equal shares. ``draws``: bootstrap draws. ``small``: fewer images than this carry a warning.
    """

    references: Mapping[str, str] = {}
    draws: int = Field(default=1000, ge=100)
    small: int = Field(default=30, ge=1)


@dataclass(frozen=True, slots=True)
class _Context:
    """What the measurements of one cell share."""

    blank: Measurement
    lookup: Lookup
    level: Level
    rng: np.random.Generator


class Representation:
    """See the module's description and :class:`RepresentationOptions`."""

    Options = RepresentationOptions
    name = "representation"
    citations: Sequence[str] = (
        "Edwin B. Wilson (1927): Probable Inference, the Law of Succession, and Statistical Inference. JASA 22. "
        "(intervals of shares)",
        "Tim C. Hesterberg (2015): What Teachers Should Know About the Bootstrap. The American Statistician 69. "
        "(cluster bootstrap over prompts, expanded percentiles)",
    )

    def __init__(self, options: RepresentationOptions, folder: Path) -> None:
        self.options = options
        self.counting = Counting(people=options.people, evidence=options.evidence)
        self._folder = folder

    def measure(self, tables: Tables, *, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield all measurements, generator by generator, overall first."""
        for name in self.options.references:
            if name not in tables.attributes:
                hint = did_you_mean(name, tables.attributes)
                raise ConfigError(f"method 'representation': reference for an unknown attribute {name!r}{hint}")
        lookup = Lookup(tables)
        used = {name for attributes in tables.annotators.values() for name in attributes}
        references = self._references({name: tables.attributes[name] for name in used})
        for generator in dict.fromkeys(tables.planned.column("generator").to_pylist()):
            for level in levels(tables, generator):
                for annotator, attributes in tables.annotators.items():
                    blank = Measurement(self.name, "", generator, annotator, level=level.level, item=level.item)
                    yield from _missing(_Context(blank, lookup, level, rng))
                    for name in attributes:
                        context = _Context(replace(blank, attribute=name), lookup, level, rng)
                        yield from self._attribute(context, tables.attributes[name], references.get(name))

    def sources(self, attributes: Mapping[str, Attribute]) -> Mapping[str, str]:
        """Return the references used, by name, and where their figures come from."""
        return {reference.name: reference.source for reference in self._references(attributes).values()}

    def _references(self, attributes: Mapping[str, Attribute]) -> dict[str, Reference]:
        return {
            name: load_reference(self.options.references.get(name, "uniform"), attribute, self._folder)
            for name, attribute in attributes.items()
            if not attribute.is_numeric
        }

    def _attribute(self, context: _Context, attribute: Attribute, reference: Reference | None) -> Iterator[Measurement]:
        blank, lookup, prompts = context.blank, context.lookup, context.level.prompts
        missing = lookup.missing(blank.generator, blank.annotator, attribute.name, prompts)
        used = lookup.used(blank.generator, blank.annotator, attribute.name, prompts)
        row = replace(blank, missing=sum(missing.values()), prompts=len(used))
        if not used:
            metric = "mean" if attribute.is_numeric else "share"
            yield replace(row, metric=metric, note=_why_empty(missing))
        elif reference is None:
            yield self._mean(replace(context, blank=row), attribute)
        else:
            cell = lookup.shares(blank.generator, blank.annotator, attribute, prompts)
            row = replace(row, n=cell.n, note=small_note(cell, images=self.options.small))
            yield from self._shares(replace(context, blank=row), cell, attribute, reference, used)

    def _mean(self, context: _Context, attribute: Attribute) -> Measurement:
        row = context.blank
        cell, variances = context.lookup.means(row.generator, row.annotator, attribute.name, context.level.prompts)
        interval = mean_interval(cell, variances, rng=context.rng, draws=self.options.draws)
        note = small_note(cell, images=self.options.small)
        value = number(float(cell.share[0]))
        return replace(
            row, metric="mean", value=value, low=number(interval.low), high=number(interval.high), n=cell.n, note=note
        )

    def _shares(
        self, context: _Context, cell: Cell, attribute: Attribute, reference: Reference, used: Sequence[str]
    ) -> Iterator[Measurement]:
        row, lookup = context.blank, context.lookup
        low, high = share_intervals(cell, rng=context.rng, draws=self.options.draws)
        truth = lookup.truth(row.generator, attribute, used)
        planted = None if truth is None else cell.mean(truth)
        drawn = lookup.drawn(row.generator, row.annotator, attribute, used)
        terms = [lookup.tables.prompts[prompt].term for prompt in used]
        covered = [position for position, term in enumerate(terms) if reference.shares(term) is not None]
        targets = np.array([[dict(reference.shares(terms[p]) or {})[g] for g in attribute.groups] for p in covered])
        whole = len(covered) == len(used)
        target = cell.mean(targets) if whole else None
        for index, group in enumerate(attribute.groups):
            yield replace(
                row,
                metric="share",
                group=group,
                reference=reference.name if whole else "",
                value=float(cell.share[index]),
                low=float(low[index]),
                high=float(high[index]),
                target=None if target is None else float(target[index]),
                planted=None if planted is None else float(planted[index]),
                drawn=None if drawn is None else float(cell.mean(drawn)[index]),
            )
        if covered:
            part = Cell(cell.shares[covered], cell.counts[covered], cell.weights[covered])
            partly = "" if whole else f"reference covers {len(covered)} of {len(used)} prompts"
            note = joined(partly, small_note(part, images=self.options.small))
            against = replace(row, reference=reference.name, n=part.n, prompts=part.prompts, note=note)
            true = None if truth is None else truth[covered]
            comparison = Comparison(against, part, targets, true, self.options.draws)
            yield from comparison.measure(attribute.groups, context.rng)


def _missing(context: _Context) -> Iterator[Measurement]:
    """Yield the share of planned images that cannot be used, reason by reason."""
    row, lookup, prompts = context.blank, context.lookup, context.level.prompts
    planned = lookup.planned(row.generator, prompts)
    reasons = lookup.missing(row.generator, row.annotator, "", prompts)
    for reason, count in reasons.items():
        low, high = wilson(count / planned, planned)
        yield replace(
            row,
            metric="missing",
            group=reason,
            value=count / planned,
            low=float(low),
            high=float(high),
            n=planned,
            missing=count,
            prompts=len(prompts),
        )


def _why_empty(missing: Mapping[str, int]) -> str:
    if not missing:
        return "no data: the annotator says nothing about this attribute"
    reasons = ", ".join(f"{reason} {count}" for reason, count in missing.items())
    return f"no usable image ({reasons})"
