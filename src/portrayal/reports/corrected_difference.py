"""A difference between two models, as it must be if the annotator errs as people's labels say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.corrected_share import Change, CorrectedShare, Way, share_key, what_becomes
from portrayal.stats.annotation.corrected_difference import difference_bounds
from portrayal.stats.intervals import Interval

__all__ = [
    "CorrectedDifference",
    "Place",
    "change_of",
    "corrected_difference",
    "difference_key",
    "differences_by_place",
]

Place = tuple[str, ...]
"""What tells a difference from all others."""


@dataclass(frozen=True, slots=True)
class CorrectedDifference:
    """``one`` less ``other`` of the shares that decide, put right in the same ``way``.

    ``value`` is None where the annotator reads groups too much alike; ``low`` and ``high`` bound the 95 % interval, in
    which the labels and the images of both models have their part.
    """

    one: CorrectedShare
    other: CorrectedShare
    way: Way
    value: float | None
    low: float
    high: float

    @property
    def labels(self) -> int:
        """How many labelled images it rests on: the same ones twice by the matrix, those of both by the sample."""
        return self.one.labels if self.way == "matrix" else self.one.labels + self.other.labels

    @property
    def wide(self) -> bool:
        """Whether the interval holds the truth more often than it says: by few labels of either model."""
        return self.way == "sample" and (self.one.wide or self.other.wide)


def corrected_difference(one: CorrectedShare, other: CorrectedShare) -> CorrectedDifference:
    """Return the difference of two shares that labels of their own put right: those of two models are other images."""
    if one.value is None or other.value is None:
        return CorrectedDifference(one, other=other, way="sample", value=None, low=-1.0, high=1.0)
    sides = (one.value, Interval(one.low, one.high)), (other.value, Interval(other.low, other.high))
    bounds = difference_bounds(*sides)
    return CorrectedDifference(
        one, other=other, way="sample", value=one.value - other.value, low=bounds.low, high=bounds.high
    )


def change_of(corrected: CorrectedDifference, low: float, high: float) -> Change:
    """Return what becomes of a difference whose interval was ``low`` to ``high`` as it was read."""
    return what_becomes((low, high), (corrected.low, corrected.high))


def difference_key(one: Measurement, other: Measurement) -> Place:
    """Return what tells a difference between two rows from all others."""
    return (*share_key(one), other.generator)


def differences_by_place(differences: Iterable[CorrectedDifference]) -> Mapping[Place, CorrectedDifference]:
    """Return corrected differences by :func:`difference_key`, and turned round."""
    found: dict[Place, CorrectedDifference] = {}
    for each in differences:
        found[difference_key(each.one.seen, each.other.seen)] = each
        value = None if each.value is None else -each.value
        turned = CorrectedDifference(
            each.other, other=each.one, way=each.way, value=value, low=-each.high, high=-each.low
        )
        found[difference_key(each.other.seen, each.one.seen)] = turned
    return found
