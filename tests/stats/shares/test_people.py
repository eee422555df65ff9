"""Several people of a picture count for fewer than as many pictures."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.shares.cells import PromptShares, share_intervals
from portrayal.stats.shares.people import PeopleCounts, independent_people


def counted(people: np.ndarray, women: np.ndarray) -> tuple[np.ndarray, PeopleCounts]:
    """Return the share of women and the sums over pictures, for one prompt."""
    sums = (float((women**2).sum()), float((women * people).sum()))
    counts = PeopleCounts(
        np.array([float(people.sum())]), np.array([float(len(people))]), np.array([float((people**2).sum())]),
        np.array([[sums[0]]]), np.array([[sums[1]]]),
    )  # fmt: skip
    return np.array([[women.sum() / people.sum()]]), counts


@pytest.mark.parametrize("alike", [0.3, 0.7, 1.0])
@pytest.mark.parametrize("pictures", [5, 10, 24])
@pytest.mark.parametrize("share", [0.5, 0.8])
def test_intervals_of_people_keep_their_promise(alike: float, pictures: int, share: float) -> None:
    """Coverage was 62 to 88 %. 300 studies of groups of one to six people."""
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(300):
        people = rng.integers(1, 7, pictures)
        size = 1 / alike - 1
        own = rng.beta(share * size, (1 - share) * size, pictures) if size else rng.random(pictures) < share
        shares, counts = counted(people, rng.binomial(people, own))
        cell = PromptShares.of(shares, counts.people, independent=independent_people(shares, counts))
        low, high = share_intervals(cell)
        held += bool(low[0] <= share <= high[0])
    assert held >= 276


def test_people_who_are_all_alike_are_one() -> None:
    shares, counts = counted(np.full(20, 4), np.array([4, 0] * 10))
    assert independent_people(shares, counts)[0, 0] == pytest.approx(20.0)


def test_people_of_one_group_everywhere_count_by_picture() -> None:
    shares, counts = counted(np.full(12, 3), np.full(12, 3))
    assert independent_people(shares, counts)[0, 0] == pytest.approx(12.0)


def test_people_count_for_no_more_than_they_are() -> None:
    """One man and one woman in each picture: their share is known, but not better than of as many people apart."""
    shares, counts = counted(np.full(200, 2), np.full(200, 1))
    assert 350 < independent_people(shares, counts)[0, 0] <= 400


def test_one_person_a_picture_is_a_picture() -> None:
    shares, counts = counted(np.ones(30, dtype=int), np.array([1, 0, 0] * 10))
    assert independent_people(shares, counts)[0, 0] == pytest.approx(30.0)
