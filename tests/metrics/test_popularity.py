from __future__ import annotations

import math

import pytest

from portrayal.metrics import popularity


def test_popularity_by_hand() -> None:
    assert float(popularity(math.e - 1, 0)) == pytest.approx(0.6)
    assert float(popularity(0, math.e - 1)) == pytest.approx(0.4)
    assert float(popularity(99, 9, a_likes=1, a_downloads=2)) == pytest.approx(2 * math.log(10) + 2 * math.log(10))


def test_what_is_not_known_has_no_popularity() -> None:
    found = popularity([10, math.nan, 3], [5, 5, math.nan])
    assert not math.isnan(found[0])
    assert [math.isnan(value) for value in found[1:]] == [True, True]


def test_nobody_is_liked_less_than_not_at_all() -> None:
    with pytest.raises(ValueError, match="from 0 on"):
        popularity(-1, 5)
