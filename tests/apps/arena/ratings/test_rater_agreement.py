"""RaterAgreement between raters: alpha by its definition, whoever stood left and whichever model is named first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from portrayal.apps.arena.ratings import Votes
from portrayal.apps.arena.ratings.rater_agreement import rater_agreement

COLUMNS = ("rater", "prompt")
SAID = [[0, 1, 2, 0, -1, 1], [0, 1, 2, 2, 0, 1], [0, 2, 2, 0, 0, -1]]
"""Raters by prompts: 0 x is better, 1 a draw, 2 y is better, -1 not asked."""


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def rows(said: Sequence[Sequence[int]] = SAID, flip: bool = False) -> list[dict[str, Any]]:
    found = []
    for rater, answers in enumerate(said):
        for prompt, answer in enumerate(answers):
            turned = flip and (rater + prompt) % 2 == 1
            vote = {0: 0, 1: 0.5, 2: 1}.get(answer)
            if vote is not None and turned:
                vote = 1 - vote
            models = ("y", "x") if turned else ("x", "y")
            found.append({"model_a": models[0], "model_b": models[1], "vote": vote, "rater": f"r{rater}",
                          "prompt": f"p{prompt}"})  # fmt: skip
    return found


def alpha(said: Sequence[Sequence[int]], *, ordinal: bool) -> float:
    """Krippendorff's definition pair by pair; by chance either model is chosen as often."""
    units = [[answer for answer in unit if answer >= 0] for unit in zip(*said, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    total = sum(map(len, units))
    draws = sum(unit.count(1) for unit in units)
    often = [(total - draws) / 2, draws, (total - draws) / 2]

    def apart(one: int, two: int) -> float:
        between = sum(often[min(one, two) : max(one, two) + 1]) - (often[one] + often[two]) / 2
        return between**2 if ordinal else float(one != two)

    seen = sum(apart(*pair) / (len(unit) - 1) for unit in units for pair in permutations(unit, 2)) / total
    chance = sum(often[one] * often[two] * apart(one, two) for one in range(3) for two in range(3) if one != two)
    return 1 - seen / (chance / (total * (total - 1)))


@pytest.mark.parametrize("flip", [False, True])
def test_it_is_alpha_of_the_table(flip: bool) -> None:
    found = rater_agreement(Votes.of(rows(flip=flip), COLUMNS).rated(), 500, rng())
    assert found.nominal == pytest.approx(alpha(SAID, ordinal=False))
    assert found.ordinal == pytest.approx(alpha(SAID, ordinal=True))
    assert (found.unit, found.units, found.judgements, found.raters) == ("prompt by a pair of models", 6, 16, 3)
    assert (found.nominal_low or 0) < (found.nominal or 0) < (found.nominal_high or 0)


def test_neither_names_nor_the_order_of_rows_matter() -> None:
    random = rng()
    given: list[dict[str, Any]] = [
        {"model_a": a, "model_b": b, "vote": int(random.random() < 0.2), "rater": f"r{n % 3}", "prompt": f"p{n % 5}"}
        for n, (a, b) in enumerate([("x", "y"), ("x", "z"), ("z", "y")] * 20)
    ]
    renamed = [{**row, "model_a": "a" + row["model_a"], "model_b": "a" + row["model_b"]} for row in given]
    one, two, three = (
        rater_agreement(Votes.of(some, COLUMNS), 200, rng()) for some in (given, given[::-1], renamed[2:] + renamed[:2])
    )
    assert one.nominal == pytest.approx(two.nominal) == pytest.approx(three.nominal)
    assert one.ordinal == pytest.approx(two.ordinal) == pytest.approx(three.ordinal)


def test_votes_that_do_not_say_what_was_judged_make_no_unit() -> None:
    given = [{**row, "image_a": "", "image_b": ""} for row in rows()]
    found = rater_agreement(Votes.of(given, (*COLUMNS, "image_a", "image_b")).rated(), 100, rng())
    assert (found.unit, found.units) == ("prompt by a pair of models", 6)
    blank = rater_agreement(Votes.of([{**row, "prompt": ""} for row in rows()], COLUMNS).rated(), 100, rng())
    assert blank.note == "no prompt by a pair of models was judged by two raters"


def test_images_make_the_unit_where_they_are_named() -> None:
    given: list[dict[str, Any]] = [
        {**row, "image_a": f"{row['model_a']}{n % 2}", "image_b": f"{row['model_b']}0"} for n, row in enumerate(rows())
    ]
    found = rater_agreement(Votes.of(given, (*COLUMNS, "image_a", "image_b")).rated(), 100, rng())
    assert found.unit == "pair of images"
    assert found.units == 2


def test_one_rater_twice_is_not_two() -> None:
    given = rows([[0, 1]]) + rows([[2, 2]])
    found = rater_agreement(Votes.of(given, COLUMNS), 100, rng())
    assert (found.nominal, found.note) == (None, "no prompt by a pair of models was judged by two raters")


@pytest.mark.parametrize(
    ("columns", "said", "note"),
    [
        (("rater",), SAID, "no column 'prompt'"),
        (COLUMNS, [[1, 1], [1, 1]], "all votes are the same"),
    ],
)
def test_why_there_is_none(columns: Sequence[str], said: Sequence[Sequence[int]], note: str) -> None:
    found = rater_agreement(Votes.of(rows(said), columns).rated(), 100, rng())
    assert found.nominal is None
    assert note in found.note


def test_votes_without_raters_have_no_agreement() -> None:
    given = [{name: row[name] for name in row if name != "rater"} for row in rows()]
    found = rater_agreement(Votes.of(given, ("prompt",)).rated(), 100, rng())
    assert (found.nominal, found.note) == (None, "the votes do not say who gave them: no column 'rater'")


def test_two_units_that_agree_prove_little() -> None:
    """Alpha was 1.00 (1.00 to 1.00), without a warning."""
    found = rater_agreement(Votes.of(rows([[0, 2], [0, 2]]), COLUMNS).rated(), 100, rng())
    assert (found.units, found.nominal, found.nominal_high) == (2, 1.0, 1.0)
    assert found.nominal_low == pytest.approx(0.158, abs=1e-3)
    assert found.note == "only 2 judged by two raters or more"


def test_no_votes_at_all() -> None:
    assert rater_agreement(Votes.of([], COLUMNS), 100, rng()).nominal is None
