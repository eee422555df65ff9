"""What changed from release to release, corrected for looking at every release and at every number.

A release is a look. The k-th look may call a change by chance with probability 0.05 / (k (k - 1)); over any number of
looks these add up to 0.05 at most (alpha spending; Lan and DeMets 1983). Within a look Holm's correction holds for all
numbers, each compared with the release before and with the first. A later release changes no earlier verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.difference import LEVEL, Difference, DifferenceVerdict
from portrayal.reports.comparisons.matching import Matched, Topic, match_rows, rows_by_topic, topic_of
from portrayal.reports.comparisons.numbers.differences import differences

__all__ = ["Change", "Look", "level_of", "looks"]

CHANGED = (DifferenceVerdict.MORE, DifferenceVerdict.LESS)
Rows = Sequence[Mapping[str, Sequence[Measurement]]]
"""By release, then by model."""


@dataclass(frozen=True)
class Change:
    """A number of a release less that of an earlier one; ``release`` and ``earlier`` are places in the history.

    ``previous`` is whether the earlier one is the last that has this number about the same prompts, ``first`` whether
    it is the first one.
    """

    model: str
    release: int
    earlier: int
    previous: bool
    first: bool
    difference: Difference

    @property
    def topic(self) -> Topic:
        """What the number is about."""
        return topic_of(self.difference.one)

    @property
    def changed(self) -> bool:
        """Whether chance does not explain it."""
        return self.difference.verdict in CHANGED


@dataclass(frozen=True)
class Look:
    """All changes at one release, and by model what could be matched with the release before it, and what not."""

    release: int
    level: float
    changes: Sequence[Change]
    matched: Mapping[str, Matched]

    @property
    def tests(self) -> int:
        """How many numbers were tested: with too few images there is no test."""
        return sum(change.difference.p == change.difference.p for change in self.changes)


def level_of(look: int) -> float:
    """Return how often a look may call a change by chance; the first release is look 1, and nothing is compared there.

    >>> level_of(2), round(sum(level_of(look) for look in range(2, 100_000)), 4)
    (0.025, 0.05)
    """
    return LEVEL / (look * (look - 1))


def looks(rows: Rows, margin: float, attributes: Mapping[str, Attribute]) -> list[Look]:
    """Return what changed at each release but the first."""
    return [_look(rows, release, margin, attributes) for release in range(1, len(rows))]


def _look(rows: Rows, release: int, margin: float, attributes: Mapping[str, Attribute]) -> Look:
    pairs: list[tuple[str, int, bool, bool, tuple[Measurement, Measurement]]] = []
    beside: dict[str, Matched] = {}
    for model, mine in rows[release].items():
        earlier = [place for place in range(release) if model in rows[place]]
        if not earlier:
            continue
        before = rows_by_topic(rows[earlier[-1]][model], attributes)
        beside[model] = match_rows(rows_by_topic(mine, attributes), before)
        last = _nearest(rows, model, mine, earlier[::-1], attributes)
        first = _nearest(rows, model, mine, earlier, attributes)
        for topic, (place, pair) in last.items():
            once = first[topic][0]
            pairs.append((model, place, True, place == once, pair))
            if place != once:
                pairs.append((model, once, False, True, first[topic][1]))
    # Of a row compared twice each pair is its own: copies keep them apart.
    own = [(replace(one), replace(other)) for *_, (one, other) in pairs]
    level = level_of(release + 1)
    found = differences(own, margin, correction="holm", level=level)
    changes = [
        Change(model, release=release, earlier=place, previous=previous, first=first_one, difference=each)
        for (model, place, previous, first_one, _), each in zip(pairs, found, strict=True)
    ]
    return Look(release, level, changes, beside)


def _nearest(
    rows: Rows,
    model: str,
    mine: Sequence[Measurement],
    places: Sequence[int],
    attributes: Mapping[str, Attribute],
) -> dict[Topic, tuple[int, tuple[Measurement, Measurement]]]:
    """Return of each number the first of the ``places`` that has it about the same prompts, and both rows."""
    nearest: dict[Topic, tuple[int, tuple[Measurement, Measurement]]] = {}
    left = rows_by_topic(mine, attributes)
    for place in places:
        if not left:  # of most histories the nearest release has everything
            break
        for pair in match_rows(left, rows_by_topic(rows[place][model], attributes)).pairs:
            nearest[topic_of(pair[0])] = place, pair
        left = {topic: row for topic, row in left.items() if topic not in nearest}
    return nearest
