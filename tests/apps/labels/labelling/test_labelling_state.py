"""Which pictures raters get: as many raters as wanted, one more where they stand equal, nobody twice."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.apps.labels.labelling.labelling_state import LabellingState, LabelRules
from portrayal.apps.labels.labelling.picture import Change, LabelTask, Picture
from portrayal.apps.labels.labelling.summary import summarize
from portrayal.study.sql.rater import Rater
from portrayal.web.raters.dealt_tasks import NotOpenError

MAN = {"gender": "male", "person": "person"}
WOMAN = {"gender": "female", "person": "person"}
UNSURE = {"gender": "", "person": "person"}


def state_of(pictures: int = 4, raters: int = 2, quota: int = 10, people: str = "abc") -> LabellingState:
    rules = LabelRules(raters, quota, {"gender": ("male", "female")})
    drawn = [Picture(f"i{number}", "", "png", "", 1.0, number, 0.0) for number in range(pictures)]
    state = LabellingState(rules, [one.image for one in drawn], np.random.default_rng(0))
    state.apply(Change([Rater(name, name, "", "", 0.0) for name in people], pictures=drawn))
    return state


def deal(state: LabellingState, rater: str) -> LabelTask | None:
    task = state.propose(rater, 0.0)
    if task is not None:
        state.apply(Change(tasks=[task]))
    return state.current(rater)


def say(state: LabellingState, rater: str, said: dict[str, str]) -> LabelTask | None:
    task = deal(state, rater)
    if task is not None:
        state.apply(Change(tasks=[state.labelled(rater, task.id, said, 1.0, 2.0)]))
    return task


def test_pictures_begun_by_others_come_first_and_those_before_others_last() -> None:
    state = state_of(people="abcd")
    first, waiting = say(state, "a", MAN), deal(state, "a")
    begun, another = deal(state, "b"), deal(state, "c")
    assert first
    assert waiting
    assert begun
    assert another
    assert begun.image == first.image
    # The first has all the raters it needs before it; the second lacks one.
    assert another.image == waiting.image
    last = deal(state, "d")
    assert last
    assert last.image not in (first.image, waiting.image)


def test_two_who_agree_are_enough_and_two_who_do_not_get_a_third() -> None:
    for second, wanted in ((MAN, 0), (WOMAN, 1), (UNSURE, 0)):
        state = state_of(pictures=1)
        say(state, "a", MAN)
        say(state, "b", second)
        assert state.needs(("i0", "")) == wanted
        assert (say(state, "c", MAN) is not None) == bool(wanted)
        assert state.needs(("i0", "")) == 0


def test_whether_anybody_is_there_is_a_question_too() -> None:
    state = state_of(pictures=1)
    say(state, "a", MAN)
    say(state, "b", {"gender": "", "person": "not_person"})
    assert state.needs(("i0", "")) == 1


def test_nobody_sees_a_picture_twice_or_more_than_the_quota() -> None:
    state = state_of(pictures=4, quota=3)
    seen = [task.image for _ in range(5) if (task := say(state, "a", MAN))]
    assert len(seen) == len(set(seen)) == 3
    progress = state.progress("a")
    assert (progress.done, progress.total) == (3, 3)


def test_what_a_rater_left_out_said_is_asked_of_others_again() -> None:
    state = state_of(pictures=1)
    say(state, "a", MAN)
    say(state, "b", MAN)
    rater = state.rater("b")
    assert rater
    out = Rater(rater.id, rater.token_hash, "", "", 0.0, excluded=True)
    state.apply(Change([out]))
    assert state.needs(("i0", "")) == 1
    assert state.answers(("i0", "")) == [MAN]
    state.apply(Change([rater]))
    assert state.needs(("i0", "")) == 0


def test_a_taken_back_answer_counts_no_more() -> None:
    state = state_of(pictures=2)
    say(state, "a", MAN)
    opened = state.reopened("a")
    assert opened
    state.apply(Change(tasks=[opened]))
    assert state.answers(opened.key) == []
    assert state.current("a") == opened


def test_a_picture_that_left_the_study_gives_its_place_to_another() -> None:
    state = state_of(pictures=2)
    task = deal(state, "a")
    assert task
    state.here -= {task.image}
    other = deal(state, "a")
    assert other
    assert (other.image, other.number) == ("i1" if task.image == "i0" else "i0", 1)


def test_a_label_must_be_of_the_picture_before_the_rater_and_of_its_groups() -> None:
    state = state_of()
    task = deal(state, "a")
    assert task
    with pytest.raises(NotOpenError):
        state.labelled("b", task.id, MAN, 0.0, 0.0)
    for wrong in ({"gender": "male"}, {**MAN, "gender": "other"}, {**MAN, "age": "young"}, {**MAN, "person": "yes"}):
        with pytest.raises(ValueError, match="a label needs a group"):
            state.labelled("a", task.id, wrong, 0.0, 0.0)


def test_a_proposal_that_came_to_nothing_holds_no_picture() -> None:
    state = state_of(pictures=1, raters=1)
    task = state.propose("a", 0.0)
    assert task
    state.withdraw(task)
    assert not any(state._waiting.values())
    assert state.progress("b").total == 1


def test_the_summary_counts_agreement_and_what_is_still_needed() -> None:
    state = state_of(pictures=30, quota=30)
    for number in range(30):
        say(state, "a", MAN if number % 2 else WOMAN)
    for number in range(29):
        say(state, "b", MAN if number % 2 else WOMAN)
    say(state, "b", WOMAN)  # a said of the last picture: a man
    summary = summarize(state)
    assert (summary.pictures, summary.complete, summary.more, summary.answers) == (30, 29, 1, 60)
    [gender] = summary.agreement
    assert (gender.pictures, gender.alike) == (30, 29)
    assert gender.alpha is not None
    assert gender.low is not None
    assert gender.low < gender.alpha < 1
    assert summary.raters[0].majority == pytest.approx(59 / 60)
    assert summary.raters[0].unsure == 0
    assert summary.raters[2].majority is None


def test_of_few_pictures_no_interval_is_given() -> None:
    state = state_of(pictures=3)
    for rater, said in (("a", MAN), ("b", WOMAN)):
        for _ in range(3):
            say(state, rater, said)
    [gender] = summarize(state).agreement
    assert gender.few
    assert gender.alpha is not None
    assert gender.alpha < 0
    assert gender.low is None


@pytest.mark.parametrize(
    ("said", "seconds", "number", "flags"),
    [(MAN, 2.0, 5, []), (MAN, 0.5, 5, ["fast"]), (UNSURE, 2.0, 5, ["unsure"]), (UNSURE, 0.5, 4, [])],
)
def test_who_is_very_fast_or_hardly_ever_tells_is_flagged(
    said: dict[str, str], seconds: float, number: int, flags: list[str]
) -> None:
    state = state_of(pictures=6)
    for _ in range(number):
        task = deal(state, "a")
        assert task
        state.apply(Change(tasks=[state.labelled("a", task.id, said, 1.0, seconds)]))
    assert list(summarize(state).raters[0].flags) == flags
