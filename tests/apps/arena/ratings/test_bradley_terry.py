"""Bradley-Terry and Davidson: hand-computed cases, another library, and the slope at the top."""

from __future__ import annotations

import math
from typing import Any, cast

import evalica
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from portrayal.apps.arena.ratings import Votes, bradley_terry, bradley_terry_fit, elo
from portrayal.apps.arena.ratings.bradley_terry import strengths
from portrayal.apps.arena.ratings.bradley_terry_fit import fit_strengths, strongly_connected
from portrayal.apps.arena.ratings.win_counts import WinCounts, count_wins, find_components
from portrayal.errors import ConfigError

POINTS = 400 / math.log(10)


def rating(odds: float) -> dict[str, float]:
    half = POINTS * math.log(odds) / 2
    return {"x": 1000 + half, "y": 1000 - half}


def test_two_models_have_the_odds_of_their_wins() -> None:
    votes = [("x", "y", 0)] * 6 + [("y", "x", 0)] * 2
    assert bradley_terry(votes) == pytest.approx(rating(3), abs=1e-8)
    assert bradley_terry([*votes, ("x", "y", 2), ("y", "x", "draw")]) == pytest.approx(rating(7 / 3), abs=1e-8)


def test_davidson_with_two_models_leaves_draws_out_of_the_odds() -> None:
    # Its likelihood factors: wins have odds pi_x / pi_y whatever nu is.
    votes = [("x", "y", 0)] * 6 + [("y", "x", 0)] * 2 + [("x", "y", 2)] * 5
    assert bradley_terry(votes, ties="davidson") == pytest.approx(rating(3), abs=1e-8)
    assert bradley_terry([vote for vote in votes if vote[2] != 2], ties="davidson") == pytest.approx(
        rating(3), abs=1e-8
    )


def test_three_models_by_hand() -> None:
    # x : y = 2 : 1 and y : z = 3 : 1, and x : z = 6 : 1 fits both exactly.
    votes = (
        [("x", "y", 0)] * 2
        + [("x", "y", 1)]
        + [("y", "z", 0)] * 3
        + [("y", "z", 1)]
        + [("x", "z", 0)] * 6
        + [("x", "z", 1)]
    )
    found = bradley_terry(votes)
    assert (found["x"] - found["y"], found["y"] - found["z"]) == pytest.approx(
        (POINTS * math.log(2), POINTS * math.log(3))
    )
    assert sum(found.values()) == pytest.approx(3000)


def random_votes(seed: int, models: int, votes: int) -> list[tuple[str, str, int]]:
    rng = np.random.default_rng(seed)
    first = rng.integers(models, size=votes)
    second = (first + rng.integers(1, models, size=votes)) % models
    return [(f"m{a}", f"m{b}", int(v)) for a, b, v in zip(first, second, rng.integers(3, size=votes), strict=True)]


@pytest.mark.parametrize("seed", range(5))
def test_evalica_says_the_same_of_connected_votes(seed: int) -> None:
    votes = random_votes(seed, 6, 400)
    left, right, outcome = zip(*votes, strict=True)
    winners = [(evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)[vote] for vote in outcome]
    other = evalica.bradley_terry(left, right, winners, tolerance=1e-12, limit=100_000).scores
    logs = {name: math.log(score) for name, score in other.to_dict().items()}
    middle = sum(logs.values()) / len(logs)
    assert bradley_terry(votes) == pytest.approx({n: 1000 + POINTS * (v - middle) for n, v in logs.items()}, abs=1e-4)


WINS = st.integers(2, 6).flatmap(lambda m: arrays(np.int64, (2, m, m), elements=st.integers(0, 30)))


@pytest.mark.slow
@settings(max_examples=150)
@given(WINS)
def test_at_the_top_the_likelihood_is_flat(counts: Any) -> None:
    wins = counts[0] * (1.0 - np.eye(len(counts[0])))
    ties = np.triu(counts[1], 1) * 1.0
    found = WinCounts(wins, ties + ties.T)
    assume(bool(strongly_connected(wins)))
    theta = fit_strengths(WinCounts(found.wins[None], found.ties[None]))[0]
    assert theta.sum() == pytest.approx(0, abs=1e-9)
    ahead = theta[:, None] - theta[None, :]
    drawn = found.ties.sum() / 2
    if not drawn:
        slope = (wins - (wins + wins.T) / (1 + np.exp(-ahead))).sum(axis=1)
        assert np.abs(slope).max() < 1e-6
        return

    def likelihood(point: Any) -> float:
        d, nu = point[:-1, None] - point[None, :-1], math.exp(point[-1])
        total = np.exp(d / 2) + np.exp(-d / 2) + nu
        return float((wins * (d / 2 - np.log(total))).sum() + (found.ties * (point[-1] - np.log(total))).sum() / 2)

    log_nu = _best(lambda value: likelihood(np.append(theta, value)))
    top = np.append(theta, log_nu)
    for place in range(len(top)):
        step = np.zeros(len(top))
        step[place] = 1e-3
        assert likelihood(top) >= max(likelihood(top + step), likelihood(top - step)) - 1e-9


def _best(value: Any) -> float:
    from scipy.optimize import minimize_scalar

    return float(minimize_scalar(lambda x: -value(x), bounds=(-12, 12), method="bounded", options={"xatol": 1e-10}).x)


@pytest.mark.slow
def test_elo_converges_to_it() -> None:
    rng = np.random.default_rng(3)
    votes = [("x", "y", 0)] * 3 + [("x", "y", 1)] + [("y", "z", 0)] * 2 + [("y", "z", 1)] + [("x", "z", 2)]
    many = [votes[place] for place in rng.integers(len(votes), size=400_000)]
    assert elo(many, k=0.2) == pytest.approx(bradley_terry(votes), abs=10)


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_a_model_that_only_won_stays_finite(ties: Any) -> None:
    found = strengths(count_wins(Votes.of([("x", "y", 0)] * 3)), ties)
    assert found.separated.all()
    # 3 wins and half a virtual draw: odds of 3.25 to 0.25.
    assert found.rating[0] == pytest.approx(rating(13)["x"], abs=1e-8)
    assert math.isfinite(bradley_terry([("x", "y", 0)] * 1_000)["x"])


def test_davidson_needs_losses_not_only_draws() -> None:
    votes = Votes.of([("x", "y", 0), ("x", "y", 2)])
    assert strengths(count_wins(votes), "davidson").separated.all()
    assert not strengths(count_wins(votes), "half").separated.any()


def test_components_are_rated_apart() -> None:
    votes = [("a", "b", 0), ("a", "b", 0), ("a", "b", 1), ("u", "v", 0), ("v", "u", 0), ("k", "k", 0)]
    found = strengths(count_wins(Votes.of(votes)))
    component = dict(zip(Votes.of(votes).models, found.component.tolist(), strict=True))
    assert component["a"] == component["b"] != component["u"] == component["v"]
    assert len(set(component.values())) == 3
    half = POINTS * math.log(2) / 2
    assert bradley_terry(votes) == pytest.approx({"a": 1000 + half, "b": 1000 - half, "u": 1000, "v": 1000, "k": 1000})


def test_one_model_nothing_and_an_unknown_way() -> None:
    assert bradley_terry([("x", "x", 1)]) == {"x": 1000.0}
    assert bradley_terry([]) == {}
    with pytest.raises(ConfigError, match="'half' or 'davidson'"):
        strengths(count_wins(Votes.of([("x", "y", 0)])), cast(Any, "thirds"))


def test_great_differences_converge() -> None:
    wins = np.zeros((1, 8, 8))
    for place in range(7):
        wins[0, place, place + 1], wins[0, place + 1, place] = 1_000_000, 1
    found = fit_strengths(WinCounts(wins, np.zeros_like(wins)))[0]
    assert np.diff(found) == pytest.approx(np.full(7, -math.log(1_000_000)))


def test_linked_and_strong_components_agree() -> None:
    rng = np.random.default_rng(0)
    edges = (rng.random((200, 7, 7)) < 0.25).astype(float)
    assert strongly_connected(edges).tolist() == [find_components(graph, strong=True)[0] == 1 for graph in edges]


@pytest.mark.parametrize("drawn", [False, True])
def test_newtons_steps_have_the_right_length(drawn: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong second derivative would still arrive, but slowly: right ones double the digits at each step."""
    rng = np.random.default_rng(1)
    wins = rng.integers(1, 60, size=(50, 6, 6)) * (1.0 - np.eye(6))
    ties = np.triu(rng.integers(0, 40, size=(50, 6, 6)), 1).astype(float) * drawn
    found = WinCounts(wins, ties + np.swapaxes(ties, 1, 2))
    exact = fit_strengths(found)
    monkeypatch.setattr(bradley_terry_fit, "LIMIT", 7)
    assert np.abs(fit_strengths(found) - exact).max() < 1e-9
