"""Each metric of a generator, about an occupation and a group, with the images behind it, or what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from portrayal.methods.socialbiaskg.options import SocialBiasKGOptions
from portrayal.methods.socialbiaskg.perceived import Cells, Perceived, plain
from portrayal.methods.socialbiaskg.rules import Metric
from portrayal.methods.socialbiaskg.scores import (
    Estimate,
    counterfactual,
    diversity,
    image_quality,
    iterative,
    mean,
    ratio,
)
from portrayal.store.tables.keys import Keys

__all__ = ["IMAGES", "Estimates", "Lack", "lack"]

IMAGES = 8
"""Images that are named for an edge."""


class Estimates:
    """The metrics of one generator, each computed once."""

    def __init__(self, cells: Cells, perceived: Perceived, options: SocialBiasKGOptions) -> None:
        self.cells, self.perceived, self.options = cells, perceived, options
        self._known: dict[tuple[Metric, str, str], tuple[Estimate, Keys]] = {}

    def of(self, metric: Metric, job: str, group: str) -> tuple[Estimate, Keys]:
        """Return a metric with the images behind it, each computed once."""
        about_job = metric in ("diversity", "iterative_similarity")
        key = (metric, job, "" if about_job else group)
        if key not in self._known:
            self._known[key] = getattr(self, f"_{metric}")(job, group)
        return self._known[key]

    def missing(self, metric: Metric, job: str, group: str) -> int:
        """Return how many images were asked for, for a metric, and do not count in it."""
        cells, others = self._asked_cells(metric, job, group), list[int]()
        if metric == "counterfactual_similarity":
            others = self._other_cells(job, group)
        used = self.of(metric, job, group)[0].n
        if metric == "iterative_similarity":
            used = sum(self.perceived.images_compared([cell], [cell]) for cell in cells)
        elif others:
            used = self.perceived.images_compared(cells, others)
        return int(self.perceived.planned[[*cells, *others]].sum()) - used

    def lack(self, metric: Metric, job: str, group: str) -> Lack:
        """Return what a metric lacks that has no value."""
        if self.of(metric, job, group)[0].value is not None:
            return ""
        cells, pairs = self._asked_cells(metric, job, group), 0
        if metric == "iterative_similarity":
            pairs = sum(self.perceived.pairs_made([cell], [cell]) for cell in cells)
        elif metric == "counterfactual_similarity":
            pairs = self.perceived.pairs_made(cells, self._other_cells(job, group))
        return lack(metric, int(self.perceived.planned[list(cells)].sum()), pairs, self.perceived, self.options)

    def _asked_cells(self, metric: Metric, job: str, group: str) -> Sequence[int]:
        if metric == "dominant_occupation":
            return self.cells.by_group.get(group, ())
        if metric in ("failure", "quality", "counterfactual_similarity"):
            return self.cells.by_pair.get((job, group), ())
        return self.cells.by_occupation.get(job, ())

    def _other_cells(self, job: str, group: str) -> list[int]:
        """Return the prompts about the occupation and another group that its own were compared with."""
        mine = self.cells.by_pair.get((job, group), ())
        pairs = ((other, cells) for (asked, other), cells in self.cells.by_pair.items() if asked == job)
        others = [cell for other, cells in pairs if other != group for cell in cells]
        return [cell for cell in others if self.perceived.styles(mine, [cell])]

    def _diversity(self, job: str, _: str) -> tuple[Estimate, Keys]:
        cells = self.cells.by_occupation.get(job, ())
        return diversity(self.perceived.group_counts(cells), self.options.diversity_images), self._any(cells)

    def _dominance(self, job: str, group: str) -> tuple[Estimate, Keys]:
        cells = self.cells.by_occupation.get(job, ())
        shown = self.perceived.shown(cells, group)
        return ratio(len(shown), int(self.perceived.group_counts(cells).sum())), shown

    def _underrepresentation(self, job: str, group: str) -> tuple[Estimate, Keys]:
        dominance, _ = self.of("dominance", job, group)
        return dominance, self._any(self.cells.by_occupation.get(job, ()))

    def _dominant_occupation(self, job: str, group: str) -> tuple[Estimate, Keys]:
        cells = self.cells.by_group.get(group, ())
        counts = self.perceived.occupation_counts(cells)
        return ratio(counts[plain(job)], counts.total()), self.perceived.at_work(cells, job)

    def _failure(self, job: str, group: str) -> tuple[Estimate, Keys]:
        keys, failed, judged = self.perceived.failures(self.cells.by_pair.get((job, group), ()), job, group)
        return ratio(failed, judged), keys

    def _quality(self, job: str, group: str) -> tuple[Estimate, Keys]:
        weight = self.options.quality_weight
        keys, natural, fitting = self.perceived.qualities(self.cells.by_pair.get((job, group), ()), weight)
        values = image_quality(natural, fitting, weight, self.options.quality_scale)
        return mean(values), keys[np.argsort(values, kind="stable")]

    def _iterative_similarity(self, job: str, _: str) -> tuple[Estimate, Keys]:
        cells = self.cells.by_occupation.get(job, ())
        return iterative([style for cell in cells for style in self.perceived.styles([cell], [cell])]), self._any(cells)

    def _counterfactual_similarity(self, job: str, group: str) -> tuple[Estimate, Keys]:
        mine = self.cells.by_pair.get((job, group), ())
        others = self._other_cells(job, group)
        return counterfactual([self.perceived.styles([cell], others) for cell in mine]), self._any([*mine, *others])

    def _any(self, cells: Sequence[int]) -> Keys:
        if self.perceived.group is None:
            return np.zeros(0, dtype=np.uint64)
        keys = self.perceived.group.of(cells)[0]
        # Some of each prompt, not all of the first.
        return keys[:: max(1, len(keys) // IMAGES)]


Lack = Literal["", "prompts", "images", "pairs", "groups", "occupations", "captions", "comparisons", "quality"]
"""What is missing; empty: nothing, or nothing that could be named."""
_STYLES = ("iterative_similarity", "counterfactual_similarity")


def lack(metric: Metric, planned: int, pairs: int, perceived: Perceived, options: SocialBiasKGOptions) -> Lack:
    """Return what a metric that has no value lacks.

    ``planned`` are the images that the study asks for, for this metric, and ``pairs`` those of them that could be
    compared with one another.
    """
    if not planned:
        return "prompts"
    if metric in _STYLES:
        return _similarity(pairs, perceived, options)
    if metric == "quality":
        told = (perceived.niqe or not options.quality_weight) and (perceived.alignment or options.quality_weight == 1)
        return "images" if told else "quality"
    if metric == "dominant_occupation":
        return "images" if perceived.occupation else "occupations"
    return "images" if perceived.group else "groups"


def _similarity(pairs: int, perceived: Perceived, options: SocialBiasKGOptions) -> Lack:
    if not pairs:
        return "pairs"
    if options.similarity_weight < 1 and np.isnan(perceived.compared.captions).all():
        return "captions"
    return "comparisons" if options.similarity_weight else "images"
