"""The manifestation factor, written out by hand: pairs of prompts, and pairs within a relation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.records import Measurement, Prompt
from portrayal.reports.text.notes import plain_notes

Measure = Callable[..., list[Measurement]]
Find = Callable[..., Any]
GENDER = ("male", "female")
OPTIONS = {"weights": {"gender": 1}, "group_weights": {"gender": {"male": 0.2, "female": 0.1}}, "profile": "plain"}
"""One attribute only, and groups that count differently."""


def implicit(term: str, male: float | Sequence[float], kind: str = "characteristic") -> Prompt:
    people = 2 if kind == "relation" else 1
    aspects = ("left.gender", "right.gender") if people == 2 else ("gender",)
    shares = male if isinstance(male, Sequence) else (male,)
    reference = {name: {"male": m, "female": 1 - m} for name, m in zip(aspects, shares, strict=True)}
    return Prompt(f"a {term}", term, "faintbench", "", "implicit", "en", 1.0, {}, kind, "", people, reference)


def seen(men: int, of: int = 10) -> list[tuple[float, float]]:
    return [(1.0, 0.0)] * men + [(0.0, 1.0)] * (of - men)


def pairs_file(folder: Path, *rows: str) -> Mapping[str, Any]:
    (folder / "pairs.csv").write_text("\n".join(["advantaged,disadvantaged,weight", *rows]), encoding="utf-8")
    return {**OPTIONS, "pairs": "pairs.csv"}


@pytest.fixture
def four(ask: Callable[..., Any]) -> list[Any]:
    """Rich men and poor women; strong men and weak men."""
    return [
        ask(implicit("rich", 0.5), {"gender": seen(9)}),
        ask(implicit("poor", 0.5), {"gender": seen(3)}),
        ask(implicit("strong", 0.5), {"gender": seen(8)}),
        ask(implicit("weak", 0.4), {"gender": seen(7)}),
    ]


# Both groups deviate by as much: 0.4 and 0.2 for the first pair (apart), 0.3 and 0.3 for the second (alike).
APART, ALIKE = 0.3 * (0.4**2 + 0.2**2), 0.3 * (0.3**2 + 0.3**2)
# The script: k ((p - p'^2) + (q - q'^2)), plus when both stray alike.
SCRIPT_APART = 0.2 * (0.9 - 0.25 + 0.3 - 0.25) + 0.1 * (0.1 - 0.25 + 0.7 - 0.25)
SCRIPT_ALIKE = 0.2 * (0.8 - 0.25 + 0.7 - 0.16) + 0.1 * (0.2 - 0.25 + 0.3 - 0.36)


@pytest.mark.parametrize(
    ("variant", "first", "second"),
    [
        ("definition", 0.5 + APART, 0.5 - ALIKE),
        ("published", 0.5 - APART, 0.5 + ALIKE),
        ("released", 0.5 - SCRIPT_APART, 0.5 + SCRIPT_ALIKE),
    ],
)
def test_variants_and_weights_of_pairs(
    four: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, tmp_path: Path,
    variant: str, first: float, second: float,
) -> None:  # fmt: skip
    options = pairs_file(tmp_path, "rich,poor,5", "strong,weak,1")
    rows = faintbench(added_up(*four, names=["gender"]), tmp_path, manifestation=variant, **options)
    for attribute in ("", "gender"):
        one = only(rows, "manifestation", level="pair", item="rich / poor", attribute=attribute)
        other = only(rows, "manifestation", level="pair", item="strong / weak", attribute=attribute)
        assert (one.value, other.value) == (pytest.approx(first, abs=1e-12), pytest.approx(second, abs=1e-12))
        overall = only(rows, "manifestation", attribute=attribute)
        assert overall.value == pytest.approx((5 * first + second) / 6, abs=1e-12)
        assert plain_notes(overall.notes) == f"variant {variant}"
        assert (overall.n, overall.missing, overall.prompts) == (40, 0, 4)
        assert (one.n, one.prompts) == (20, 2)


def test_the_sides_of_a_relation_are_one_prompt(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, tmp_path: Path
) -> None:
    boss = implicit("Boss / Clerk", (0.6, 0.4), "relation")
    both = {"left.gender": seen(9), "right.gender": seen(2)}
    data = added_up(ask(boss, both, planned=12), names=["gender"])
    apart = 0.3 * (0.3**2 + 0.2**2)
    rows = faintbench(data, tmp_path, **pairs_file(tmp_path, "Boss,Clerk,1"))
    row = only(rows, "manifestation", level="pair", item="Boss / Clerk")
    assert row.value == pytest.approx(0.5 + apart, abs=1e-12)
    assert (row.n, row.missing, row.prompts) == (10, 2, 1)
    # The other way round it is the same pair: what is apart stays apart.
    rows = faintbench(data, tmp_path, **pairs_file(tmp_path, "Clerk,Boss,1"))
    assert only(rows, "manifestation").value == pytest.approx(0.5 + apart, abs=1e-12)


def test_the_mean_of_attributes_and_the_shipped_pairs(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    reference = {
        "gender": {"male": 0.5, "female": 0.5},
        "race5": dict.fromkeys(("european", "east_asian", "african", "latino", "south_asian"), 0.2),
        "age3": {"young": 0.4, "middle_aged": 0.4, "elderly": 0.2},
    }
    rich, poor = (
        Prompt(f"a {t} person", t, "faintbench", "", "implicit", kind="characteristic", reference=reference)
        for t in ("rich", "poor")
    )
    even = [(0.2,) * 5]
    data = added_up(
        ask(rich, {"gender": [(1, 0)], "race5": even, "age3": [(0, 1, 0)]}),
        ask(poor, {"gender": [(1, 0)], "race5": even, "age3": [(0, 1, 0)]}),
    )
    rows = faintbench(data)
    gender = 0.5 - 2 * 0.2 * (0.25 + 0.25)
    age = 0.5 - 0.1 * 2 * (0.4**2 + 0.6**2 + 0.2**2)
    assert only(rows, "manifestation", attribute="gender").value == pytest.approx(gender, abs=1e-12)
    assert only(rows, "manifestation", attribute="race5").value == 0.5
    assert only(rows, "manifestation", attribute="age3").value == pytest.approx(age, abs=1e-12)
    overall = only(rows, "manifestation")
    assert overall.value == pytest.approx((gender + 0.5 + age) / 3, abs=1e-12)
    assert plain_notes(overall.notes) == "variant definition; 1 of 36 pairs"
    assert [row.item for row in rows if row.level == "pair" and row.attribute == ""] == ["rich / poor"]


def test_a_pair_without_images_is_listed_and_left_out(
    four: list[Any], ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find,
    tmp_path: Path,
) -> None:  # fmt: skip
    four[1] = ask(four[1].prompt, planned=6, missing=[("a", "", "no_face", 6)])
    options = pairs_file(tmp_path, "rich,poor,5", "strong,weak,1", "brave,cowardly,1")
    rows = faintbench(added_up(*four, names=["gender"]), tmp_path, **options)
    lost = only(rows, "manifestation", level="pair", item="rich / poor", attribute="gender")
    assert (lost.value, lost.n, lost.missing) == (None, 0, 16)
    assert plain_notes(lost.notes) == "variant definition; no usable image (no face 6)"
    overall = only(rows, "manifestation")
    assert overall.value == pytest.approx(0.5 - ALIKE, abs=1e-12)
    unasked = "not scored, for want of their prompts in this study: brave / cowardly"
    assert plain_notes(overall.notes) == f"variant definition; 1 of 3 pairs; {unasked}"
    assert (overall.n, overall.prompts) == (20, 2)


def test_planted_is_about_the_pairs_that_were_scored(
    four: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, tmp_path: Path
) -> None:
    exact = {"gender": {"male": 0.5, "female": 0.5}}
    men = {"gender": {"male": 1.0, "female": 0.0}}
    four = [replace(each, truth=truth) for each, truth in zip(four, (men, men, exact, exact), strict=True)]
    four[1] = replace(four[1], seen={"gender": [None], "age3": [(1, 0, 0)]})  # usable, but not for this
    options = pairs_file(tmp_path, "rich,poor,5", "strong,weak,1")
    options = {**options, "weights": {"gender": 1, "age3": 1}, "group_weights": FaintbenchOptions().group_weights}
    rows = faintbench(added_up(*four, names=["gender", "age3"]), tmp_path, **options)
    assert only(rows, "manifestation", attribute="gender").planted == pytest.approx(0.5)


def test_no_pair_at_all(
    four: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, tmp_path: Path
) -> None:
    rows = faintbench(added_up(*four, names=["gender"]), tmp_path, **pairs_file(tmp_path, "brave,cowardly,1"))
    row = only(rows, "manifestation")
    assert (row.value, plain_notes(row.notes)) == (
        None,
        "variant definition; the suite has no pair of prompts to compare",
    )
    assert not [row for row in rows if row.level == "pair"]


def test_no_eta_of_the_model_without_an_attribute(
    four: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*four, annotators={"a": ("gender", "age3")}))
    row = only(rows, "manifestation")
    assert (row.value, plain_notes(row.notes)) == (None, "variant definition; perceived race: not observed by a")
    assert only(rows, "manifestation", attribute="gender").value is not None
    age = only(rows, "manifestation", attribute="age3")
    assert (age.value, age.missing) == (None, 40)
    assert plain_notes(age.notes) == "variant definition; 0 of 36 pairs; no usable image"
    assert not [row for row in rows if row.level == "pair" and row.attribute in ("", "race5")]


def test_a_prompt_without_a_reference(
    four: list[Any], ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find,
    tmp_path: Path,
) -> None:  # fmt: skip
    bare = Prompt("a rich", "rich", "faintbench", "", "implicit", kind="characteristic")
    data = added_up(ask(bare, {"gender": seen(5)}), four[1], names=["gender"])
    rows = faintbench(data, tmp_path, **pairs_file(tmp_path, "rich,poor,1"))
    row = only(rows, "manifestation", attribute="gender")
    assert (row.value, plain_notes(row.notes)) == (
        None,
        "variant definition; 0 of 1 pair; perceived gender: no reference",
    )
    row = only(rows, "manifestation", level="pair", item="rich / poor")
    assert (row.value, plain_notes(row.notes)) == (None, "variant definition; no total without perceived gender")


def test_pairs_of_ones_own_without_prompts_are_named(
    four: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, tmp_path: Path
) -> None:
    data = added_up(*four, names=["gender"])
    rows = faintbench(data, tmp_path, **pairs_file(tmp_path, "rich,poor,1", "Judge,Janitor,1", "rich,weak,2"))
    notes = plain_notes(only(rows, "manifestation").notes)
    assert "2 of 3 pairs; not scored, for want of their prompts in this study: Judge / Janitor" in notes
    whole = faintbench(data, tmp_path, **pairs_file(tmp_path, "rich,poor,1"))
    assert "not scored" not in plain_notes(only(whole, "manifestation").notes)
    shipped = only(faintbench(data, tmp_path, **OPTIONS), "manifestation")
    assert "2 of 36 pairs" in plain_notes(shipped.notes)
    assert "not scored" not in plain_notes(shipped.notes)


def test_intervals_are_not_cut_off(
    four: list[Any], ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find,
    tmp_path: Path,
) -> None:  # fmt: skip
    extreme = [
        ask(implicit("rich", 0.0), {"gender": seen(200, 200)}),
        ask(implicit("poor", 1.0), {"gender": seen(0, 200)}),
        ask(implicit("strong", 0.0), {"gender": seen(200, 200)}),
        ask(implicit("weak", 1.0), {"gender": seen(0, 200)}),
    ]
    for resample in ("images", "prompts"):
        options = {**pairs_file(tmp_path, "rich,poor,1", "strong,weak,1"), "resample": resample}
        options["group_weights"] = {"gender": {"male": 0.2, "female": 0.2}}
        row = only(faintbench(added_up(*extreme, names=["gender"]), tmp_path, **options), "manifestation")
        assert row.value == pytest.approx(1.3)
        assert 1.2 < row.low <= row.high < 1.4
