"""The manifestation factor: does a generator's bias ignore, or does it discriminate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.methods.bias_scores.context import TOTAL, Context, no_total
from portrayal.methods.bias_scores.manifestation.pair_etas import Compared, Eta, Factor, compared_pairs, pair_etas
from portrayal.methods.bias_scores.prompt_sets import Scores, seen_scores
from portrayal.methods.filled_rows import number
from portrayal.records import Measurement, Note, Prompt, said

__all__ = ["manifestation_rows"]

_NO_ENDS = (-np.inf, np.inf)
"""Between which eta lies depends on the references of the pairs that are asked."""


def manifestation_rows(context: Context) -> Iterator[Measurement]:
    """Yield eta of the model, of each attribute, and of every pair that the suite has."""
    prompts = context.suite("implicit")
    if not prompts:
        return
    pairs = compared_pairs(context.pairs, prompts)
    weights = {name: list(context.options.group_weights[name].values()) for name in context.told}
    table = None
    if pairs and weights:
        factor = Factor(weights, context.options.manifestation)
        eta = pair_etas(context.prompt_sets, pairs, factor, context.options.draws, context.rng)
        table = _Table(context, pairs, eta, seen_scores(context.prompt_sets, context.told))
    variant = Note.of("variant", name=context.options.manifestation)
    for name in [TOTAL, *context.groups]:
        row = replace(context.blank("manifestation"), attribute=name, notes=(variant,))
        untold = context.untold([name] if name else list(context.groups))
        if untold or table is None:
            yield replace(row, notes=(variant, *(untold or [Note("no_pairs")])))
        else:
            yield table.overall(row)
    if table is not None:
        yield from table.by_pair()


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Etas, and what is behind them."""

    context: Context
    pairs: Sequence[Compared]
    eta: Eta
    scores: Scores

    def overall(self, row: Measurement) -> Measurement:
        """Return the row of all pairs."""
        known = self.eta.known(self._column(row))
        every = len(self.context.pairs)
        if len(known) < every:
            row = replace(row, notes=(*row.notes, Note.of("some_pairs", n=len(known), m=every), *self._not_asked()))
        return self._filled(row, None, known)

    def _not_asked(self) -> Iterator[Note]:
        """Name the pairs of the user's for which the study has no prompts; of the shipped ones the number will do."""
        compared = {each.pair for each in self.pairs}
        absent = [pair.name for pair in self.context.pairs if pair not in compared]
        if self.context.method.own_pairs and absent:
            yield Note.listing("pairs_not_asked", absent)

    def by_pair(self) -> Iterator[Measurement]:
        """Yield the rows of every pair: the mean of attributes, if all are observed, and each."""
        context = self.context
        names = [*([] if context.untold(list(context.groups)) else [TOTAL]), *context.told]
        variant = Note.of("variant", name=context.options.manifestation)
        for place, compared in enumerate(self.pairs):
            item = compared.pair.name
            for name in names:
                blank = replace(context.blank("manifestation"), level="pair", item=item, attribute=name)
                yield self._filled(replace(blank, notes=(variant,)), place, [place])

    def _filled(self, row: Measurement, pair: int | None, chosen: Sequence[int]) -> Measurement:
        column = self._column(row)
        value, interval, planted = self.eta.score(pair, column)
        corrected = (interval.low + interval.high) / 2
        prompts = self._prompts(chosen)
        if np.isnan(value):
            return self._empty(row, pair)
        if pair is None and self.context.over_prompts is not None:
            interval = self.context.over_prompts(self.eta.each(column), self.eta.weights, interval, _NO_ENDS)
        used = self._images(prompts, row.attribute)
        return replace(
            row,
            value=value,
            low=number(interval.low),
            high=number(interval.high),
            corrected=number(corrected),
            planted=number(planted),
            n=used,
            missing=self.context.counts.planned(prompts) - used,
            prompts=len(prompts),
            notes=said(*row.notes, self.context.sampled if pair is None else None),
        )

    def _empty(self, row: Measurement, pair: int | None) -> Measurement:
        prompts = self._prompts(range(len(self.pairs)) if pair is None else [pair])
        lacking = [prompt for prompt in prompts if not self._images([prompt], row.attribute)]
        if lacking:
            why = self.context.counts.why_empty(lacking, row.attribute)
        elif row.attribute:
            why = Note.of("no_reference", attribute=row.attribute)
        else:
            told = enumerate(self.context.told)
            why = no_total([name for column, name in told if np.isnan(self.eta.score(pair, column)[0])])
        return self.context.empty(row, [why], prompts)

    def _prompts(self, chosen: Sequence[int]) -> list[Prompt]:
        return list({prompt.id: prompt for place in chosen for prompt in self.pairs[place].prompts}.values())

    def _images(self, prompts: Sequence[Prompt], attribute: str) -> int:
        """Return how many images of the prompts tell the attribute, or for the total the most of any."""
        ids = {prompt.id for prompt in prompts}
        rows = [row for row, prompt in enumerate(self.scores.prompts) if prompt.id in ids]
        images = self.scores.images[rows]
        column = self.context.told.index(attribute) if attribute else None
        return int(images.max(axis=1, initial=0.0).sum() if column is None else images[:, column].sum())

    def _column(self, row: Measurement) -> int | None:
        return self.context.told.index(row.attribute) if row.attribute else None
