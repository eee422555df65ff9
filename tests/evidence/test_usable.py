"""Which images can be used: the one definition, case by case and against a plain one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.evidence import People, Rule
from portrayal.records import REASONS

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP = "clip@1"
EXACTLY = Rule("exactly", 0.2)
ALL: tuple[People, ...] = get_args(People)


@pytest.mark.parametrize(("people", "subjects"), [(1, (0, 1)), (1, (0, 2)), (2, (0, 1, 2)), (2, (4, 0, 2, 1))])
def test_more_people_than_asked_for_are_too_many(store: Store, people: int, subjects: Sequence[int]) -> None:
    store.made("a", people=people)
    for subject in subjects:
        store.saw("a", subject=subject)
    for rule in (EXACTLY, Rule("at_most")):
        assert store.usable(rule) == 0
        assert store.missing(rule) == {("", "several_people"): 1}


@pytest.mark.parametrize("subjects", [(0,), (0, 1), (0, 1, 2)])
def test_a_group_of_any_size_is_nobody_in_particular_and_the_others_count(
    store: Store, subjects: Sequence[int]
) -> None:
    store.made("a", "nurses", people=0)
    store.made("b")
    for subject in subjects:
        store.saw("a", subject=subject)
    store.saw("b")
    for rule in (EXACTLY, Rule("at_most")):
        assert store.usable(rule) == 1
        assert store.missing(rule) == {("", "group"): 1}
    assert store.usable(Rule("asked")) == 2, "where people are counted, each of a group counts"


def test_fewer_people_than_asked_for_are_one_person(store: Store) -> None:
    store.made("a", "couple", 2)
    store.saw("a")
    assert store.missing(EXACTLY) == {("", "one_person"): 1}
    assert store.usable(Rule("at_most")) == store.usable(Rule("one")) == store.usable(Rule("asked")) == 1


def test_an_image_in_which_nobody_is_described_is_missing_as_a_whole(store: Store) -> None:
    for word in "abcd":
        store.made(word)
    store.said("a", "tiny_face", subject=0)
    store.present("b", 1.0)
    store.present("c", 0.4)
    store.present("d", 0.1)
    # What is unlikely to show anyone shows nobody, and what is below the threshold is set aside first.
    assert store.missing(EXACTLY) == {
        ("", "nothing_observed"): 2, ("", "no_person"): 1, ("", "hallucination"): 1,
    }  # fmt: skip
    assert store.missing(Rule("one")) == {("", "nothing_observed"): 2, ("", "no_person"): 2}


@pytest.mark.parametrize(("probability", "reason"), [(0.4999999, "no_person"), (0.5, "nothing_observed")])
def test_who_is_probably_there_is_not_said_to_be_absent(store: Store, probability: float, reason: str) -> None:
    store.made("a")
    store.present("a", probability)
    assert store.missing(Rule("each")) == {("", reason): 1}


@pytest.mark.parametrize("people", ALL)
def test_an_image_of_whose_people_nothing_could_be_told_is_missing_attribute_by_attribute(
    store: Store, people: People
) -> None:
    for word in "ab":
        store.made(word)
    store.saw("a", "too_dark", "blurred")
    store.told("b", "tone3", (1.0, 0.0, 0.0))  # somebody is described, if only by something that nobody asked for
    assert store.usable(Rule(people)) == 2
    assert store.missing(Rule(people)) == {
        ("gender", "too_dark"): 1, ("age3", "blurred"): 1,
        ("gender", "nothing_observed"): 1, ("age3", "nothing_observed"): 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("people", "shown", "said", "reason"),
    [
        (1, 0, ["no_face"], "no_face"),
        (1, 1, ["blurred"], "blurred"),
        (1, 1, ["several_faces"], "several_faces"),
        (1, 2, ["several_faces"], "several_faces"),
        (2, 2, ["several_faces"], ""),
        (2, 3, ["several_faces"], "several_faces"),
        (2, 1, ["several_faces"], "several_faces"),
        (2, 2, ["blurred"], "blurred"),
        (2, 2, ["blurred", "several_faces"], "blurred"),
        (2, 2, ["several_faces", "blurred"], "blurred"),
        # Judged as a picture for a prompt that asks for two.
        (1, 1, ["one_face"], ""),
        (2, 1, ["one_face"], "one_face"),
        (1, 0, ["one_face"], "one_face"),
    ],
)
def test_what_is_said_about_the_whole_image(
    store: Store, people: int, shown: int, said: Sequence[str], reason: str
) -> None:
    store.made("a", people=people)
    for why in said:
        store.said("a", why)
    for subject in range(shown):
        store.saw("a", subject=subject)
    assert store.missing(EXACTLY) == ({("", reason): 1} if reason else {})
    assert store.usable(EXACTLY) == (not reason)


@pytest.mark.parametrize("people", ["one", "asked", "exactly", "each"])
def test_a_picture_judged_for_two_people_is_usable_where_one_is_wanted(store: Store, people: People) -> None:
    store.made("a", "couple", 2)
    store.made("a", "nurse", 1)
    store.said("a", "one_face")
    store.saw("a")
    assert store.usable(Rule(people)) == (1 if people == "exactly" else 2)


@pytest.mark.parametrize(("threshold", "kept"), [(0.2, 2), (0.7, 1), (0.70001, 0), (0.0, 3)])
def test_images_below_the_person_threshold_are_set_aside(store: Store, threshold: float, kept: int) -> None:
    for word, probability in (("a", 0.7), ("b", 0.2), ("c", 0.1999)):
        store.made(word)
        store.saw(word)
        store.present(word, probability)
    rule = Rule("exactly", threshold)
    assert store.usable(rule) == kept
    assert store.missing(rule) == ({("", "hallucination"): 3 - kept} if kept < 3 else {})


@pytest.mark.parametrize("threshold", [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
def test_the_person_threshold_itself_passes(store: Store, threshold: float) -> None:
    for word, probability in (("a", threshold), ("b", threshold - 1e-6)):
        store.made(word)
        store.saw(word)
        store.present(word, probability)
    assert store.usable(Rule("one", threshold)) == 1


def test_an_image_that_shows_nobody_is_a_hallucination_whatever_else_is_said(store: Store) -> None:
    store.made("a", "couple", 2)
    store.made("a", "nurse")
    store.said("a", "no_face")
    store.present("a", 0.1)
    store.saw("a")
    store.saw("a", subject=1)
    assert store.missing(EXACTLY) == {("", "hallucination"): 2}


def test_each_person_counts_whatever_is_said_as_long_as_somebody_is_described(store: Store) -> None:
    for word in "abc":
        store.made(word)
    store.said("a", "several_faces")
    store.saw("a")
    store.saw("a", subject=1)
    store.said("b", "blurred")
    store.saw("b")
    store.said("c", "no_face")
    assert store.usable(Rule("each")) == 2
    assert store.missing(Rule("each")) == {("", "no_face"): 1}
    assert store.missing(Rule("one")) == {("", "several_faces"): 1, ("", "blurred"): 1, ("", "no_face"): 1}


Described = st.lists(st.integers(0, 3), unique=True, max_size=4)
Said = st.lists(st.sampled_from([*(reason.code for reason in REASONS), "blurred", "error: x"]), max_size=3)


@pytest.mark.slow
@given(
    asked=st.integers(0, 2),
    subjects=Described,
    said=Said,
    shows=st.none() | st.sampled_from([0.1, 0.2, 0.4, 0.5, 0.9]),
    people=st.sampled_from(ALL),
    threshold=st.sampled_from([0.0, 0.2, 0.5]),
    order=st.randoms(use_true_random=False),
)
@settings(max_examples=300)
def test_the_definition_in_words(
    make_store: Callable[..., Store], asked: int, subjects: list[int], said: list[str], shows: float | None,
    people: People, threshold: float, order: Any,
) -> None:  # fmt: skip
    store = make_store()
    store.made("a", people=asked)
    for subject in subjects:
        store.saw("a", subject=subject)
    for reason in said:
        store.said("a", reason)
    if shows is not None:
        store.present("a", shows)
    order.shuffle(store.seen)
    reasons = [row.reason for row in store.seen if row.subject is None and row.reason]
    expected = plain(asked, len(subjects), reasons, shows, people, threshold) if store.seen else "not annotated"
    found = store.missing(Rule(people, threshold))
    assert {key: count for key, count in found.items() if not key[0]} == ({("", expected): 1} if expected else {})
    assert store.usable(Rule(people, threshold)) == (not expected)


def plain(asked: int, found: int, said: list[str], shows: float | None, people: People, threshold: float) -> str:
    """Return why an image cannot be used, "" where it can."""
    wanted = {
        "one": range(1, 2),
        "each": range(1, 100),
        "asked": range(1, 2 if asked == 1 else 100),
        "exactly": range(asked, asked + 1),
        "at_most": range(1, asked + 1),
    }[people]
    if people in ("exactly", "at_most") and asked == 0:
        return "group"
    if shows is not None and shows < threshold:
        return "hallucination"
    most = wanted[-1]
    about_number = {"one_face": 1, "one_person": 1, "several_faces": 2, "several_people": 2}
    if said:
        reason = [*(why for why in said if why in about_number), *(why for why in said if why not in about_number)][-1]
        if not (found in wanted and (most == 99 or about_number.get(reason) == most)):
            return reason
    if not found:
        return "no_person" if shows is not None and shows < 0.5 else "nothing_observed"
    if found not in wanted:
        return "one_person" if found < wanted[0] else "several_people"
    return ""
