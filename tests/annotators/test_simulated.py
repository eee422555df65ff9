from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

from portrayal.annotators import ANNOTATORS, Annotator, Observed
from portrayal.annotators.simulated import Simulated, SimulatedOptions
from portrayal.errors import ConfigError
from portrayal.records import Abstention, Image, Observation, Person
from portrayal.settings import parse_settings

MAN = {"gender": "male", "age3": "elderly", "tone3": "dark"}
WOMAN = {"gender": "female", "age3": "young", "tone3": "light"}


def build(**options: Any) -> Simulated:
    return Simulated("", parse_settings(SimulatedOptions, options, "study.toml"))


def look(annotator: Simulated, *planted: Sequence[Person] | None) -> list[Observed]:
    return list(annotator.annotate([Image(f"i{n}", None, people) for n, people in enumerate(planted)]))


def seen(rows: Sequence[Observed]) -> list[tuple[float, ...]]:
    return [row.mass for row in rows if isinstance(row, Observation) and row.mass is not None]


def test_it_is_an_annotator_known_to_the_registry() -> None:
    annotator: Annotator = build()
    assert annotator.name == "simulated@1"
    assert [attribute.name for attribute in annotator.attributes] == ["gender", "age3", "tone3"]
    found: object = ANNOTATORS.load("simulated")
    assert found is Simulated


def test_one_person_is_seen_as_planted() -> None:
    assert look(build(), [MAN]) == [
        Observation("i0", "simulated@1", 0, "gender", (1.0, 0.0)),
        Observation("i0", "simulated@1", 0, "age3", (0.0, 0.0, 1.0)),
        Observation("i0", "simulated@1", 0, "tone3", (0.0, 0.0, 1.0)),
    ]


def test_numbers_follow_from_planted_groups_and_stray() -> None:
    exact = look(build(attributes=["age", "intensity"]), [MAN], [{"gender": "male"}])
    assert [row.value for row in exact] == [68.0, 110.0, None, None]
    assert [row.reason for row in exact[2:]] == ["nothing_planted"] * 2
    strayed = [row.value for row in look(build(attributes=["age"], spread=5), *[[MAN]] * 2000) if row.value is not None]
    assert fmean(strayed) == pytest.approx(68, abs=0.6)  # five standard errors
    assert pstdev(strayed) == pytest.approx(5, rel=0.1)


def test_several_people_are_each_described_and_the_image_is_abstained_from() -> None:
    assert look(build(attributes=["gender"]), [MAN, WOMAN]) == [
        Abstention("i0", "simulated@1", "several_people"),
        Observation("i0", "simulated@1", 0, "gender", (1.0, 0.0)),
        Observation("i0", "simulated@1", 1, "gender", (0.0, 1.0)),
    ]


@pytest.mark.parametrize(
    ("planted", "asked", "reason"),
    [
        (0, 1, "no_person"), (1, 1, None), (2, 1, "several_people"),
        (0, 0, "no_person"), (1, 0, None), (3, 0, None),
        (0, 2, "no_person"), (1, 2, "one_person"), (2, 2, None), (3, 2, "several_people"),
    ],
)  # fmt: skip
def test_the_image_is_abstained_from_unless_as_many_are_there_as_were_asked_for(
    planted: int, asked: int, reason: str | None
) -> None:
    rows = list(build().annotate([Image("i", None, [MAN, WOMAN, MAN][:planted], asked)]))
    assert [row.reason for row in rows if row.subject is None] == ([reason] if reason else [])
    assert len(seen(rows)) == 3 * planted


def test_of_two_who_were_asked_for_the_first_is_the_left_one() -> None:
    annotator = build(attributes=["gender"])
    assert list(annotator.annotate([Image("i", None, [WOMAN, MAN], 2)])) == [
        Observation("i", "simulated@1", 0, "gender", (0.0, 1.0)),
        Observation("i", "simulated@1", 1, "gender", (1.0, 0.0)),
    ]


def test_whether_there_are_people_is_said_when_asked_for() -> None:
    annotator = build(attributes=["gender"], person=True)
    assert [attribute.name for attribute in annotator.attributes] == ["gender", "person"]
    assert look(annotator, [], [MAN], None) == [
        Abstention("i0", "simulated@1", "no_person"),
        Observation("i0", "simulated@1", 0, "person", (0.0, 1.0)),
        Observation("i1", "simulated@1", 0, "person", (1.0, 0.0)),
        Observation("i1", "simulated@1", 0, "gender", (1.0, 0.0)),
        Abstention("i2", "simulated@1", "nothing_planted"),
    ]


def test_softness_spreads_mass_evenly_over_the_other_groups() -> None:
    masses = seen(look(build(attributes=["gender", "age3"], softness=0.2, person=True), [MAN]))
    assert masses == [(1.0, 0.0), pytest.approx((0.8, 0.2)), pytest.approx((0.1, 0.1, 0.8))]


@given(st.floats(0, 1, exclude_max=True), st.sampled_from(["gender", "age3", "race5", "skin_tone"]))
def test_soft_masses_add_up_and_say_who_is_perceived(softness: float, name: str) -> None:
    annotator = build(attributes=[name], softness=softness)
    (attribute,) = annotator.attributes
    (mass,) = seen(look(annotator, [{name: attribute.groups[-1]}]))
    assert sum(mass) == pytest.approx(1.0)
    assert min(mass) >= 0
    assert mass[-1] == pytest.approx(1 - softness)


def test_every_image_gets_a_row_and_says_why_there_is_nothing_to_see() -> None:
    assert look(build(attributes=["gender", "race5"]), [], None, [MAN], [{}]) == [
        Abstention("i0", "simulated@1", "no_person"),
        Abstention("i1", "simulated@1", "nothing_planted"),
        Observation("i2", "simulated@1", 0, "gender", (1.0, 0.0)),
        Abstention("i2", "simulated@1", "nothing_planted", 0, "race5"),
        Abstention("i3", "simulated@1", "nothing_planted", 0, "gender"),
        Abstention("i3", "simulated@1", "nothing_planted", 0, "race5"),
    ]


@given(st.permutations(range(8)), st.integers(0, 8))
def test_an_image_is_seen_the_same_whatever_else_is_in_the_batch(order: list[int], length: int) -> None:
    annotator = build(accuracy=0.5)
    images = [Image(f"i{n}", None, [MAN, WOMAN][: n % 3]) for n in range(8)]
    alone = [list(annotator.annotate([image])) for image in images]
    chosen = order[:length]
    together = list(annotator.annotate([images[n] for n in chosen]))
    assert together == [row for n in chosen for row in alone[n]]


@pytest.mark.parametrize("accuracy", [0.0, 0.6, 1.0])
def test_accuracy_is_the_rate_of_right_answers_and_errors_spread_evenly(accuracy: float) -> None:
    annotator = build(attributes=["age3"], accuracy=accuracy)
    counts = Counter(seen(look(annotator, *[[MAN]] * 3000)))
    assert binomtest(counts[0.0, 0.0, 1.0], 3000, accuracy).pvalue > 0.01
    if accuracy < 1:
        assert chisquare([counts[1.0, 0.0, 0.0], counts[0.0, 1.0, 0.0]]).pvalue > 0.01


def test_errors_in_one_attribute_or_person_say_nothing_about_another() -> None:
    rows = seen(
        look(
            build(attributes=["gender", "gender3"], groups={"gender3": ["male", "female"]}, accuracy=0.5),
            *[[{"gender": "male", "gender3": "male"}] * 2] * 1000,
        )
    )
    patterns = Counter(tuple(mass[0] for mass in rows[start : start + 4]) for start in range(0, 4000, 4))
    assert len(patterns) == 16
    assert chisquare(list(patterns.values())).pvalue > 0.01


def test_attributes_of_ones_own_and_redefined_ones() -> None:
    annotator = build(
        attributes=["hat", "gender"], groups={"hat": ["no", "yes"], "gender": ["male", "female", "other"]}
    )
    assert seen(look(annotator, [{"hat": "yes", "gender": "other"}])) == [(0.0, 1.0), (0.0, 0.0, 1.0)]


def test_words_are_read_as_they_were_planted_whatever_the_accuracy() -> None:
    annotator = build(attributes=["caption", "prompt_match"], accuracy=0.0)
    assert look(annotator, [{"caption": "an apple on a tree", "prompt_match": "match"}], [{}]) == [
        Observation("i0", "simulated@1", 0, "caption", text="an apple on a tree"),
        Observation("i0", "simulated@1", 0, "prompt_match", (0.0, 1.0)),
        Abstention("i1", "simulated@1", "nothing_planted", 0, "caption"),
        Abstention("i1", "simulated@1", "nothing_planted", 0, "prompt_match"),
    ]


def test_a_planted_group_that_does_not_exist_is_named() -> None:
    with pytest.raises(ConfigError, match=r"attribute 'gender' has no group 'femal'; did you mean 'female'\?"):
        look(build(), [{"gender": "femal"}])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attributes": ["gendr"]}, "annotator 'simulated' knows no attribute 'gendr'; did you mean 'gender'?"),
        ({"attributes": ["ita"]}, "annotator 'simulated' reads groups, and 'ita' has none; leave it out"),
        ({"groups": {"hat": ["yes"]}}, "attribute 'hat' needs two or more different groups, got ['yes']"),
        ({"accuracy": 1.01}, "study.toml: 'accuracy': input should be less than or equal to 1 (got 1.01)"),
        ({"softness": 1}, "study.toml: 'softness': input should be less than 1 (got 1)"),
        (
            {"attributes": ["person"]},
            "annotator 'simulated' says whether there are people with the option person = true",
        ),
        ({"acuracy": 1}, "study.toml: unknown key 'acuracy'; did you mean 'accuracy'?"),
    ],
)
def test_options_that_make_no_sense_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(**options)
    assert str(caught.value) == message


def test_it_takes_no_argument() -> None:
    with pytest.raises(ConfigError, match="'simulated' takes no argument, got 'x'; use its options instead"):
        Simulated("x", SimulatedOptions())
