"""A cell's shares beside a reference: group by group, and the whole distribution."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.methods.filled_rows import number
from portrayal.metrics import chi_square, kl_divergence, total_variation
from portrayal.records import Measurement, Note, said
from portrayal.stats.intervals import Array
from portrayal.stats.shares.cells import PromptShares, whole_worth, worth
from portrayal.stats.targets.differences import difference_intervals, ratio_intervals
from portrayal.stats.targets.distances import mean_divergence
from portrayal.stats.targets.divergences import Divergence, divergence_interval

__all__ = ["Comparison"]

_DIVERGENCES: Mapping[str, Divergence] = {"total_variation": total_variation, "kl_divergence": kl_divergence}


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A cell, its targets and, where it is known, its planted truth (both prompts by groups).

    ``row`` is the measurement to fill in; ``draws`` the bootstrap draws behind each interval.
    """

    row: Measurement
    cell: PromptShares
    targets: Array
    truth: Array | None
    draws: int

    def measure(self, groups: Sequence[str], rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield difference and ratio of each group, then the distances of the whole distribution."""
        yield from self._by_group(groups)
        yield from self._divergences(rng)
        yield from self._chi_square()

    def _by_group(self, groups: Sequence[str]) -> Iterator[Measurement]:
        target, share = self.cell.mean(self.targets), self.cell.share.clip(0, 1)
        truth = None if self.truth is None else self.cell.mean(self.truth)
        low, high = difference_intervals(self.cell, self.targets)
        lower, upper = ratio_intervals(self.cell, self.targets)
        images = worth(self.cell)
        for index, group in enumerate(groups):
            wanted = float(target[index])
            bounds = (float(share[index]) - wanted, float(low[index]), float(high[index]))
            planted = None if truth is None else float(truth[index]) - wanted
            yield replace(self._bounded("difference", bounds, planted, group), worth=float(images[index]))
            if wanted > 0:
                true = None if truth is None else float(truth[index]) / wanted
                ratio = (float(share[index]) / wanted, float(lower[index]), float(upper[index]))
                yield self._bounded("ratio", ratio, true, group)

    def _divergences(self, rng: np.random.Generator) -> Iterator[Measurement]:
        cell, target = self.cell, self.cell.mean(self.targets)
        tops: dict[str, float] = {}
        for name, divergence in _DIVERGENCES.items():
            interval = divergence_interval(cell, self.targets, divergence, rng=rng, draws=self.draws)
            planted = None if self.truth is None else float(divergence(cell.mean(self.truth), target))
            value = float(divergence(cell.share, target))
            yield self._bounded(name, (value, interval.low, interval.high), planted)
            tops[name] = interval.high
        if cell.prompts > 1:
            value, interval = mean_divergence(cell, self.targets, total_variation, rng=rng)
            planted = (
                None if self.truth is None else float(cell.weight_shares @ total_variation(self.truth, self.targets))
            )
            # No mean of distances lies below the distance of the mean, so it may be as large as that may be.
            high = max(interval.high, tops["total_variation"])
            yield self._bounded("mean_total_variation", (value, interval.low, high), planted)

    def _chi_square(self) -> Iterator[Measurement]:
        """Pearson's test on as many independent images as the cell is worth."""
        from scipy.special import chdtrc  # scipy takes a moment to load

        target = self.cell.mean(self.targets)
        value = float(chi_square(self.cell.share, target, whole_worth(self.cell)))
        freedom = int((target > 0).sum()) - 1
        if math.isfinite(value) and freedom > 0:
            yield replace(self.row, metric="chi_square", value=value)
            yield replace(self.row, metric="chi_square_p", value=float(chdtrc(freedom, value)))

    def _bounded(
        self, metric: str, bounds: tuple[float, float, float], planted: float | None, group: str = ""
    ) -> Measurement:
        value, low, high = map(number, bounds)
        note = None if value is not None else Note("not_finite")
        true = None if planted is None else number(planted)
        filled = replace(self.row, metric=metric, group=group, value=value, low=low, high=high, planted=true)
        return replace(filled, notes=said(*self.row.notes, note))
