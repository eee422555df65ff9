from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from portrayal.methods import Tables
from portrayal.methods.cells import Level, Lookup, levels
from portrayal.records import TRUTH_SCHEMA, Attribute, Prompt

GENDER = Attribute("gender", "perceived gender", ("male", "female"))
AGE = Attribute("age", "perceived age", unit="years")
NURSE = Prompt("a nurse", "nurse", category="health", weight=3.0)
DRAWN = Prompt("a drawn nurse", "nurse", category="health")
JUDGE = Prompt("a judge", "judge", category="law")
BARE = Prompt("a person", "person")
ASKED = [NURSE.id, DRAWN.id, JUDGE.id, BARE.id]

KEY = ["generator", "prompt", "annotator", "attribute"]


def table(columns: list[str], rows: list[tuple[Any, ...]]) -> pa.Table:
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(columns)})


def tables(**changed: Any) -> Tables:
    prompts = [NURSE, DRAWN, JUDGE, BARE]
    content: dict[str, Any] = {
        "prompts": {prompt.id: prompt for prompt in prompts},
        "attributes": {"gender": GENDER, "age": AGE},
        "annotators": {"a": ["gender", "age"]},
        "planned": table(["generator", "prompt", "count"], [("g", prompt.id, 10.0) for prompt in prompts]),
        "counts": table([*KEY, "group", "count"], []),
        "values": table([*KEY, "n", "total", "squares"], []),
        "missing": table([*KEY, "reason", "count"], []),
        "truths": TRUTH_SCHEMA.empty_table(),
        "confusion": table([*KEY, "planted", "perceived", "count"], []),
    }
    return Tables(**content | changed)


def test_levels_are_the_whole_then_categories_then_terms() -> None:
    assert list(levels(tables(), "g")) == [
        Level("overall", "", ASKED),
        Level("category", "health", [NURSE.id, DRAWN.id]),
        Level("category", "law", [JUDGE.id]),
        Level("term", "nurse", [NURSE.id, DRAWN.id]),
        Level("term", "judge", [JUDGE.id]),
        Level("term", "person", [BARE.id]),
    ]


@pytest.mark.parametrize("asked", [[NURSE, DRAWN], [BARE]], ids=["one category", "no category"])
def test_one_category_is_no_level(asked: list[Prompt]) -> None:
    planned = table(["generator", "prompt", "count"], [("g", prompt.id, 1.0) for prompt in asked])
    found = list(levels(tables(planned=planned), "g"))
    assert [level.level for level in found] == ["overall", "term"]


def test_a_generator_is_reported_on_what_it_was_asked_in_the_order_of_the_suite() -> None:
    planned = table(
        ["generator", "prompt", "count"],
        [("g", JUDGE.id, 1.0), ("other", BARE.id, 1.0), ("g", NURSE.id, 1.0), ("g", "not in the suite", 1.0)],
    )
    assert next(levels(tables(planned=planned), "g")) == Level("overall", "", [NURSE.id, JUDGE.id])
    assert next(levels(tables(planned=planned), "other")) == Level("overall", "", [BARE.id])


def test_many_prompts_are_no_trouble() -> None:
    prompts = {prompt.id: prompt for prompt in (Prompt(f"person {n}", f"{n % 10}") for n in range(20_000))}
    planned = pa.table({"generator": ["g"] * len(prompts), "prompt": list(prompts), "count": [1.0] * len(prompts)})
    start = time.process_time()
    found = list(levels(tables(prompts=prompts, planned=planned), "g"))
    assert time.process_time() - start < 3, "it takes 0.1 s, and 10 s when quadratic in the prompts"
    assert [len(level.prompts) for level in found] == [20_000, *[2_000] * 10]


COUNTS = table(
    [*KEY, "group", "count"],
    [
        ("g", NURSE.id, "a", "gender", 0, 2.0),
        ("g", NURSE.id, "a", "gender", 1, 6.0),
        ("g", JUDGE.id, "a", "gender", 0, 4.0),
        ("g", BARE.id, "b", "gender", 0, 9.0),
        ("h", BARE.id, "a", "gender", 0, 9.0),
        ("g", BARE.id, "a", "hat", 0, 9.0),
    ],
)


def test_shares_of_the_prompts_that_have_usable_images() -> None:
    lookup = Lookup(tables(counts=COUNTS))
    cell = lookup.shares("g", "a", GENDER, ASKED)
    assert cell.shares.tolist() == [[0.25, 0.75], [1.0, 0.0]]
    assert cell.counts.tolist() == [8.0, 4.0]
    assert cell.weights.tolist() == [3.0, 1.0]
    assert lookup.used("g", "a", "gender", ASKED) == [NURSE.id, JUDGE.id]


def test_a_cell_without_images_is_empty() -> None:
    lookup = Lookup(tables())
    cell = lookup.shares("g", "a", GENDER, ASKED)
    assert (cell.prompts, cell.n) == (0, 0)
    assert np.isnan(cell.share).all()
    assert lookup.used("g", "a", "gender", ASKED) == []


def test_means_and_variances_of_numbers() -> None:
    values = table(
        [*KEY, "n", "total", "squares"],
        [("g", JUDGE.id, "a", "age", 3, 90.0, 2900.0), ("g", NURSE.id, "a", "age", 1, 40.0, 1600.0)],
    )
    lookup = Lookup(tables(values=values))
    cell, variances = lookup.means("g", "a", "age", ASKED)
    assert lookup.used("g", "a", "age", ASKED) == [NURSE.id, JUDGE.id]
    assert cell.shares.tolist() == [[40.0], [30.0]]
    assert cell.counts.tolist() == [1.0, 3.0]
    assert cell.weights.tolist() == [3.0, 1.0]
    assert variances.tolist() == pytest.approx([np.nan, 100.0], nan_ok=True)  # one image has no variance


def test_rounding_makes_no_variance_negative() -> None:
    third = 100 / 3
    values = table([*KEY, "n", "total", "squares"], [("g", NURSE.id, "a", "age", 3, 3 * third, 3 * third**2 - 1e-9)])
    _, variances = Lookup(tables(values=values)).means("g", "a", "age", [NURSE.id])
    assert variances.tolist() == [0.0]


def test_truth_is_known_only_when_it_is_known_of_every_prompt() -> None:
    truths = table(
        TRUTH_SCHEMA.names,
        [("g", NURSE.id, "gender", "female", 1.0), ("g", JUDGE.id, "gender", "male", 0.6),
         ("g", JUDGE.id, "gender", "female", 0.4)],
    )  # fmt: skip
    lookup = Lookup(tables(truths=truths))
    found = lookup.truth("g", GENDER, [JUDGE.id, NURSE.id])
    assert found is not None
    assert found.tolist() == [[0.6, 0.4], [0.0, 1.0]]
    assert lookup.truth("g", GENDER, [JUDGE.id, BARE.id]) is None
    assert lookup.truth("h", GENDER, [JUDGE.id]) is None
    assert lookup.truth("g", GENDER, []) is None


def test_drawn_are_the_people_planted_in_the_usable_images_however_they_were_perceived() -> None:
    confusion = table(
        [*KEY, "planted", "perceived", "count"],
        [
            ("g", NURSE.id, "a", "gender", "female", 1, 5.0),
            ("g", NURSE.id, "a", "gender", "female", 0, 1.0),
            ("g", NURSE.id, "a", "gender", "male", 1, 2.0),
            ("g", JUDGE.id, "a", "gender", "male", 0, 4.0),
            ("g", BARE.id, "b", "gender", "male", 0, 4.0),
        ],
    )
    lookup = Lookup(tables(confusion=confusion))
    found = lookup.drawn("g", "a", GENDER, [JUDGE.id, NURSE.id])
    assert found is not None
    assert found.tolist() == [[1.0, 0.0], [0.25, 0.75]]
    assert lookup.drawn("g", "a", GENDER, [JUDGE.id, BARE.id]) is None
    assert lookup.drawn("g", "a", GENDER, []) is None


def test_planned_and_missing_are_added_up_over_prompts() -> None:
    missing = table(
        [*KEY, "reason", "count"],
        [
            ("g", NURSE.id, "", "", "refused: policy", 2.0),
            ("g", JUDGE.id, "", "", "refused: policy", 1.0),
            ("g", NURSE.id, "a", "", "no face", 3.0),
            ("g", NURSE.id, "a", "gender", "blurred", 1.0),
            ("g", NURSE.id, "a", "age", "too small", 4.0),
            ("g", NURSE.id, "b", "", "no face", 5.0),
            ("h", NURSE.id, "", "", "refused: policy", 7.0),
        ],
    )
    lookup = Lookup(tables(missing=missing))
    assert lookup.planned("g", ASKED) == 40
    assert lookup.planned("h", ASKED) == 0
    assert lookup.missing("g", "a", ("", "gender"), ASKED) == {"blurred": 1, "no face": 3, "refused: policy": 3}
    assert lookup.missing("g", "a", ("",), ASKED) == {"no face": 3, "refused: policy": 3}
    assert lookup.missing("g", "a", ("gender",), ASKED) == {"blurred": 1}
    assert lookup.missing("g", "b", ("",), [JUDGE.id]) == {"refused: policy": 1}
    assert list(lookup.missing("g", "a", ("", "gender"), ASKED)) == ["blurred", "no face", "refused: policy"]
