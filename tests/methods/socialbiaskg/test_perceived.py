from __future__ import annotations

from dataclasses import replace

import numpy as np

from portrayal.evidence import ComparedPairs
from portrayal.methods.socialbiaskg.looks import Look
from portrayal.methods.socialbiaskg.perceived import Perceived, Seen
from portrayal.stats.exact import Ints

GROUPS = ("black", "white")
NONE = np.zeros(2, dtype=np.int64)


def seen(cell: list[int], value: list[float], names: tuple[str, ...] = (), keys: list[int] | None = None) -> Seen:
    own = np.array(keys if keys is not None else range(len(cell)), dtype=np.uint64)
    return Seen(Look(own, np.array(cell), np.array(value), names), 2)


def perceived(group: Seen | None, job: Seen | None, nobody: Ints = NONE) -> Perceived:
    return Perceived(GROUPS, group, job, None, None, nobody, NONE)


def test_an_image_fails_that_shows_another_group_or_another_occupation() -> None:
    groups = seen([0, 0, 0, 0], [0, 1, 0, 1], GROUPS)
    jobs = seen([0, 0, 0, 0], [0, 0, 1, 1], ("A judge.", "clerk"))
    keys, failed, judged = perceived(groups, jobs).failures([0], "Judge", "black")
    assert (sorted(keys.tolist()), failed, judged) == ([1, 2, 3], 3, 4)


def test_what_is_told_by_half_fails_but_does_not_pass() -> None:
    groups = seen([0, 0], [0, 1], GROUPS)
    jobs = seen([0], [0], ("judge",), keys=[7])  # another image: of the first two no occupation is told
    _, failed, judged = perceived(groups, jobs).failures([0], "judge", "black")
    assert (failed, judged) == (1, 1)


def test_nobody_is_a_failure() -> None:
    groups = seen([0, 0], [0, 0], GROUPS)
    _, failed, judged = perceived(groups, None, np.array([3, 9])).failures([0], "judge", "black")
    assert (failed, judged) == (3, 5)


def test_where_nobody_looks_nothing_is_judged() -> None:
    assert perceived(None, None, np.array([3, 9])).failures([0], "judge", "black")[1:] == (0, 0)


def test_occupations_are_the_same_in_any_spelling() -> None:
    found = perceived(None, seen([0, 1, 1, 1], [2, 0, 1, 2], ("the Judge", "judge", "cook")))
    assert found.occupation_counts([1]) == {"judge": 2, "cook": 1}
    assert sorted(found.at_work([1], "Judge").tolist()) == [1, 2]


def test_groups_are_counted_by_cell() -> None:
    found = perceived(seen([0, 0, 1], [1, 1, 0], GROUPS), None)
    assert found.group_counts([0]).tolist() == [0, 2]
    assert found.group_counts([0, 1]).tolist() == [1, 2]
    assert found.shown([0, 1], "black").tolist() == [2]
    assert found.group_counts([]).tolist() == [0, 0]


def test_occupations_are_the_same_by_another_name() -> None:
    jobs = seen([0, 0, 0, 0], [0, 1, 2, 3], ("a Physician", "Dr.", "doctor", "surgeon"))
    found = replace(perceived(None, jobs), other_names={"physician": "doctor", "dr.": "doctor"})
    assert found.occupation_counts([0]) == {"doctor": 3, "surgeon": 1}
    assert sorted(found.at_work([0], "Doctor").tolist()) == [0, 1, 2]
    assert found.failures([0], "doctor", "black")[1:] == (1, 4)


def test_quality_takes_images_of_which_all_that_counts_is_known() -> None:
    natural, fitting = seen([0, 0], [4.0, 6.0], keys=[1, 2]), seen([0, 0], [0.5, 0.75], keys=[2, 3])
    both = Perceived(GROUPS, None, None, natural, fitting, NONE, NONE)
    assert [own.tolist() for own in both.qualities([0], 0.5)] == [[2], [6.0], [0.5]]
    alone = Perceived(GROUPS, None, None, natural, None, NONE, NONE)
    assert [own.tolist() for own in alone.qualities([0], 0.5)] == [[], [], []]
    assert [own.tolist() for own in alone.qualities([0], 1)] == [[1, 2], [4.0, 6.0], [0.0, 0.0]]
    other = Perceived(GROUPS, None, None, None, fitting, NONE, NONE)
    assert [own.tolist() for own in other.qualities([0], 0)] == [[2, 3], [0.0, 0.0], [0.5, 0.75]]


def test_images_that_were_compared_are_counted_once_each() -> None:
    none, alone = np.zeros(4, dtype=np.int64), np.array([0, 0, 1, 2])
    pairs = ComparedPairs(none, np.array([0, 0, 0, 1]), alone, np.array([1, 2, 2, 0]))
    found = replace(perceived(None, None), compared=pairs, style=np.array([0.5, 0.5, 0.5, np.nan]))
    assert found.images_compared([0], [0]) == 3
    assert found.images_compared([0], [1]) == 0  # of that pair nothing is known
    assert found.images_compared([1], [1]) == 0
