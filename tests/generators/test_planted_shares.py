from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.generators.planted_shares import followed, of_side, requests, side_of, split_aspect
from portrayal.records import Prompt, plan_job

EVEN = {"male": 0.5, "female": 0.5}
MEN = {"male": 1.0, "female": 0.0}
WOMEN = {"male": 0.0, "female": 1.0}
ONE = Prompt("a photo of one female nurse", "Nurse", requested={"gender": "female"})
TWO = Prompt("a boss and a clerk", "Boss / Clerk", requested={"left.gender": "male", "right.age3": "young"}, people=2)


@pytest.mark.parametrize("asked", [ONE, plan_job(ONE, "g", 0, 0)])
def test_one_person_stands_on_no_side(asked: Prompt) -> None:
    assert [side_of(asked, subject) for subject in range(2)] == ["", ""]
    assert [list(requests(asked, subject)) for subject in range(2)] == [[("gender", "female")], []]


@pytest.mark.parametrize("asked", [TWO, plan_job(TWO, "g", 0, 0)])
def test_two_people_stand_left_and_right_and_a_third_nowhere(asked: Prompt) -> None:
    assert [side_of(asked, subject) for subject in range(3)] == ["left", "right", ""]
    assert [list(requests(asked, subject)) for subject in range(3)] == [[("gender", "male")], [("age3", "young")], []]


def test_in_a_group_nobody_has_a_side_and_everybody_is_asked_for() -> None:
    asked = Prompt("female nurses", "Nurse", requested={"gender": "female", "left.age3": "young"}, people=0)
    assert [side_of(asked, subject) for subject in (0, 1, 5)] == ["", "", ""]
    assert [list(requests(asked, subject)) for subject in (0, 1, 5)] == [[("gender", "female")]] * 3


def test_an_aspect_names_a_side_only_if_there_is_such_a_side() -> None:
    assert split_aspect("right.age3") == ("right", "age3")
    assert split_aspect("middle.age3") == ("", "middle.age3")
    assert split_aspect("left") == ("", "left")


def test_an_aspect_wins_over_its_attribute_wherever_it_stands() -> None:
    for shares in ({"gender": EVEN, "left.gender": MEN}, {"left.gender": MEN, "gender": EVEN}):
        assert of_side(shares, "left") == {"gender": MEN}
        assert of_side(shares, "right") == of_side(shares, "") == {"gender": EVEN}
    assert of_side({"right.gender": WOMEN}, "left") == {}


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=5), st.integers(0, 4), st.floats(0, 1))
def test_following_keeps_a_distribution(weights: list[float], place: int, obey: float) -> None:
    shares = {str(index): weight / sum(weights) for index, weight in enumerate(weights)}
    mixed = followed(shares, str(place), obey)
    assert sum(mixed.values()) == pytest.approx(1)
    assert mixed[str(place)] == pytest.approx(obey + (1 - obey) * shares.get(str(place), 0))
    assert followed(shares, str(place), 0.0) == {str(place): 0.0} | shares
    assert {group for group, share in followed(shares, str(place), 1.0).items() if share} == {str(place)}
