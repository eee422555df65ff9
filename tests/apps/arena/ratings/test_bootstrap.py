"""Intervals: whole raters are drawn, the exact small cases are exact, and nothing is certain that was not tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from portrayal.apps.arena.ratings import Votes
from portrayal.apps.arena.ratings.bootstrap import ResampledStrengths, rater_codes, resample_strengths
from portrayal.apps.arena.ratings.bradley_terry import Ties, strengths
from portrayal.apps.arena.ratings.win_counts import count_wins

COLUMNS = ("rater",)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn_of(votes: Votes, draws: int = 4000, ties: Ties = "half") -> ResampledStrengths:
    return resample_strengths(votes, strengths(count_wins(votes), ties), ties, draws, rng())


def by_raters(votes: list[tuple[str, list[int]]]) -> Votes:
    """Votes of x against y: who, and what they said."""
    rows = [
        {"model_a": "x", "model_b": "y", "vote": said, "rater": who} for who, all_said in votes for said in all_said
    ]
    return Votes.of(rows, COLUMNS)


def test_votes_without_raters_vary_like_a_binomial() -> None:
    found = drawn_of(Votes.of([("x", "y", 0)] * 300 + [("x", "y", 1)] * 100))
    gap = found.strength[:, 0] - found.strength[:, 1]
    assert np.std(gap) == pytest.approx(np.sqrt(1 / 300 + 1 / 100), rel=0.05)
    assert gap.mean() == pytest.approx(np.log(3), abs=0.02)
    assert (found.clusters.tolist(), found.by_rater.tolist()) == ([400, 400], [False, False])


def test_raters_who_always_say_the_same_count_once_each() -> None:
    alike = by_raters([(f"r{n}", [0] * 20 if n % 4 else [1] * 20) for n in range(40)])
    found = drawn_of(alike)
    assert found.by_rater.all()
    assert found.clusters.tolist() == [40, 40]
    # 30 raters against 10, not 600 votes against 200.
    gap = found.strength[:, 0] - found.strength[:, 1]
    assert np.std(gap) == pytest.approx(np.sqrt(1 / 30 + 1 / 10), rel=0.1)


def test_the_sparse_sum_is_the_plain_one() -> None:
    random = rng(5)
    votes = by_raters([(f"r{n}", random.integers(3, size=random.integers(1, 9)).tolist()) for n in range(12)])
    found = resample_strengths(votes, strengths(count_wins(votes)), "half", 3, rng(9))
    picks = rng(9).integers(12, size=(12, 3))
    codes = rater_codes(votes)
    assert codes is not None
    for draw in range(3):
        rows = np.concatenate([np.flatnonzero(codes == who) for who in picks[:, draw]])
        expected = strengths(count_wins(votes.take(rows))).strength
        assert found.strength[draw] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("wins", [1, 3, 10, 100])
def test_a_pair_that_only_one_won_has_the_bound_of_clopper_and_pearson(wins: int) -> None:
    found = drawn_of(Votes.of([("x", "y", 0)] * wins), 20_000)
    share = 1 / (1 + np.exp(found.strength[:, 1] - found.strength[:, 0]))
    assert np.quantile(share, 0.025) == pytest.approx(beta.ppf(0.025, wins, 1), abs=0.012)


def test_raters_who_all_agree_give_the_bound_for_raters() -> None:
    found = drawn_of(by_raters([(f"r{n}", [0] * 10) for n in range(5)]), 20_000)
    share = 1 / (1 + np.exp(found.strength[:, 1] - found.strength[:, 0]))
    assert np.quantile(share, 0.025) == pytest.approx(beta.ppf(0.025, 5, 1), abs=0.012)


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_only_draws_are_not_certain_to_be_equal(ties: Any) -> None:
    few, many = (drawn_of(Votes.of([("x", "y", 2)] * count), 2000, ties).strength[:, 0] for count in (3, 300))
    # As half wins draws say that two models are alike; as an outcome of their own they say nothing about that.
    assert many.std() > 0.5 if ties == "davidson" else 0 < many.std() < few.std() / 3
    assert abs(np.median(few)) < 0.1


def test_a_draw_that_loses_a_link_stays_finite() -> None:
    votes = Votes.of([("x", "y", 0)] * 30 + [("x", "y", 1)])
    found = drawn_of(votes)
    assert np.isfinite(found.strength).all()
    assert np.abs(found.strength.mean(axis=1)).max() < 1e-9


def test_one_rater_is_resampled_by_vote() -> None:
    found = drawn_of(by_raters([("r", [0, 0, 0, 1] * 20)]), 500)
    assert (found.by_rater.tolist(), found.clusters.tolist()) == ([False, False], [80, 80])
    assert found.strength[:, 0].std() > 0.05


def test_raters_who_are_all_undecided_are_resampled_by_vote() -> None:
    found = drawn_of(by_raters([("r1", [0, 1]), ("r2", [0, 1, 2]), ("r3", [2, 2])]), 500)
    assert (found.by_rater.tolist(), found.clusters.tolist(), found.raters.tolist()) == ([False] * 2, [7] * 2, [3] * 2)
    assert found.strength[:, 0].std() > 0.1


def test_who_left_no_name_is_a_rater_of_one_vote() -> None:
    codes = rater_codes(by_raters([("", [0, 1, 0]), ("r", [1, 1])]))
    assert codes is not None
    assert len(np.unique(codes)) == 4
    assert rater_codes(Votes.of([("x", "y", 0)])) is None


def test_components_are_drawn_apart() -> None:
    rows = [{"model_a": a, "model_b": b, "vote": v, "rater": r} for a, b, r in (("a", "b", "1"), ("u", "v", "2"))
            for v in (0, 0, 1)]  # fmt: skip
    found = drawn_of(Votes.of([*rows, {"model_a": "k", "model_b": "k", "vote": 0, "rater": "3"}], COLUMNS), 200)
    models = dict(zip(("a", "u", "k", "b", "v"), found.clusters.tolist(), strict=True))
    assert models == {"a": 3, "b": 3, "u": 3, "v": 3, "k": 0}
    assert not found.strength[:, 2].any()
