"""Explicit scores, written out by hand: one person and two, soft and hard, by level and by group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from portrayal.records import Measurement, Prompt
from portrayal.reports.text.notes import plain_notes
from portrayal.stats.intervals import wilson_modified

Measure = Callable[..., list[Measurement]]
Find = Callable[..., Any]
GENDER = ("male", "female")
YOUNG, MIDDLE, OLD = np.eye(3).tolist()


def explicit(text: str, kind: str, weight: float, requested: Mapping[str, str], category: str = "") -> Prompt:
    people = 2 if kind == "relation" else 1
    return Prompt(text, text, "faintbench", category, "explicit", "en", weight, requested, kind, "", people)


MALE_NURSE = explicit("male nurse", "occupation", 2, {"gender": "male"}, "health")
FEMALE_CHEF = explicit("female chef", "occupation", 1, {"gender": "female"}, "food")
OLD_CHEF = explicit("elderly chef", "occupation", 1, {"age3": "elderly"}, "food")
COUPLE = explicit("male boss, female clerk", "relation", 4, {"left.gender": "male", "right.gender": "female"}, "work")

NURSE_SEEN: Mapping[str, Sequence[Any]] = {"gender": [(0.9, 0.1), (0.6, 0.4), (0.4, 0.6), (1, 0)]}
CHEF_SEEN: Mapping[str, Sequence[Any]] = {"gender": [(0.7, 0.3), (0.2, 0.8)]}
OLD_SEEN: Mapping[str, Sequence[Any]] = {"age3": [OLD, YOUNG, OLD, OLD, (0.3, 0.3, 0.4)]}
COUPLE_SEEN: Mapping[str, Sequence[Any]] = {
    "left.gender": [(1, 0), (0.8, 0.2)],
    "right.gender": [(0.3, 0.7), (0.9, 0.1)],
}
# Means on the requested group, and shares of images where it is the largest.
SOFT = {"male nurse": 0.725, "female chef": 0.55, "elderly chef": 0.68, "male boss, female clerk": (0.9 + 0.4) / 2}
HARD = {"male nurse": 0.75, "female chef": 0.5, "elderly chef": 0.8, "male boss, female clerk": (1.0 + 0.5) / 2}


@pytest.fixture
def asked(ask: Callable[..., Any]) -> list[Any]:
    seen = ((MALE_NURSE, NURSE_SEEN), (FEMALE_CHEF, CHEF_SEEN), (OLD_CHEF, OLD_SEEN), (COUPLE, COUPLE_SEEN))
    return [ask(prompt, masses) for prompt, masses in seen]


@pytest.mark.parametrize(("metric", "by_hand"), [("explicit_score", SOFT), ("explicit_score_hard", HARD)])
def test_prompts(
    asked: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, metric: str, by_hand: Any
) -> None:
    rows = faintbench(added_up(*asked))
    for each in asked:
        attribute = next(iter(each.prompt.requested)).rpartition(".")[2]
        group = ", ".join(each.prompt.requested.values())
        row = only(rows, metric, level="prompt", item=each.prompt.text, attribute=attribute, group=group)
        assert row.value == pytest.approx(by_hand[each.prompt.text], abs=1e-12)
        assert (row.n, row.missing, row.prompts) == (each.images, 0, 1)
        assert row.low < row.value < row.high


@pytest.mark.parametrize(("metric", "by_hand"), [("explicit_score", SOFT), ("explicit_score_hard", HARD)])
def test_levels(
    asked: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find, metric: str, by_hand: Any
) -> None:
    rows = faintbench(added_up(*asked))
    nurse, chef, old, couple = (by_hand[each.prompt.text] for each in asked)
    gender = (2 * nurse + chef + 4 * couple) / 7
    assert only(rows, metric, attribute="gender").value == pytest.approx(gender, abs=1e-12)
    assert only(rows, metric, attribute="age3").value == pytest.approx(old, abs=1e-12)
    overall = only(rows, metric)
    assert overall.value == pytest.approx((0.4 * gender + 0.2 * old) / 0.6, abs=1e-12)
    assert plain_notes(overall.notes) == "perceived race: not asked for here"
    assert (overall.n, overall.missing, overall.prompts) == (13, 0, 4)
    jobs = (2 * nurse + chef) / 3
    assert only(rows, metric, level="kind", item="occupation", attribute="gender").value == pytest.approx(jobs)
    food = only(rows, metric, level="category", item="food")
    assert food.value == pytest.approx((0.4 * chef + 0.2 * old) / 0.6, abs=1e-12)
    work = only(rows, metric, level="category", item="work")
    assert work.value == pytest.approx(couple, abs=1e-12)
    assert plain_notes(work.notes) == "perceived race: not asked for here; perceived age group: not asked for here"


def test_groups_take_the_sides_that_ask_for_them(
    asked: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*asked))
    male = only(rows, "explicit_score", attribute="gender", group="male")
    assert male.value == pytest.approx((2 * 0.725 + 2 * 0.9) / 4, abs=1e-12)
    assert (male.n, male.prompts) == (6, 2)
    female = only(rows, "explicit_score", attribute="gender", group="female")
    assert female.value == pytest.approx((1 * 0.55 + 2 * 0.4) / 3, abs=1e-12)
    assert only(rows, "explicit_score_hard", attribute="gender", group="female").value == pytest.approx(0.5)
    assert not [row for row in rows if row.group == "young"]


def test_a_couple_of_one_group_counts_whole(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    men = replace(COUPLE, text="two men", requested={"left.gender": "male", "right.gender": "male"})
    data = added_up(ask(men, COUPLE_SEEN), ask(MALE_NURSE, NURSE_SEEN))
    row = only(faintbench(data), "explicit_score", attribute="gender", group="male")
    assert row.value == pytest.approx((4 * (0.9 + 0.6) / 2 + 2 * 0.725) / 6, abs=1e-12)


def test_labels_get_wilsons_interval(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    seen = {"gender": [(1, 0)] * 16 + [(0, 1)] * 4}
    row = only(
        faintbench(added_up(ask(MALE_NURSE, seen))),
        "explicit_score", level="prompt", item="male nurse", attribute="gender", group="male",
    )  # fmt: skip
    low, high = wilson_modified(0.8, 20 * 23 / 24)  # a little less than 20: the spread is estimated too
    assert (row.low, row.high) == (pytest.approx(float(low)), pytest.approx(float(high)))


def test_all_right_does_not_prove_that_it_always_will_be(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    prompts = [replace(MALE_NURSE, text=f"male nurse {number}", weight=0.1) for number in range(3)]
    rows = faintbench(added_up(*(ask(prompt, {"gender": [(1, 0)] * 20}) for prompt in prompts)))
    row = only(rows, "explicit_score", attribute="gender")
    low, high = wilson_modified(1.0, 60)
    assert (row.value, row.low, row.high) == (1.0, pytest.approx(float(low)), pytest.approx(float(high)))


def test_a_mean_of_ones_is_one(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    prompts = [replace(MALE_NURSE, text=f"male nurse {number}", weight=0.7) for number in range(27)]
    rows = faintbench(added_up(*(ask(prompt, {"gender": [(1, 0)]}) for prompt in prompts)))
    assert only(rows, "explicit_score", attribute="gender").value == 1.0  # 27 times 0.7 / 18.9 comes out above 1


def test_unequal_weights_are_worth_fewer_images(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    prompts = [replace(MALE_NURSE, text=f"male nurse {weight}", weight=weight) for weight in (9, 1)]
    rows = faintbench(added_up(*(ask(prompt, {"gender": [(1, 0)] * 20}) for prompt in prompts)))
    low, _ = wilson_modified(1.0, 20 / (0.9**2 + 0.1**2))
    assert only(rows, "explicit_score", attribute="gender").low == pytest.approx(float(low))


def test_a_group_asked_of_one_side_stands_for_itself(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    left = [(1, 0), (1, 0), (0, 1)] * 5
    pair = faintbench(added_up(ask(COUPLE, {"left.gender": left, "right.gender": left})))
    alone = faintbench(added_up(ask(MALE_NURSE, {"gender": left})))
    one, other = (only(rows, "explicit_score", attribute="gender", group="male") for rows in (pair, alone))
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high))


def test_sides_that_fail_together_tell_less(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    right, wrong = (1, 0), (0, 1)
    left = [right, right, wrong, wrong] * 10
    men = replace(COUPLE, requested={"left.gender": "male", "right.gender": "male"})
    widths = []
    for other in (left, [right, wrong, right, wrong] * 10):
        seen = {"left.gender": left, "right.gender": other}
        for metric in ("explicit_score", "explicit_score_hard"):
            row = only(faintbench(added_up(ask(men, seen))), metric, attribute="gender")
            assert row.value == 0.5
            widths.append(row.high - row.low)
    assert widths[::2] == pytest.approx(widths[1::2])  # masses of certain annotators are labels
    assert widths[0] > 1.3 * widths[2]


def test_a_prompt_without_images_or_never_asked_is_listed(
    asked: list[Any], ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    lost = ask(FEMALE_CHEF, planned=3, missing=[("a", "", "hallucination", 3)])
    rows = faintbench(added_up(asked[0], lost, unasked=[COUPLE, OLD_CHEF]))
    row = only(rows, "explicit_score", level="prompt", item="female chef", attribute="gender", group="female")
    assert (row.value, row.n, row.missing, plain_notes(row.notes)) == (None, 0, 3, "no usable image (hallucination 3)")
    row = only(rows, "explicit_score", level="prompt", item=COUPLE.text, attribute="gender", group="male, female")
    assert (row.value, row.missing, plain_notes(row.notes)) == (None, 0, "not asked: no image planned or imported")
    male = only(rows, "explicit_score", attribute="gender", group="male")
    assert (male.value, male.prompts) == (pytest.approx(0.725), 1)
    assert plain_notes(male.notes) == "1 of 2 prompts"
    female = only(rows, "explicit_score", attribute="gender", group="female")
    assert (female.value, female.missing, plain_notes(female.notes)) == (None, 3, "no usable image (hallucination 3)")
    assert (
        plain_notes(only(rows, "explicit_score").notes)
        == "perceived race: not asked for here; no total without perceived age group"
    )
    relation = only(rows, "explicit_score", level="kind", item="relation")
    assert plain_notes(relation.notes).endswith("not asked: no image planned or imported")


def test_an_attribute_that_the_annotator_does_not_tell(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    asian = explicit("asian nurse", "occupation", 1, {"race5": "east_asian"})
    data = added_up(ask(MALE_NURSE, NURSE_SEEN), ask(asian, {"gender": [(1, 0)]}), annotators={"a": ("gender", "age3")})
    rows = faintbench(data)
    for row in (
        only(rows, "explicit_score", attribute="race5"),
        only(rows, "explicit_score", level="prompt", item="asian nurse", attribute="race5", group="east_asian"),
    ):
        assert (row.value, row.n, row.missing, plain_notes(row.notes)) == (
            None,
            0,
            1,
            "perceived race: not observed by a",
        )
    total = only(rows, "explicit_score")
    assert total.value is None
    assert plain_notes(total.notes) == "perceived age group: not asked for here; perceived race: not observed by a"
    assert only(rows, "explicit_score", attribute="gender").value == pytest.approx(0.725)


def test_an_attribute_without_a_weight_is_no_part_of_totals(
    asked: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*asked, names=["gender"]), weights={"gender": 1})
    total = only(rows, "explicit_score")
    assert total.value == only(rows, "explicit_score", attribute="gender").value
    assert (total.n, total.missing, total.prompts, plain_notes(total.notes)) == (8, 0, 3, "")
    old = only(rows, "explicit_score", level="prompt", item="elderly chef", attribute="age3", group="elderly")
    assert (old.value, old.missing, plain_notes(old.notes)) == (
        None,
        5,
        "perceived age group: has no weight, so it is not scored",
    )


def test_one_side_that_no_image_tells_leaves_no_score(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(ask(COUPLE, {**COUPLE_SEEN, "right.gender": [None, None]})))
    row = only(rows, "explicit_score", level="prompt", item=COUPLE.text, attribute="gender", group="male, female")
    assert (row.value, row.n, row.missing) == (None, 0, 2)
    assert only(rows, "explicit_score", attribute="gender", group="male").value == pytest.approx(0.9)


def test_planted_shares_of_what_was_asked(
    asked: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    asked[0] = replace(asked[0], truth={"gender": {"male": 0.9, "female": 0.1}})
    asked[3] = replace(asked[3], truth={side: {"male": 0.7, "female": 0.3} for side in ("left.gender", "right.gender")})
    rows = faintbench(added_up(asked[0], asked[3]))
    assert only(rows, "explicit_score", attribute="gender").planted == pytest.approx((2 * 0.9 + 4 * 0.5) / 6)


def test_prompts_of_no_suite_are_no_requests(
    asked: list[Any], ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    mine = Prompt("a photo of one man", "man", variant="explicit", requested={"gender": "male"})
    rows = faintbench(added_up(asked[0], ask(mine, {"gender": [(0, 1)]})))
    assert only(rows, "explicit_score", attribute="gender").value == pytest.approx(0.725)
    assert only(rows, "unknown_prompt", level="prompt", item=mine.text).n == 1


def test_one_image_per_prompt(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    prompts = [replace(MALE_NURSE, text=f"male nurse {number}", weight=1) for number in range(20)]
    masses = [(1, 0)] * 15 + [(0, 1)] * 5
    data = added_up(*(ask(prompt, {"gender": [mass]}) for prompt, mass in zip(prompts, masses, strict=True)))
    row = only(faintbench(data), "explicit_score", attribute="gender")
    low, high = wilson_modified(0.75, 20)
    assert (row.value, row.low, row.high) == (0.75, pytest.approx(float(low)), pytest.approx(float(high)))


def test_prompts_can_be_resampled(
    asked: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    fixed, drawn = (
        only(faintbench(added_up(*asked), resample=how), "explicit_score", attribute="gender")
        for how in ("images", "prompts")
    )
    assert fixed.value == drawn.value
    assert drawn.low < fixed.low
    assert drawn.high >= fixed.high
