"""The whole leaderboard: what is in it, what it says about its own limits, and that it is the same each time."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from portrayal.apps.arena.ratings import RateOptions, Votes, bradley_terry, elo, rate_votes
from portrayal.errors import ConfigError, InputError

COLUMNS = ("aspect", "rater", "language", "prompt")
FIELDS = {
    "model", "elo", "elo_mean", "elo_low", "elo_high", "bradley_terry", "low", "high", "rank", "rank_low", "rank_high",
    "battles", "wins", "losses", "draws", "note", "notes", "component",
}  # fmt: skip


def cast(count: int = 600, raters: int = 12, seed: int = 0) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        a, b = (int(model) for model in rng.choice(4, 2, replace=False))
        chance = 1 / (1 + np.exp((a - b) * 0.5))
        vote = "draw" if rng.random() < 0.15 else "skip" if rng.random() < 0.05 else str(int(rng.random() > chance))
        rows.append({"model_a": f"m{a}", "model_b": f"m{b}", "vote": vote, "rater": f"r{number % raters}",
                     "aspect": ("bias", "quality")[number % 2], "language": ("en", "de")[number // 2 % 2],
                     "prompt": f"p{number % 20}"})  # fmt: skip
    return rows


def rated(rows: list[dict[str, Any]], **options: Any) -> dict[str, Any]:
    return rate_votes(
        Votes.of(rows, COLUMNS), RateOptions(draws=200, **options), rng=np.random.default_rng(0)
    ).as_json()


def test_every_aspect_is_rated_apart_and_adds_up() -> None:
    rows = cast()
    found = rated(rows)
    json.dumps(found, allow_nan=False)
    assert {row["aspect"] for row in found["ratings"]} == {"bias", "quality"}
    for aspect in ("bias", "quality"):
        own = [row for row in rows if row["aspect"] == aspect]
        ratings = [row for row in found["ratings"] if row["aspect"] == aspect]
        assert set(ratings[0]) == FIELDS | {"aspect"}
        assert {row["model"]: row["elo"] for row in ratings} == pytest.approx(elo(own))
        assert {row["model"]: row["bradley_terry"] for row in ratings} == pytest.approx(bradley_terry(own))
        assert sum(row["battles"] for row in ratings) == 2 * sum(row["vote"] != "skip" for row in own)
        for row in ratings:
            assert row["low"] < row["bradley_terry"] < row["high"]
            assert row["elo_low"] <= row["elo_mean"] <= row["elo_high"]
            assert row["rank_low"] <= row["rank"] <= row["rank_high"]
            assert row["battles"] == row["wins"] + row["losses"] + row["draws"]
        assert [row["rank"] for row in ratings] == [1, 2, 3, 4]
    assert found["skipped"] == sum(row["vote"] == "skip" for row in rows)
    assert found["votes"] + found["skipped"] == len(rows)
    assert len(found["neighbours"]) == 6
    assert found["parameters"]["orders"] == 100


def test_the_same_numbers_whatever_else_is_asked_for() -> None:
    rows = cast()
    whole, one, again = rated(rows), rated(rows, aspects=["quality"]), rated(rows, aspects=["quality"])
    assert one == again
    assert one["ratings"] == [row for row in whole["ratings"] if row["aspect"] == "quality"]


def test_groups() -> None:
    found = rated(cast(), by=["language"], aspects=["bias"])
    assert {(row["aspect"], row["language"]) for row in found["ratings"]} == {("bias", "en"), ("bias", "de")}
    assert len(found["sections"]) == len(found["agreement"]) == 2
    assert rated(cast(), by=["aspect"])["ratings"] == rated(cast())["ratings"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"aspects": ["biass"]}, "no vote is about the aspect 'biass'; did you mean 'bias'?"),
        ({"by": ["langage"]}, "the votes have no column 'langage'; did you mean 'language'?"),
    ],
)
def test_what_is_not_there(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        rated(cast(20), **options)
    assert str(caught.value) == said


def test_a_column_with_a_name_of_the_results_cannot_divide() -> None:
    rows = [{**row, "model": "x"} for row in cast(20)]
    with pytest.raises(InputError, match="cannot rate by the column 'model'"):
        rate_votes(Votes.of(rows, ("model",)), RateOptions(by=["model"]), rng=np.random.default_rng(0))


def notes(rows: list[Any], columns: tuple[str, ...] = ()) -> dict[str, list[str]]:
    found = rate_votes(
        Votes.of(rows, columns), RateOptions(draws=200, orders=2), rng=np.random.default_rng(0)
    ).as_json()
    json.dumps(found, allow_nan=False)
    return {row["model"]: row["notes"] for row in found["ratings"]}


def test_notes() -> None:
    mixed = [("x", "y", 0), ("x", "y", 1)] * 10
    assert notes(mixed) == {"x": [], "y": []}
    assert notes([("x", "y", 0)]) == {"x": ["one_sided"], "y": ["one_sided"]}
    assert notes([("x", "y", 2)]) == {"x": ["only_draws"], "y": ["only_draws"]}
    assert notes([("x", "x", 0)]) == {"x": ["alone"]}
    assert notes([*mixed, ("u", "v", 0)])["u"] == ["apart", "one_sided"]
    few = [{"model_a": "x", "model_b": "y", "vote": v, "rater": r} for r in "12345" for v in (0, 1, 1)]
    assert notes(few, ("rater",)) == {"x": ["few_raters"], "y": ["few_raters"]}
    assert notes([row for row in few if row["rater"] == "1"], ("rater",))["x"] == ["one_rater"]
    undecided = [{**row, "vote": v} for row in few for v in (0, 1)]
    assert notes(undecided, ("rater",)) == {"x": ["few_raters"], "y": ["few_raters"]}


@pytest.mark.slow
def test_an_interval_holds_its_estimate() -> None:
    random = np.random.default_rng([9, 1201])
    strength = random.normal(0, 2, 5)
    for _ in range(60):
        pairs = random.integers(5, size=(30, 2))
        said = random.random(30) > 1 / (1 + np.exp(strength[pairs[:, 1]] - strength[pairs[:, 0]]))
        rows = [
            {"model_a": f"m{a}", "model_b": f"m{b}", "vote": 2 if n % 3 else int(vote), "rater": str(n % 2)}
            for n, ((a, b), vote) in enumerate(zip(pairs, said, strict=True))
        ]
        votes = Votes.of(rows, ("rater",))
        scores = {"auto": {f"m{n}": float(n) for n in range(5)}}
        options = RateOptions("davidson", 100, 2, scores=scores)
        (section,) = rate_votes(votes, options, rng=np.random.default_rng(0)).sections
        assert all(row.low <= row.bradley_terry <= row.high for row in section.ratings)
        for found in section.correlations:
            assert (found.kendall_low or 0) <= (found.kendall or 0) <= (found.kendall_high or 0)


@pytest.mark.parametrize("options", [{"draws": 0}, {"orders": 0}])
def test_nothing_to_draw(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="ratings need draws >= 1 and orders >= 1"):
        RateOptions(**options)


def test_without_votes_there_is_nothing_and_no_error() -> None:
    for rows in ([], [("x", "y", None)]):
        found = rate_votes(Votes.of(rows), rng=np.random.default_rng(0)).as_json()
        assert found["ratings"] == []
        assert found["skipped"] == len(rows)


def test_so_many_votes_get_fewer_orders() -> None:
    assert [RateOptions().orders_of(votes) for votes in (10, 100_000, 1_000_000, 100_000_000)] == [100, 100, 10, 5]
    assert RateOptions(orders=3).orders_of(10) == 3
