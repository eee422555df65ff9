from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.arena.battles.attention_checks import check_places


@settings(deadline=None)
@given(st.text(max_size=8), st.integers(1, 200), st.floats(0, 0.5))
def test_checks_are_as_many_as_asked_for_and_never_first(rater: str, real: int, share: float) -> None:
    checks = round(real * share)
    places = check_places(rater, real + checks, checks)
    assert len(places) == checks
    assert all(2 <= place <= real + checks for place in places)


def test_each_third_of_the_battles_has_its_check() -> None:
    for rater in map(str, range(200)):
        first, second, third = sorted(check_places(rater, 34, 3))
        assert 2 <= first <= 12 < second <= 23 < third <= 34


def test_checks_stand_elsewhere_for_another_rater() -> None:
    assert len({check_places(str(rater), 33, 3) for rater in range(100)}) > 80


def test_the_places_never_change() -> None:
    # A server that starts again, in a newer version perhaps, must find the checks where they were.
    assert sorted(check_places("ann", 33, 3)) == [10, 19, 25]


def test_a_rater_who_knows_the_id_and_not_the_key_does_not_know_the_places() -> None:
    places = {check_places("ann", 33, 3, bytes([key]) * 32) for key in range(100)}
    assert len(places) > 80
    assert sorted(check_places("ann", 33, 3, b"k" * 32)) == [8, 19, 28]
