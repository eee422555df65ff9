"""Automatic against human: the same scores from an annotator and from people, over the same images.

The paper compares its scores with those that ten evaluators' labels give on a tenth of the prompts, and reports the
average difference. Only attributes that both tell are compared, and a total needs all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.methods.bias_scores.context import TOTAL, Context
from portrayal.methods.bias_scores.explicit.explicit_rows import asked_attribute
from portrayal.methods.bias_scores.explicit.requests import read_requests
from portrayal.methods.bias_scores.levels import Level, levels
from portrayal.methods.bias_scores.prompt_sets import seen_scores
from portrayal.metrics import weighted_mean, weighted_total
from portrayal.records import Measurement, Note, Prompt
from portrayal.stats.bootstrap import bootstrap_means, expanded_percentile
from portrayal.stats.intervals import Array

__all__ = ["human_rows"]

METRICS = ("automatic_score", "human_score", "human_difference")
ByPrompt = Mapping[str, float]


def human_rows(ours: Context, theirs: Context) -> Iterator[Measurement]:
    """Yield both scores and their average difference, for implicit and for explicit prompts."""
    shared = [name for name in ours.told if name in theirs.told]
    untold = (*ours.untold(list(ours.groups)), *theirs.untold(list(ours.groups)))
    for item, score in (("implicit", _implicit), ("explicit", _explicit)):
        mine, human = score(ours, shared), score(theirs, shared)
        for name in [TOTAL, *shared]:
            compared = _Compared(ours, theirs, item, name)
            if name == TOTAL and untold and any(mine.values()):
                yield from compared.missing(untold)
            else:
                yield from compared.rows(mine[name], human[name])


@dataclass(frozen=True, slots=True)
class _Compared:
    """Rows of implicit or of explicit prompts (``item``), of one attribute or of all."""

    ours: Context
    theirs: Context
    item: str
    attribute: str

    def missing(self, why: Sequence[Note]) -> Iterator[Measurement]:
        """Yield rows that say why there is no comparison."""
        for metric in METRICS:
            yield replace(self._blank(metric, ""), notes=tuple(why))

    def rows(self, mine: ByPrompt, human: ByPrompt) -> Iterator[Measurement]:
        """Yield both scores and the difference, of all prompts that both scored and of each kind."""
        prompts = [self.ours.design.prompts[prompt] for prompt in mine if prompt in human]
        for level in levels(prompts):
            if level.name != "category":
                yield from self._level(level, np.array([(mine[p.id], human[p.id]) for p in level.prompts]))

    def _level(self, level: Level, scores: Array) -> Iterator[Measurement]:
        columns = np.column_stack([scores, np.abs(scores[:, 0] - scores[:, 1])])
        weights = self._weights(level.prompts)
        drawn = bootstrap_means(columns, weights=weights, draws=self.ours.options.draws, rng=self.ours.rng)
        low, high = expanded_percentile(drawn, len(scores))
        means = weighted_mean(columns.T, weights)
        for column, metric in enumerate(METRICS):
            row = replace(self._blank(metric, level.item), level=level.name, prompts=len(scores))
            row = replace(row, value=float(means[column]))
            yield row if len(scores) == 1 else replace(row, low=float(low[column]), high=float(high[column]))

    def _weights(self, prompts: Sequence[Prompt]) -> Array:
        """Return the prompts' weights; of explicit totals so that attributes count by theirs, as in all totals."""
        weights = np.array([prompt.weight for prompt in prompts])
        if self.item == "implicit" or self.attribute:
            return weights
        names = np.array([asked_attribute(prompt) for prompt in prompts])
        for name in np.unique(names):
            weights[names == name] *= self.ours.options.weights[name] / weights[names == name].sum()
        return weights

    def _blank(self, metric: str, kind: str) -> Measurement:
        item = f"{self.item}: {kind}" if kind else self.item
        return replace(self.ours.blank(metric), item=item, attribute=self.attribute, reference=self.theirs.annotator)


def _implicit(context: Context, attributes: Sequence[str]) -> Mapping[str, ByPrompt]:
    """Return the scores of implicit prompts by attribute; the total is that of all ``attributes``."""
    scores = seen_scores(context.prompt_sets if attributes else (), attributes)
    totals = weighted_total(scores.seen, [context.options.weights[name] for name in attributes])
    columns = zip([TOTAL, *attributes], np.column_stack([totals, scores.seen]).T, strict=True)
    return {name: _known([prompt.id for prompt in scores.prompts], values) for name, values in columns}


def _explicit(context: Context, attributes: Sequence[str]) -> Mapping[str, ByPrompt]:
    """Return the scores of explicit prompts, by the attribute of which they ask for a group and all together."""
    answers = read_requests(context, hard=False).answers()
    asked = np.array([asked_attribute(prompt) for prompt in answers.prompts], dtype=object)
    ids = np.array([prompt.id for prompt in answers.prompts], dtype=object)
    chosen = {TOTAL: np.isin(asked, list(attributes)), **{name: asked == name for name in attributes}}
    return {name: _known(ids[places], answers.share[places]) for name, places in chosen.items()}


def _known(ids: Sequence[str], values: Array) -> dict[str, float]:
    return {name: float(value) for name, value in zip(ids, values, strict=True) if value == value}
