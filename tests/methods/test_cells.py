from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from portrayal.evidence import Confusions, Design, Evidence, MissingCounts, Numbers, Plan
from portrayal.methods.base import Counting
from portrayal.methods.cells import CellEvidence, CellNeeds, Level, levels
from portrayal.records import TRUTH_SCHEMA, Attribute, Prompt

GENDER = Attribute("gender", "perceived gender", ("male", "female"))
AGE = Attribute("age", "perceived age", unit="years", least=0, most=100)
NURSE = Prompt("a nurse", "nurse", category="health", weight=3.0)
DRAWN = Prompt("a drawn nurse", "nurse", category="health")
JUDGE = Prompt("a judge", "judge", category="law")
BARE = Prompt("a person", "person")
ASKED = [NURSE.id, DRAWN.id, JUDGE.id, BARE.id]

PROMPTS = (NURSE, DRAWN, JUDGE, BARE)
CELLS = [("g", prompt.id) for prompt in PROMPTS] + [("h", BARE.id)]
"""What was asked, in the order in which counts are given below."""
NEEDS = CellNeeds.of(Counting())


def plan_of(cells: Sequence[tuple[str, str]], prompts: Sequence[Prompt] = PROMPTS, truths: Any = None) -> Plan:
    design = Design({p.id: p for p in prompts}, {"gender": GENDER, "age": AGE}, {"a": ["gender", "age"]})
    planned = np.full(len(cells), 10)
    return Plan(design, cells, planned, planned, truths=truths or TRUTH_SCHEMA.empty_table())


def counted(truths: Any = None, **changed: Any) -> CellEvidence:
    """Return the evidence of what was counted: ``groups``, ``values``, ``missing`` and ``confusion``."""
    content = {"groups": {}, "values": {}, "missing": MissingCounts({}), "confusion": Confusions({}, {})} | changed
    results = {getattr(NEEDS, name): result for name, result in content.items()}
    return CellEvidence(Evidence(plan_of(CELLS, truths=truths), results), NEEDS)


def levels_of(generator: str, cells: Sequence[tuple[str, str]], prompts: Sequence[Prompt] = PROMPTS) -> list[Level]:
    return list(levels(Evidence(plan_of(cells, prompts), {}), generator))


def test_levels_are_the_whole_then_categories_then_terms() -> None:
    assert levels_of("g", CELLS) == [
        Level("overall", "", ASKED),
        Level("category", "health", [NURSE.id, DRAWN.id]),
        Level("category", "law", [JUDGE.id]),
        Level("term", "nurse", [NURSE.id, DRAWN.id]),
        Level("term", "judge", [JUDGE.id]),
        Level("term", "person", [BARE.id]),
    ]


@pytest.mark.parametrize("asked", [[NURSE, DRAWN], [BARE]], ids=["one category", "no category"])
def test_one_category_is_no_level(asked: list[Prompt]) -> None:
    found = levels_of("g", [("g", prompt.id) for prompt in asked])
    assert [level.level for level in found] == ["overall", "term"]


def test_a_generator_is_reported_on_what_it_was_asked_in_the_order_of_the_suite() -> None:
    asked = [("g", JUDGE.id), ("other", BARE.id), ("g", NURSE.id), ("g", "not in the suite")]
    assert levels_of("g", asked)[0] == Level("overall", "", [NURSE.id, JUDGE.id])
    assert levels_of("other", asked)[0] == Level("overall", "", [BARE.id])


@pytest.mark.slow
def test_many_prompts_are_no_trouble() -> None:
    prompts = [Prompt(f"person {n}", f"{n % 10}") for n in range(20_000)]
    found = levels_of("g", [("g", prompt.id) for prompt in prompts], prompts)
    assert [len(level.prompts) for level in found] == [20_000, *[2_000] * 10]


COUNTS = {
    ("a", "gender"): np.array([[2.0, 6.0], [0.0, 0.0], [4.0, 0.0], [0.0, 0.0], [9.0, 0.0]]),
    ("b", "gender"): np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [9.0, 0.0], [0.0, 0.0]]),
    ("a", "hat"): np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [9.0, 0.0], [0.0, 0.0]]),
}


def test_shares_of_the_prompts_that_have_usable_images() -> None:
    lookup = counted(groups=COUNTS)
    cell = lookup.shares("g", "a", GENDER, ASKED)
    assert cell.shares.tolist() == [[0.25, 0.75], [1.0, 0.0]]
    assert cell.counts.tolist() == [8.0, 4.0]
    assert cell.weights.tolist() == [3.0, 1.0]
    assert lookup.used("g", "a", GENDER, ASKED) == [NURSE.id, JUDGE.id]


def test_a_cell_without_images_is_empty() -> None:
    lookup = counted()
    cell = lookup.shares("g", "a", GENDER, ASKED)
    assert (cell.prompts, cell.n) == (0, 0)
    assert np.isnan(cell.share).all()
    assert lookup.used("g", "a", GENDER, ASKED) == []


def test_means_and_variances_of_numbers() -> None:
    n, totals, squares = [1, 0, 3, 0, 7], [40.0, 0.0, 90.0, 0.0, 1.0], [1600.0, 0.0, 2900.0, 0.0, 1.0]
    ends = np.array([40.0, 0.0, 20.0, 0.0, 1.0]), np.array([40.0, 0.0, 41.0, 0.0, 1.0])
    lookup = counted(values={("a", "age"): Numbers(np.array(n), np.array(totals), np.array(squares), *ends)})
    used = lookup.used("g", "a", AGE, ASKED)
    assert used == [NURSE.id, JUDGE.id]
    numbers = lookup.numbers("g", "a", AGE, used)
    cell = numbers.cell
    assert cell.shares.tolist() == [[40.0], [30.0]]
    assert cell.counts.tolist() == [1.0, 3.0]
    assert cell.weights.tolist() == [3.0, 1.0]
    assert numbers.variances.tolist() == [0.0, 100.0]  # of one image none is known
    assert (numbers.lowest.tolist(), numbers.highest.tolist()) == ([40.0, 20.0], [40.0, 41.0])
    assert (numbers.least, numbers.most) == (0, 100)


def test_rounding_makes_no_variance_negative() -> None:
    third = 100 / 3
    ends = np.full(5, third), np.full(5, third)
    numbers = Numbers(np.full(5, 3), np.full(5, 3 * third), np.full(5, 3 * third**2 - 1e-9), *ends)
    found = counted(values={("a", "age"): numbers}).numbers("g", "a", AGE, [NURSE.id])
    assert found.variances.tolist() == [0.0]


def test_truth_is_known_only_when_it_is_known_of_every_prompt() -> None:
    rows = [
        ("g", NURSE.id, "gender", "female", 1.0),
        ("g", JUDGE.id, "gender", "male", 0.6),
        ("g", JUDGE.id, "gender", "female", 0.4),
    ]
    truths = pa.Table.from_pylist([dict(zip(TRUTH_SCHEMA.names, row, strict=True)) for row in rows], TRUTH_SCHEMA)
    lookup = counted(truths)
    found = lookup.truth("g", GENDER, [JUDGE.id, NURSE.id])
    assert found is not None
    assert found.tolist() == [[0.6, 0.4], [0.0, 1.0]]
    assert lookup.truth("g", GENDER, [JUDGE.id, BARE.id]) is None
    assert lookup.truth("h", GENDER, [JUDGE.id]) is None
    assert lookup.truth("g", GENDER, []) is None


def test_drawn_are_the_people_planted_in_the_usable_images_however_they_were_perceived() -> None:
    # By cell, planted (female, male), perceived (male, female).
    ours = np.array([[[1, 5], [0, 2]], [[0, 0], [0, 0]], [[0, 0], [4, 0]], [[0, 0], [0, 0]], [[0, 0], [0, 0]]])
    theirs = np.zeros_like(ours)
    theirs[3, 1, 0] = 4
    counts = {("a", "gender"): ours, ("b", "gender"): theirs}
    lookup = counted(confusion=Confusions(counts, {"gender": ("female", "male")}))
    found = lookup.drawn("g", "a", GENDER, [JUDGE.id, NURSE.id])
    assert found is not None
    assert found.tolist() == [[1.0, 0.0], [0.25, 0.75]]
    assert lookup.drawn("g", "a", GENDER, [JUDGE.id, BARE.id]) is None
    assert lookup.drawn("g", "a", GENDER, []) is None
    assert lookup.drawn("g", "nobody", GENDER, [JUDGE.id]) is None
    found = counted(confusion=Confusions({("a", "gender"): ours[:, 1:]}, {"gender": ("male",)})).drawn(
        "g", "a", GENDER, [JUDGE.id]
    )
    assert found is not None
    assert found.tolist() == [[1.0, 0.0]]  # nobody planted any woman


def test_planned_and_missing_are_added_up_over_prompts() -> None:
    missing = {
        ("", "", "refused: policy"): np.array([2, 0, 1, 0, 7]),
        ("a", "", "no face"): np.array([3, 0, 0, 0, 0]),
        ("a", "gender", "blurred"): np.array([1, 0, 0, 0, 0]),
        ("a", "age", "too small"): np.array([4, 0, 0, 0, 0]),
        ("b", "", "no face"): np.array([5, 0, 0, 0, 0]),
    }
    lookup = counted(missing=MissingCounts(missing))
    assert lookup.planned("g", ASKED) == 40
    assert lookup.planned("h", [BARE.id]) == 10
    assert lookup.planned("g", []) == 0
    assert lookup.missing("g", "a", ("", "gender"), ASKED) == {"blurred": 1, "no face": 3, "refused: policy": 3}
    assert lookup.missing("g", "a", ("",), ASKED) == {"no face": 3, "refused: policy": 3}
    assert lookup.missing("g", "a", ("gender",), ASKED) == {"blurred": 1}
    assert lookup.missing("g", "b", ("",), [JUDGE.id]) == {"refused: policy": 1}
    assert list(lookup.missing("g", "a", ("", "gender"), ASKED)) == ["blurred", "no face", "refused: policy"]


def test_shares_of_what_is_missing_have_the_columns_of_the_counts() -> None:
    missing = {("", "", "pending"): np.array([5, 0, 2, 0, 9]), ("a", "", "no face"): np.array([1, 0, 0, 0, 9])}
    lookup = counted(missing=MissingCounts(missing))
    cell = lookup.missing_shares("g", "a", ("",), [NURSE.id, JUDGE.id])
    assert list(lookup.missing("g", "a", ("",), [NURSE.id, JUDGE.id])) == ["no face", "pending"]
    assert cell.shares.tolist() == [[0.1, 0.5], [0.0, 0.2]]
    assert cell.counts.tolist() == [10.0, 10.0]
    assert cell.weights.tolist() == [10.0, 10.0]  # the planned images, whatever the weights of the prompts
