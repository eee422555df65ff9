"""Why images are not used, by cell; everything planned is either used or missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest

from portrayal.evidence import Batch, Missing, MissingCounts, People, Rule
from portrayal.records import Attribute

if TYPE_CHECKING:
    from tests.evidence.conftest import Store

CLIP, HUMANS = "clip@1", "humans"
EXACTLY = Rule("exactly", 0.2)
WOMAN, MAN = (0.0, 1.0), (1.0, 0.0)


def test_an_image_counts_once_where_both_people_lack_an_attribute(store: Store) -> None:
    store.made("a", "couple", 2)
    store.saw("a", MAN, "too_dark", subject=0)
    store.saw("a", WOMAN, "too_dark", subject=1)
    for rule in (EXACTLY, Rule("each"), Rule("asked")):
        assert store.missing(rule) == {("age3", "too_dark"): 1}


def test_an_attribute_of_one_of_two_people_is_missing(store: Store) -> None:
    store.made("a", "couple", 2)
    store.saw("a", MAN, None, subject=0)
    store.saw("a", WOMAN, subject=1)
    assert store.missing(EXACTLY) == {("age3", "nothing_observed"): 1}


def test_an_annotator_that_is_silent_about_what_it_declares_misses_it(store: Store) -> None:
    store.made("a")
    store.saw("a", MAN, None)
    assert store.missing(Rule("one")) == {("age3", "nothing_observed"): 1}


def test_what_an_annotator_never_tells_is_not_missing_image_by_image(make_store: Callable[..., Store]) -> None:
    store = make_store({CLIP: ("gender",), HUMANS: ("gender", "age3")})
    store.made("a")
    store.saw("a", MAN, None)
    assert store.missing(EXACTLY) == {}


def test_words_and_the_person_check_are_not_missed(make_store: Callable[..., Store]) -> None:
    store = make_store({CLIP: ("gender", "caption", "person", "age")})
    store.made("a")
    store.told("a", "gender", MAN)
    assert store.missing(Rule("one")) == {("age", "nothing_observed"): 1}


def test_a_number_that_is_none_is_missing(make_store: Callable[..., Store]) -> None:
    store = make_store({CLIP: ("age",)})
    for word, value in (("a", 30.0), ("b", float("nan")), ("c", float("inf"))):
        store.made(word)
        store.told(word, "age", value)
    assert store.missing(Rule("one")) == {("age", "nothing_observed"): 2}


def test_a_reason_of_an_attribute_does_not_count_in_an_image_that_cannot_be_used(store: Store) -> None:
    store.made("a")
    store.saw("a", MAN, "too_dark")
    store.said("a", "blurred")
    assert store.missing(Rule("one")) == {("", "blurred"): 1}


def test_a_reason_why_one_of_the_people_is_left_out_is_no_reason_against_the_image(store: Store) -> None:
    store.made("a")
    store.saw("a")
    store.said("a", "tiny", subject=1)
    assert store.missing(Rule("one")) == {}


def test_images_nobody_looked_at_are_missing(store: Store) -> None:
    for word in "abc":
        store.made(word)
    store.saw("b")
    assert store.missing(EXACTLY) == {("", "not annotated"): 2}
    assert store.missing(EXACTLY, HUMANS) == {("", "not annotated"): 3}


def test_images_that_were_not_made_are_nobodys(store: Store) -> None:
    store.unmade("pending")
    store.unmade("refused: policy")
    store.unmade("refused: policy", "CEO")
    assert store.missing(EXACTLY, "") == {("", "pending"): 1, ("", "refused: policy"): 2}
    assert store.missing(EXACTLY) == {}


def test_counts_are_by_cell_and_one_annotators_in_order() -> None:
    counts = {
        ("clip@1", "", "no_face"): np.array([0, 2]),
        ("clip@1", "gender", "blurred"): np.array([1, 0]),
        ("clip@1", "", "blurred"): np.array([4, 0]),
        ("", "", "pending"): np.array([1, 3]),
    }
    found = MissingCounts(counts)
    assert [(reason, own.tolist()) for reason, own in found.of("clip@1", "").items()] == [
        ("blurred", [4, 0]),
        ("no_face", [0, 2]),
    ]
    assert list(found.of("", "")) == ["pending"]
    assert found.of("humans", "") == {}


def test_a_picture_that_answers_several_prompts_is_missing_in_each(store: Store) -> None:
    store.made("a", "nurse")
    store.made("a", "couple", 2)
    store.made("a", "couple", 2)
    store.saw("a", "too_dark")
    need = Missing(EXACTLY)
    evidence = store.evidence(need)
    nurse, couple = (evidence.plan.places["g", store.prompts[text].id] for text in ("nurse", "couple"))
    counts = evidence[need].counts
    assert counts[CLIP, "gender", "too_dark"][[nurse, couple]].tolist() == [1, 0]
    assert counts[CLIP, "", "one_person"][[nurse, couple]].tolist() == [0, 1]  # the same picture again counts once


@pytest.mark.parametrize("people", get_args(People))
def test_everything_planned_is_used_or_missing(store: Store, people: People) -> None:
    for number in range(12):
        text, asked = (("nurse", 1), ("couple", 2), ("nurses", 0))[number % 3]
        store.made(str(number), text, asked)
        store.saw(str(number), "blurred" if number % 2 else MAN, None if number % 4 else (1.0, 0.0, 0.0))
        if number % 5 == 0:
            store.saw(str(number), MAN, subject=1)
        if number % 7 == 0:
            store.said(str(number), "several_faces")
    store.unmade("pending")
    rule = Rule(people)
    need = Missing(rule)
    evidence = store.evidence(need)
    for name in ("gender", "age3"):
        lost = [
            int(own.sum())
            for (by, about, _), own in evidence[need].counts.items()
            if by in ("", CLIP) and about in ("", name)
        ]
        complete = [told(batch, rule, store.attributes[name]) for batch in store.batches(evidence.plan)]
        assert sum(complete) + sum(lost) == 13


def told(batch: Batch, rule: Rule, attribute: Attribute) -> int:
    """Return in how many usable images an attribute is told of everybody."""
    count = np.bincount(batch.images.image[batch.images.told(attribute)], minlength=len(batch.images.keys))
    return int(np.count_nonzero(batch.usable(rule) & (count == batch.images.people)[batch.image]))
