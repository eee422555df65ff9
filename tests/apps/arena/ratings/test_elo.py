"""Elo is Algorithm 1, to the ninth decimal, whatever the votes look like."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import evalica
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.arena.ratings import Votes, elo
from portrayal.apps.arena.ratings.elo import elo_in_random_orders
from portrayal.errors import ConfigError, InputError

MODELS = st.sampled_from("abcde")
BATTLES = st.lists(st.tuples(MODELS, MODELS, st.sampled_from([0, 1, 2, 3])), max_size=200)


def algorithm_1(
    votes: Iterable[tuple[str, str, int]], k: float = 4, scale: float = 400, base: float = 10, initial: float = 1000
) -> dict[str, float]:
    """The algorithm as it is printed, line by line."""
    ratings: dict[str, float] = {}
    for model_a, model_b, vote in votes:
        rating_a = ratings.setdefault(model_a, initial)
        rating_b = ratings.setdefault(model_b, initial)
        expected_a = 1 / (1 + base ** ((rating_b - rating_a) / scale))
        expected_b = 1 / (1 + base ** ((rating_a - rating_b) / scale))
        score_a = 1.0 if vote == 0 else 0.0 if vote == 1 else 0.5
        ratings[model_a] += k * (score_a - expected_a)
        ratings[model_b] += k * ((1 - score_a) - expected_b)
    return ratings


@given(BATTLES, st.floats(0, 100), st.floats(50, 1000), st.floats(1.5, 20), st.floats(-500, 2000))
def test_it_is_a_plain_loop_of_the_algorithm(
    battles: list[tuple[str, str, int]], k: float, scale: float, base: float, initial: float
) -> None:
    found = elo(battles, k=k, scale=scale, base=base, initial=initial)
    expected = algorithm_1(battles, k, scale, base, initial)
    assert found.keys() == expected.keys()
    assert all(math.isclose(found[name], expected[name], abs_tol=1e-9, rel_tol=0) for name in expected)


def test_many_votes_do_not_drift_apart() -> None:
    rng = np.random.default_rng(0)
    pairs = rng.integers(8, size=(50_000, 2))
    battles = [(f"m{a}", f"m{b}", int(vote)) for (a, b), vote in zip(pairs, rng.integers(4, size=50_000), strict=True)]
    found, expected = elo(battles), algorithm_1(battles)
    assert max(abs(found[name] - expected[name]) for name in expected) < 1e-9


@given(BATTLES.filter(lambda battles: all(a != b for a, b, _ in battles) and bool(battles)))
def test_evalica_says_the_same(battles: list[tuple[str, str, int]]) -> None:
    winner = {0: evalica.Winner.X, 1: evalica.Winner.Y}
    left, right, votes = zip(*battles, strict=True)
    other = evalica.elo(left, right, [winner.get(vote, evalica.Winner.Draw) for vote in votes]).scores.to_dict()
    found = elo(battles)
    assert found == pytest.approx(other, abs=1e-9)


def test_by_hand() -> None:
    # Second battle: x expects 1 / (1 + 10^(-4 / 400)) = 0.50576 and loses.
    found = elo([("x", "y", 0), ("x", "y", 1)])
    expected = 1002 - 4 / (1 + 10 ** (-4 / 400))
    assert found == pytest.approx({"x": expected, "y": 2000 - expected}, abs=1e-12)


class Tuple(NamedTuple):
    row: int
    model_a: str
    model_b: str
    vote: Any


@dataclass
class Thing:
    model_a: str
    model_b: str
    vote: Any


ROWS = [("x", "y", 0), ("y", "x", 1), ("x", "z", 2)]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        [(*row, "bias", "rater 1") for row in ROWS],
        [list(row) for row in ROWS],
        iter(ROWS),
        [{"model_a": a, "model_b": b, "vote": vote, "more": 1} for a, b, vote in ROWS],
        [Thing(*row) for row in ROWS],
        [Tuple(7, *row) for row in ROWS],
        Votes.of(ROWS),
        [("x", "y", np.int64(0)), ("y", "x", np.float32(1)), ("x", "z", 0.5)],
        [("x", "y", False), ("y", "x", True), ("x", "z", np.int8(3))],
        [("x", "y", "0"), ("y", "x", " 1.0"), ("x", "z", "Tie")],
        [("x", "y", "0.0"), ("x", "y", None), ("y", "x", "1"), ("x", "q", ""), ("x", "z", -1), ("q", "z", "skip")],
    ],
)
def test_rows_of_any_shape(rows: Any) -> None:
    assert elo(rows) == pytest.approx(algorithm_1(ROWS), abs=1e-12)


@pytest.mark.parametrize("vote", [4, -2, "left", "a", 0.25, math.nan, [0], b"0", "nan"])
def test_an_unknown_vote_is_an_error_with_its_row(vote: object) -> None:
    with pytest.raises(InputError, match=r"^row 3: unknown vote"):
        elo([("x", "y", 0), ("x", "y", None), ("x", "y", vote)])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("x", "", 0), "row 2: model_b must be the name of a model, got ''"),
        ((None, "y", 0), "row 2: model_a must be the name of a model, got None"),
        (("x", "y"), "row 2: ('x', 'y') is no vote"),
        ("xyz", "row 2: 'xyz' is no vote"),
        ({"model_a": "x", "vote": 0}, "row 2: 'model_b' is missing"),
    ],
)
def test_what_is_no_vote_is_an_error_with_its_row(row: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        elo([("x", "y", 0), row])
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("options", [{"scale": 0}, {"base": 1}, {"k": -1}, {"k": math.nan}, {"initial": math.inf}])
def test_impossible_options(options: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="Elo needs"):
        elo(ROWS, **options)


def test_nothing_gives_nothing_and_one_model_keeps_its_rating() -> None:
    assert elo([]) == {}
    assert elo([("x", "x", 0), ("x", "x", 1)], initial=1500) == {"x": 1500.0}


def test_great_steps_do_not_overflow() -> None:
    found = elo([("x", "y", 0), ("x", "y", 1)] * 5, k=1e7)
    assert all(math.isfinite(value) for value in found.values())


def test_orders_hold_the_sum_and_differ() -> None:
    rng = np.random.default_rng(1)
    votes = Votes.of([("x", "y", int(vote)) for vote in rng.integers(2, size=60)] + [("y", "z", 0)] * 40)
    drawn = elo_in_random_orders(votes, 20, rng)
    assert drawn.shape == (20, 3)
    assert drawn.sum(axis=1) == pytest.approx(3000)
    assert len(np.unique(drawn[:, 0].round(9))) > 10
