from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from portrayal.apps.arena.battles.attention_checks import check_numbers


@given(st.text(max_size=8), st.integers(1, 200), st.floats(0, 0.5))
def test_checks_are_as_many_as_asked_for_and_never_first(rater: str, real: int, share: float) -> None:
    checks = round(real * share)
    numbers = check_numbers(rater, real + checks, checks)
    assert len(numbers) == checks
    assert all(2 <= number <= real + checks for number in numbers)


def test_each_third_of_the_battles_has_its_check() -> None:
    for rater in map(str, range(200)):
        first, second, third = sorted(check_numbers(rater, 34, 3))
        assert 2 <= first <= 12 < second <= 23 < third <= 34


def test_checks_stand_elsewhere_for_another_rater() -> None:
    assert len({check_numbers(str(rater), 33, 3) for rater in range(100)}) > 80


def test_the_numbers_never_change() -> None:
    # A server that starts again, in a newer version perhaps, must find the checks where they were.
    assert sorted(check_numbers("ann", 33, 3)) == [10, 19, 25]


def test_a_rater_who_knows_the_id_and_not_the_key_does_not_know_the_numbers() -> None:
    numbers = {check_numbers("ann", 33, 3, bytes([key]) * 32) for key in range(100)}
    assert len(numbers) > 80
    assert sorted(check_numbers("ann", 33, 3, b"k" * 32)) == [8, 19, 28]
