"""The order in which a first screen lists what was found: by what remains certain, and not by what is largest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import pytest

from portrayal.reports.findings.deviations.deviation import Deviation, Statement
from portrayal.reports.findings.deviations.selection import select
from portrayal.stats.intervals import Interval

SURE, POSSIBLE = 0.001, 0.04
"""P-values: of two comparisons one up to 0.01 is sure, and both below 0.05 are found."""


@dataclass(frozen=True)
class Ends:
    """A test whose interval ends at ``surely`` at 99 % confidence or more, which is what is said openly, else at
    ``likely``."""

    surely: float
    likely: float
    deviation: float = 0.9
    p: float = SURE

    def bounds(self, confidence: float) -> Interval:
        end = self.surely if confidence > 0.98 else self.likely
        return Interval(end, 1.0) if self.deviation > 0 else Interval(-1.0, -end)


def deviation(name: str, test: Ends, *, broad: bool = False, subject: str = "") -> Deviation:
    return Deviation("g", (subject or name,), test, broad, lambda: Statement(name, "", "", ()), topic=name)


def order(*found: Deviation) -> list[str]:
    """Return the order of what was found, which is the same in whatever order it comes."""
    orders = [[own.topic for own in select(given).in_order] for given in permutations(found)]
    assert all(own == orders[0] for own in orders)
    return orders[0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Ends(0.1, 0.1, 0.2), Ends(0.5, 0.5, 0.9, p=POSSIBLE)),  # what is sure, before what is possible and larger
        (Ends(0.3, 0.3, 0.4), Ends(0.2, 0.6, 0.9)),  # what is certainly larger, before what looks larger
        (Ends(0.3, 0.5, 0.6), Ends(0.3, 0.4, 0.9)),  # then the usual interval
        (Ends(0.3, 0.4, 0.9), Ends(0.3, 0.4, 0.6)),  # then the number itself
        (Ends(0.3, 0.4, -0.9), Ends(0.3, 0.4, 0.6)),
        (Ends(0.3, 0.4, -0.9), Ends(0.2, 0.3, 0.9)),  # below the reference counts as above it
        (Ends(0.3, 0.4, 0.9), Ends(0.2, 0.3, -0.9)),
    ],
)
def test_what_is_more_certain_comes_first(first: Ends, second: Ends) -> None:
    for names in ("ab", "ba"):
        assert order(deviation(names[0], first), deviation(names[1], second)) == list(names)


def test_of_equals_that_of_all_prompts_comes_first_and_then_the_name_decides() -> None:
    same = Ends(0.3, 0.4)
    assert order(deviation("a", same), deviation("b", same, broad=True)) == ["b", "a"]
    assert order(deviation("b", same), deviation("a", same)) == ["a", "b"]


def test_of_one_subject_only_the_most_certain_is_listed() -> None:
    large, small = Ends(0.5, 0.6), Ends(0.2, 0.3)
    assert order(deviation("a", small, subject="x"), deviation("b", large, subject="x")) == ["b"]


def test_where_images_were_drawn_in_rounds_more_is_asked_of_a_finding() -> None:
    """Each of six looks might have been the last: p-values must be six times as small."""
    found = [deviation("one", Ends(0.1, 0.2, p=0.009)), deviation("other", Ends(0.1, 0.2, p=0.5))]
    once, in_rounds = select(found), select(found, 6)
    assert once.is_sure(found[0])
    assert not in_rounds.is_sure(found[0])
    assert (len(once.found), len(in_rounds.found)) == (1, 0)
    assert 1 - in_rounds.together == pytest.approx((1 - once.together) / 6)
