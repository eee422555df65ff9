from __future__ import annotations

import pytest

from portrayal.engines.deaths import Deaths, Task
from portrayal.errors import PortrayalError


def aside(batch: list[int], how: str) -> str:
    return f"{batch} {how}"


def hunted(deaths: Deaths[list[int], str], batch: list[int], poison: int) -> tuple[int, list[list[int]]]:
    """Work a batch off with workers that die of one number; return how many died, and what was done."""
    waiting, died, done = [Task(batch)], 0, []
    while waiting:
        task = waiting.pop(0)
        if poison in task.batch:
            died += 1
            waiting += deaths.died(task, "killed")
        else:
            done.append(task.batch)
    return died, done


@pytest.mark.parametrize(("size", "died"), [(1, 3), (8, 4), (32, 5), (5000, 8)])
def test_the_one_item_that_kills_is_found_in_few_tries_and_all_others_are_done_once(size: int, died: int) -> None:
    deaths: Deaths[list[int], str] = Deaths(aside, 2)
    found, done = hunted(deaths, list(range(size)), 0)
    assert (found, sorted(number for batch in done for number in batch)) == (died, list(range(1, size)))
    assert deaths.ended() == ["[0] killed"]


def test_what_was_set_aside_is_given_once_and_only_when_something_works() -> None:
    deaths: Deaths[list[int], str] = Deaths(aside, 2)
    hunted(deaths, [7], 7)
    assert deaths.worked() == ["[7] killed"]
    assert deaths.worked() == []
    assert deaths.ended() == []


def test_workers_that_die_of_everything_are_an_error_and_nothing_is_set_aside() -> None:
    deaths: Deaths[list[int], str] = Deaths(aside, 2)
    for number in range(6):
        hunted(deaths, [number], number)
    with pytest.raises(PortrayalError, match="die again and again"):
        hunted(deaths, [6], 6)


def test_four_that_kill_and_nothing_that_works_are_an_error() -> None:
    deaths: Deaths[list[int], str] = Deaths(aside, 2)
    for number in range(4):
        hunted(deaths, [number], number)
    with pytest.raises(PortrayalError, match="died of every image"):
        deaths.ended()


def test_without_a_way_to_set_aside_a_batch_is_tried_as_a_whole() -> None:
    deaths: Deaths[list[int], str] = Deaths(None, 2)
    once = deaths.died(Task([1, 2]), "killed")
    assert [task.batch for task in once] == [[1, 2]]
    twice = deaths.died(once[0], "killed")
    with pytest.raises(PortrayalError, match="die again and again \\(killed\\)"):
        deaths.died(twice[0], "killed")
