from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.stats.annotation.misreading import Misreading
from portrayal.stats.intervals import Array

THREE = [[40, 8, 2], [5, 40, 5], [1, 9, 40]]
counts = st.integers(0, 60)


@pytest.mark.parametrize(
    ("matrix", "seen", "golden"),
    [
        # By QuaPy 0.1.9, functional.solve_adjustment(method="inversion", solver="exact").
        ([[40, 10], [5, 45]], [0.4, 0.6], [3 / 7, 4 / 7]),
        (THREE, [0.3, 0.4, 0.3], [0.3215169, 0.36521022, 0.31327288]),
        (THREE, [0.05, 0.25, 0.7], [0.02679308, 0.11376752, 0.85943941]),
    ],
)
def test_the_same_shares_as_quapy(matrix: list[list[float]], seen: list[float], golden: list[float]) -> None:
    assert Misreading(matrix).shares(seen) == pytest.approx(golden, abs=1e-8)


def test_the_correction_undoes_the_misreading() -> None:
    rates = np.array(THREE) / 50
    for shares in ([0.2, 0.3, 0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]):
        assert Misreading(THREE).shares(np.array(shares) @ rates) == pytest.approx(shares, abs=1e-8)


def test_shares_that_nobody_would_see_so_become_the_nearest_there_are() -> None:
    shares = Misreading(THREE).shares([0.02, 0.1, 0.88])
    rates = np.array(THREE) / 50
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1)
    best = np.abs(np.array([0.0, 0.0, 1.0]) @ rates - [0.02, 0.1, 0.88])
    assert np.square(shares @ rates - [0.02, 0.1, 0.88]).sum() <= np.square(best).sum() + 1e-9


def posterior(labels: Array, seen: Array) -> Array:
    """The model of QuaPy's BayesianCC for two groups, on a grid: even priors, all that is counted is multinomial."""
    share, taken, lost = np.meshgrid(*[(np.arange(n) + 0.5) / n for n in (200, 120, 120)], indexing="ij")
    read = share * (1 - lost) + (1 - share) * taken
    logs = seen[1] * np.log(read) + seen[0] * np.log(1 - read)
    logs += labels[0, 1] * np.log(taken) + labels[0, 0] * np.log(1 - taken)
    logs += labels[1, 0] * np.log(lost) + labels[1, 1] * np.log(1 - lost)
    mass = np.exp(logs - logs.max()).sum(axis=(1, 2))
    return np.asarray(mass / mass.sum())


@pytest.mark.slow
def test_the_interval_is_near_that_of_the_bayesian_model() -> None:
    labels, seen = np.array([[40.0, 10.0], [5.0, 45.0]]), np.array([240.0, 360.0])
    mass = posterior(labels, seen)
    points = (np.arange(200) + 0.5) / 200
    low, high = np.interp([0.025, 0.975], mass.cumsum(), points)
    found = Misreading(labels.tolist()).corrected(seen / 600, 600)
    assert found.shares[1] == pytest.approx(float(mass @ points), abs=0.02)
    assert (found.low[1], found.high[1]) == pytest.approx((low, high), abs=0.02)


def test_few_labels_make_the_interval_wide() -> None:
    few, many = ([[8 * k, 2 * k], [k, 9 * k]] for k in (1, 100))
    wide, narrow = (Misreading(matrix).corrected([0.5, 0.5], 1000) for matrix in (few, many))
    assert wide.high[0] - wide.low[0] > 3 * (narrow.high[0] - narrow.low[0])


def test_many_images_do_not_make_up_for_few_labels() -> None:
    one, other = (Misreading([[8, 2], [1, 9]]).corrected([0.5, 0.5], worth) for worth in (1e3, 1e6))
    assert other.high[0] - other.low[0] > 0.9 * (one.high[0] - one.low[0])


def test_a_share_of_0_stays_possible() -> None:
    found = Misreading([[45, 5], [10, 40]]).corrected([0.9, 0.1], 500)
    assert (found.low[1], found.shares[1]) == pytest.approx((0, 0), abs=1e-9)
    assert found.low[0] < 1 == found.high[0]


def test_an_annotator_that_guesses_cannot_be_corrected() -> None:
    guess = Misreading([[25, 25], [25, 25]])
    assert not guess.can_correct
    found = guess.corrected([0.5, 0.5], 100)
    assert np.isnan(found.shares).all()
    assert (found.low.tolist(), found.high.tolist()) == ([0, 0], [1, 1])


def test_a_group_that_nobody_labelled_is_taken_as_read_and_leaves_much_open() -> None:
    found = Misreading([[50, 0], [0, 0]]).corrected([0.5, 0.5], 1000)
    assert found.shares.tolist() == [0.5, 0.5]
    assert found.high[1] - found.low[1] > 0.4


def test_no_images_leave_everything_open() -> None:
    assert np.isnan(Misreading(THREE).corrected([0.3, 0.4, 0.3], 0).shares).all()


def test_the_same_counts_give_the_same_interval() -> None:
    one, other = (Misreading(THREE, seed=4).corrected([0.3, 0.4, 0.3], 300) for _ in range(2))
    assert one.low.tolist() == other.low.tolist()
    assert one.low.tolist() != Misreading(THREE, seed=5).corrected([0.3, 0.4, 0.3], 300).low.tolist()


@given(matrix=st.lists(st.lists(counts, min_size=3, max_size=3), min_size=3, max_size=3), seen=st.tuples(*[counts] * 3))
def test_bounds_hold_the_share_and_stay_between_0_and_1(matrix: list[list[int]], seen: tuple[int, ...]) -> None:
    total = sum(seen)
    read = np.array(seen) / total if total else np.full(3, 1 / 3)
    found = Misreading(matrix).corrected(read, float(total))
    assert (found.low >= 0).all()
    assert (found.high <= 1).all()
    known = ~np.isnan(found.shares)
    assert ((found.low <= found.shares) & (found.shares <= found.high))[known].all()
    assert not known.any() or found.shares.sum() == pytest.approx(1)


def test_a_difference_turned_round_is_the_same_the_other_way() -> None:
    matrix = Misreading([[98, 2], [20, 80]], seed=3)
    one, other = ([0.5, 0.5], 200.0), ([0.7, 0.3], 200.0)
    there, back = matrix.difference(one, other), matrix.difference(other, one)
    assert there.shares == pytest.approx(-back.shares)
    assert there.low == pytest.approx(-back.high, abs=0.02)
    assert there.shares == pytest.approx(matrix.shares(one[0]) - matrix.shares(other[0]))


def test_a_difference_beside_an_end_is_not_drawn_to_nothing() -> None:
    """A share that seems below 0 counts as 0 by itself, but not in a difference, whose mean it would shrink."""
    matrix = Misreading([[90, 10], [10, 90]])
    found = matrix.difference(([0.95, 0.05], 100.0), ([0.5, 0.5], 100.0))
    assert found.shares[1] == pytest.approx(-0.5625)
    assert matrix.shares([0.95, 0.05])[1] - 0.5 == pytest.approx(-0.5)


def test_groups_that_are_read_alike_leave_a_difference_unknown() -> None:
    found = Misreading([[50, 50], [50, 50]]).difference(([0.5, 0.5], 100.0), ([0.4, 0.6], 100.0))
    assert np.isnan(found.shares).all()
    assert (found.low.tolist(), found.high.tolist()) == ([-1.0, -1.0], [1.0, 1.0])
