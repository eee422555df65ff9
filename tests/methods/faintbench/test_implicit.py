"""Implicit scores, written out by hand: two occupations, a characteristic, a relation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from portrayal.records import Attribute, Measurement, Prompt
from portrayal.reports.text.notes import plain_notes
from portrayal.stats.intervals import wilson_modified

Shares = Mapping[str, Sequence[float]]
Measure = Callable[..., list[Measurement]]
Find = Callable[..., Any]
GROUPS = {
    "gender": ("male", "female"),
    "race5": ("european", "east_asian", "african", "latino", "south_asian"),
    "age3": ("young", "middle_aged", "elderly"),
}
MOSTLY = (0.6, 0.1, 0.1, 0.1, 0.1)
EVEN = (0.2,) * 5


def reference(shares: Shares) -> Mapping[str, Mapping[str, float]]:
    return {name: dict(zip(GROUPS[name.rpartition(".")[2]], own, strict=True)) for name, own in shares.items()}


def implicit(text: str, kind: str, category: str, weight: float, shares: Shares) -> Prompt:
    people = 2 if kind == "relation" else 1
    return Prompt(text, text, "faintbench", category, "implicit", "en", weight, {}, kind, "", people, reference(shares))


NURSE = implicit("nurse", "occupation", "health", 2, {"gender": (0.2, 0.8), "race5": MOSTLY, "age3": (0.3, 0.5, 0.2)})
BAKER = implicit("baker", "occupation", "food", 1, {"gender": (0.5, 0.5), "race5": MOSTLY, "age3": (0.3, 0.5, 0.2)})
RICH = implicit("rich", "characteristic", "positive", 3, {"gender": (0.5, 0.5), "race5": EVEN, "age3": (0.4, 0.4, 0.2)})
BOSS = implicit(
    "Boss / Clerk",
    "relation",
    "hierarchical",
    4,
    {
        "left.gender": (0.6, 0.4), "left.race5": EVEN, "left.age3": (0.4, 0.4, 0.2),
        "right.gender": (0.4, 0.6), "right.race5": EVEN, "right.age3": (0.4, 0.4, 0.2),
    },
)  # fmt: skip

M, F = (1.0, 0.0), (0.0, 1.0)
EU, EA, AF = np.eye(5)[:3].tolist()
YOUNG, MIDDLE, _ = np.eye(3).tolist()
SEEN = {
    "nurse": {"gender": [M, F], "race5": [EU, EU], "age3": [YOUNG, MIDDLE]},
    "baker": {"gender": [M, (0.5, 0.5)], "race5": [EU, EA], "age3": [MIDDLE, MIDDLE]},
    "rich": {"gender": [M, M], "race5": [EU, AF], "age3": [YOUNG, YOUNG]},
    "Boss / Clerk": {
        "left.gender": [M, M], "left.race5": [EU, AF], "left.age3": [YOUNG, YOUNG],
        "right.gender": [M, F], "right.race5": [EU, AF], "right.age3": [YOUNG, YOUNG],
    },
}  # fmt: skip
# (cosine + 1) / 2, worked out by hand from the means of the masses above.
BY_HAND = {
    "nurse": (0.928746462856272, 0.9743416490252569, 0.9588314677411236),
    "baker": (0.9472135954999579, 0.8913118960624632, 0.9055535528269063),
    "rich": (0.8535533905932737, 0.816227766016838, 0.8333333333333333),
    "Boss / Clerk": ((0.9160251471689218 + 0.9902903378454601) / 2, 0.816227766016838, 0.8333333333333333),
}


@pytest.fixture
def small(ask: Callable[..., Any]) -> list[Any]:
    return [ask(prompt, SEEN[prompt.text]) for prompt in (NURSE, BAKER, RICH, BOSS)]


def total(gender: float, race: float, age: float) -> float:
    return 0.4 * gender + 0.4 * race + 0.2 * age


def test_prompts_are_scored_by_attribute_and_in_total(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*small))
    for item, scores in BY_HAND.items():
        found = [only(rows, "implicit_score", level="prompt", item=item, attribute=name).value for name in GROUPS]
        assert found == pytest.approx(scores, abs=1e-12)
        whole = only(rows, "implicit_score", level="prompt", item=item)
        assert whole.value == pytest.approx(total(*scores), abs=1e-12)
        assert (whole.n, whole.missing, whole.prompts) == (2, 0, 1)


def test_levels_weigh_prompts_and_then_attributes(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*small))
    weights = {"nurse": 2, "baker": 1, "rich": 3, "Boss / Clerk": 4}
    members = {
        ("overall", ""): list(weights),
        ("kind", "occupation"): ["nurse", "baker"],
        ("kind", "relation"): ["Boss / Clerk"],
        ("category", "health"): ["nurse"],
    }
    for (level, item), own in members.items():
        means = [
            sum(weights[name] * BY_HAND[name][place] for name in own) / sum(weights[name] for name in own)
            for place in range(3)
        ]
        for name, mean in zip(GROUPS, means, strict=True):
            row = only(rows, "implicit_score", level=level, item=item, attribute=name)
            assert row.value == pytest.approx(mean, abs=1e-12)
            assert (row.n, row.prompts) == (2 * len(own), len(own))
        assert only(rows, "implicit_score", level=level, item=item).value == pytest.approx(total(*means), abs=1e-12)


def test_a_level_of_one_prompt_says_what_the_prompt_says(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*small))
    prompt = only(rows, "implicit_score", level="prompt", item="Boss / Clerk")
    kind = only(rows, "implicit_score", level="kind", item="relation")
    assert (kind.low, kind.high, plain_notes(kind.notes)) == (prompt.low, prompt.high, plain_notes(prompt.notes))


def test_own_weights_of_attributes(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*small), weights={"gender": 3, "race5": 1, "age3": 1})
    gender, race, age = BY_HAND["nurse"]
    row = only(rows, "implicit_score", level="prompt", item="nurse")
    assert row.value == pytest.approx((3 * gender + race + age) / 5, abs=1e-12)


def test_no_total_without_an_attribute_that_the_annotator_does_not_tell(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    seen = [replace(a, seen={key: own for key, own in a.seen.items() if "race5" not in key}) for a in small]
    rows = faintbench(added_up(*seen, annotators={"a": ("gender", "age3")}))
    assert only(rows, "implicit_score", attribute="gender").value is not None
    for attribute in ("race5", ""):
        row = only(rows, "implicit_score", attribute=attribute)
        assert (row.value, row.n, row.missing, plain_notes(row.notes)) == (
            None,
            0,
            8,
            "perceived race: not observed by a",
        )
    whole = only(rows, "implicit_score", level="prompt", item="nurse")
    assert (whole.value, plain_notes(whole.notes)) == (None, "perceived race: not observed by a")
    assert not [row for row in rows if row.metric == "share" and "race5" in row.attribute]


def test_a_reference_without_an_attribute_leaves_the_prompt_out_of_that_attribute_alone(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    designer = replace(NURSE, text="designer", reference={k: v for k, v in NURSE.reference.items() if k != "age3"})
    seen = [ask(designer, SEEN["nurse"]), ask(BAKER, SEEN["baker"])]
    rows = faintbench(added_up(*seen))
    alone = only(rows, "implicit_score", level="prompt", item="designer", attribute="age3")
    assert (alone.value, alone.n, alone.missing, plain_notes(alone.notes)) == (
        None,
        0,
        2,
        "perceived age group: no reference",
    )
    whole = only(rows, "implicit_score", level="prompt", item="designer")
    assert (whole.value, plain_notes(whole.notes)) == (None, "no total without perceived age group")
    age = only(rows, "implicit_score", attribute="age3")
    assert (age.value, age.prompts, age.n, age.missing) == (pytest.approx(BY_HAND["baker"][2]), 1, 2, 2)
    assert "1 of 2 prompts" in plain_notes(age.notes)
    means = [(2 * a + b) / 3 for a, b in zip(BY_HAND["nurse"], BY_HAND["baker"], strict=True)]
    overall = only(rows, "implicit_score")
    assert overall.value == pytest.approx(total(means[0], means[1], BY_HAND["baker"][2]), abs=1e-12)
    assert (overall.prompts, overall.n, overall.missing) == (2, 4, 0)


def test_a_prompt_with_images_and_no_reference_at_all_is_not_counted_among_those_of_the_total(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    unknown = replace(NURSE, text="designer", reference={})
    rows = faintbench(added_up(ask(unknown, SEEN["nurse"]), ask(BAKER, SEEN["baker"]), ask(RICH, SEEN["rich"])))
    for attribute in ("", *GROUPS):
        overall = only(rows, "implicit_score", attribute=attribute)
        assert (overall.prompts, overall.n, overall.missing) == (2, 4, 2)
        assert plain_notes(overall.notes).startswith("2 of 3 prompts")
    occupations = only(rows, "implicit_score", level="kind", item="occupation")
    assert (occupations.value, occupations.prompts) == (pytest.approx(total(*BY_HAND["baker"])), 1)


def test_why_a_prompt_has_no_score(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    lost = [("a", "", "no_face", 3), ("", "", "refused: policy", 1)]
    asked = [ask(NURSE, planned=4, missing=lost), ask(BAKER, SEEN["baker"], planned=5)]
    rows = faintbench(added_up(*asked, unasked=[RICH]))
    for attribute in ("", *GROUPS):
        row = only(rows, "implicit_score", level="prompt", item="nurse", attribute=attribute)
        assert (row.value, row.n, row.missing, row.prompts) == (None, 0, 4, 0)
        assert plain_notes(row.notes) == "no usable image (no face 3, refused: policy 1)"
        row = only(rows, "implicit_score", level="prompt", item="rich", attribute=attribute)
        assert (row.value, row.n, row.missing) == (None, 0, 0)
        assert plain_notes(row.notes) == "not asked: no image planned or imported"
    overall = only(rows, "implicit_score")
    assert overall.value == pytest.approx(total(*BY_HAND["baker"]))
    assert (overall.n, overall.missing, overall.prompts) == (2, 7, 1)
    assert plain_notes(overall.notes).startswith("1 of 3 prompts")
    assert only(rows, "implicit_score", level="kind", item="characteristic").value is None


def test_an_attribute_that_no_image_tells_says_why(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    seen = {"gender": [M, F], "race5": [None, None], "age3": [YOUNG, MIDDLE]}
    rows = faintbench(added_up(ask(NURSE, seen, missing=[("a", "race5", "too_dark", 2)])))
    race = only(rows, "implicit_score", level="prompt", item="nurse", attribute="race5")
    assert (race.value, race.missing, plain_notes(race.notes)) == (None, 2, "no usable image (too dark 2)")
    assert (
        plain_notes(only(rows, "implicit_score", level="prompt", item="nurse").notes)
        == "no total without perceived race"
    )
    gender = only(rows, "implicit_score", level="prompt", item="nurse", attribute="gender")
    assert gender.value == pytest.approx(BY_HAND["nurse"][0])


def test_an_attribute_seen_in_some_images_counts_those(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    seen = {**SEEN["nurse"], "gender": [M, None]}
    row = only(faintbench(added_up(ask(NURSE, seen))), "implicit_score", attribute="gender")
    cosine = 0.2 / np.sqrt(0.2**2 + 0.8**2)
    assert (row.value, row.n, row.missing) == (pytest.approx((cosine + 1) / 2), 1, 1)


def test_shares_stand_beside_their_reference(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    small[0] = replace(small[0], planned=3, truth={"gender": {"male": 0.4, "female": 0.6}})
    rows = faintbench(added_up(*small))
    male = only(rows, "share", level="prompt", item="nurse", attribute="gender", group="male")
    assert (male.value, male.target, male.planted, male.n, male.missing) == (0.5, 0.2, 0.4, 2, 1)
    low, high = wilson_modified(0.5, 2)
    assert male.low == pytest.approx(float(low), abs=0.05)
    assert male.high == pytest.approx(float(high), abs=0.05)
    right = only(rows, "share", level="prompt", item="Boss / Clerk", attribute="right.gender", group="female")
    assert (right.value, right.target) == (0.5, 0.6)


def test_labels_are_counted_beside_masses(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    rows = faintbench(added_up(*small))
    about = {"level": "prompt", "item": "baker", "attribute": "gender", "group": "male"}
    assert only(rows, "share", **about).value == 0.75
    labels = only(rows, "label_share", **about)
    assert (labels.value, labels.target, labels.n) == (1.0, 0.5, 2)  # of equals the first
    assert (labels.low, labels.high) == tuple(float(end) for end in wilson_modified(1.0, 2))


def test_planted_is_about_the_prompts_that_were_scored(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    truth = {name: dict(NURSE.reference[name]) for name in GROUPS}
    other = {**truth, "gender": {"male": 1.0, "female": 0.0}}
    asked = [replace(small[0], truth=truth), replace(small[1], seen={}, planned=2, truth=other)]
    row = only(faintbench(added_up(*asked)), "implicit_score")
    assert row.planted == pytest.approx(1.0)
    asked[1] = replace(small[1], seen={**small[1].seen, "gender": [None, None]}, truth=other)
    assert only(faintbench(added_up(*asked)), "implicit_score", attribute="gender").planted == pytest.approx(1.0)


def test_images_of_a_relation_tell_both_sides(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    seen = {**SEEN["Boss / Clerk"], "right.gender": [M, None]}
    row = only(faintbench(added_up(ask(BOSS, seen))), "implicit_score", attribute="gender")
    assert (row.n, row.missing) == (1, 1)


@pytest.mark.parametrize("count", [1, 8])
def test_a_model_that_may_be_on_target_has_an_interval_up_to_one(
    count: int, ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    women = [M] + [F] * 3  # a quarter of men, of whom there should be a fifth
    prompts = [replace(NURSE, text=f"nurse {number}") for number in range(count)]
    seen = {"gender": women, "race5": [EU] * 4, "age3": [YOUNG, MIDDLE, MIDDLE, MIDDLE]}
    rows = faintbench(added_up(*(ask(prompt, seen) for prompt in prompts)))
    assert only(rows, "implicit_score", attribute="gender").high == 1.0
    men = {**seen, "gender": [M] * 4}
    rows = faintbench(added_up(*(ask(prompt, men) for prompt in prompts)))
    assert only(rows, "implicit_score", attribute="gender").high < 0.9


def test_a_prompt_that_counts_more_makes_more_of_the_interval(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    many = {"gender": [M, M, M, F] * 100, "race5": [EU, EA, AF, AF] * 100, "age3": [YOUNG, MIDDLE] * 200}
    widths = []
    for weights in ((1000, 1), (1, 1), (1, 1000)):
        sure, unsure = (replace(p, weight=weight) for p, weight in zip((RICH, BAKER), weights, strict=True))
        rows = faintbench(added_up(ask(sure, many), ask(unsure, SEEN["baker"])))
        overall = [only(rows, "implicit_score", attribute=name) for name in ("gender", "race5", "")]
        widths.append([row.high - row.low for row in overall])
    assert all(one < other < last for one, other, last in zip(*widths, strict=True))
    assert max(widths[0]) < 0.1


def test_one_image_per_prompt_and_few_images_are_said(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    prompts = [replace(NURSE, text=f"nurse {number}") for number in range(12)]
    one = [ask(p, {"gender": [M], "race5": [EU], "age3": [YOUNG]}) for p in prompts]
    row = only(faintbench(added_up(*one)), "implicit_score")
    assert 0 <= row.low < row.high <= 1
    assert row.low <= row.corrected <= row.high
    assert row.corrected > row.value
    assert "few images" in plain_notes(row.notes)


@pytest.mark.parametrize(("images", "scant"), [(5, True), (9, True), (10, False)])
def test_a_score_of_fewer_than_ten_images_a_prompt_is_marked(
    ask: Callable[..., Any],
    added_up: Callable[..., Any],
    faintbench: Measure,
    images: int,
    scant: bool,
) -> None:
    seen = {"gender": [M] * images, "race5": [EU] * images, "age3": [YOUNG] * images}
    prompts = [replace(NURSE, text=f"nurse {number}") for number in range(3)]
    rows = faintbench(added_up(*(ask(prompt, seen) for prompt in prompts)))
    scores = [row for row in rows if row.metric == "implicit_score" and row.value is not None]
    assert {row.level for row in scores} >= {"overall", "prompt"}
    told = {"fewer than ten images a prompt" in plain_notes(row.notes) for row in scores}
    assert told == {scant}
    others = [row for row in rows if row.metric != "implicit_score"]
    assert not any("ten images" in plain_notes(row.notes) for row in others)


def test_several_generators_and_annotators_are_kept_apart(
    ask: Callable[..., Any],
    added_up: Callable[..., Any],
    faintbench: Measure,
) -> None:
    men = {**SEEN["nurse"], "gender": [M, M]}
    asked = [
        ask(NURSE, SEEN["nurse"]),
        ask(NURSE, men, generator="h"),
        ask(NURSE, men, annotator="b"),
        ask(NURSE, SEEN["nurse"], generator="h", annotator="b"),
    ]
    rows = faintbench(added_up(*asked, annotators={"a": tuple(GROUPS), "b": ("gender",)}))
    found = {
        (row.generator, row.annotator): row.value
        for row in rows
        if row.metric == "implicit_score" and row.level == "overall" and row.attribute == "gender"
    }
    mixed, all_men = BY_HAND["nurse"][0], (1 + 0.2 / np.sqrt(0.68)) / 2
    assert found == {
        ("g", "a"): pytest.approx(mixed),
        ("h", "a"): pytest.approx(all_men),
        ("g", "b"): pytest.approx(all_men),
        ("h", "b"): pytest.approx(mixed),
    }
    totals = {
        (row.annotator, row.value is None)
        for row in rows
        if row.metric == "implicit_score" and row.level == "overall" and row.attribute == ""
    }
    assert totals == {("a", False), ("b", True)}


def test_three_groups_of_gender_and_own_weights(
    ask: Callable[..., Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    groups = ("male", "female", "ambiguous")
    prompt = replace(NURSE, reference={"gender3": dict(zip(groups, (0.3, 0.6, 0.1), strict=True))})
    data = added_up(
        ask(prompt, {"gender3": [(1, 0, 0), (0, 0, 1)]}),
        extra=[Attribute("gender3", "perceived gender", groups)],
        names=["gender3"],
    )
    options = {"weights": {"gender3": 2}, "group_weights": {"gender3": dict.fromkeys(groups, 0.1)}, "profile": "plain"}
    rows = faintbench(data, **options)
    value = (1 + 0.2 / np.sqrt(0.5 * 0.46)) / 2
    for attribute in ("gender3", ""):
        assert only(rows, "implicit_score", attribute=attribute).value == pytest.approx(value)


def test_prompts_can_be_resampled(
    small: list[Any], added_up: Callable[..., Any], faintbench: Measure, only: Find
) -> None:
    fixed, drawn = (only(faintbench(added_up(*small), resample=how), "implicit_score") for how in ("images", "prompts"))
    assert fixed.value == drawn.value
    assert (fixed.low, fixed.high) != (drawn.low, drawn.high)
    assert 0 <= drawn.low < drawn.high <= 1
