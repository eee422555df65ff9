from __future__ import annotations

import pytest

from portrayal.errors import UnknownNameError
from portrayal.suites.isco import isco_of, isco_parents, isco_title


@pytest.mark.parametrize(
    ("term", "occupations", "code"),
    [
        ("accountant", "bafis", "2411"),
        ("Nurse", "bafis", "2221"),
        ("nurse", "faintbench", "2221"),
        ("ceo", "bafis", "1120"),
        ("painter", "bafis", "7131"),
        ("Painter", "faintbench", "2651"),
        ("Soldier", "faintbench", "0310"),
        ("astronaut", "bafis", ""),
    ],
)
def test_codes(term: str, occupations: str, code: str) -> None:
    assert isco_of(term, occupations) == code


def test_parents_of_a_code() -> None:
    assert isco_parents("0110") == ("011", "01", "0")
    assert isco_parents("2") == ()
    assert isco_title("9999") == ""


def test_another_list_has_no_codes() -> None:
    with pytest.raises(UnknownNameError, match="no occupation list named 'bafi'; did you mean 'bafis'"):
        isco_of("nurse", "bafi")
