from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from portrayal.errors import ConfigError
from portrayal.suites.choosing import choose_occupations


class Own(NamedTuple):
    name: str
    group: str


OCCUPATIONS = [Own(f"job {number}", "A" if number < 6 else "B") for number in range(9)]


def chosen(**options: Any) -> list[str]:
    wanted: Any = SimpleNamespace(**{"categories": (), "terms": (), "sample": 0, "sample_seed": 0, **options})
    return [own.name for own in choose_occupations("mine", OCCUPATIONS, lambda own: own.group, wanted)]


def test_categories_and_names_choose_whatever_their_case() -> None:
    assert chosen() == [own.name for own in OCCUPATIONS]
    assert chosen(categories=["b"]) == ["job 6", "job 7", "job 8"]
    assert chosen(categories=["B"], terms=["JOB 7", "job 1"]) == ["job 7"]


def test_a_sample_is_in_proportion_and_in_the_old_order() -> None:
    some = chosen(sample=3)
    assert [name in ("job 6", "job 7", "job 8") for name in some] == [False, False, True]
    assert some == sorted(some)
    with pytest.raises(ConfigError, match=r"^suite 'mine': 'sample' asks for 4 of 3 occupations; lower it$"):
        chosen(sample=4, categories=["B"])
