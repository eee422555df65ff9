from __future__ import annotations

import re

import pytest

from portrayal.errors import InputError
from portrayal.suites.bafis import isco_of, isco_parents, isco_title, occupations
from portrayal.suites.terms import shipped_terms


def test_every_occupation_has_a_unit_group_with_known_parents() -> None:
    for occupation in occupations():
        assert re.fullmatch(r"\d{4}", occupation.isco), occupation.name
        assert all(isco_title(code) for code in (occupation.isco, *isco_parents(occupation.isco))), occupation.name


def test_every_occupation_of_faintbench_is_mapped_or_has_no_group() -> None:
    terms = [term.name for term in shipped_terms() if term.kind == "occupation"]
    without = [name for name in terms if not isco_of(name, "faintbench")]
    assert len(terms) == 179
    assert without == [
        "Business Student", "Doctoral Student", "Literature Student", "Research Assistant", "STEM Student",
        "Urban Wanderer",
    ]  # fmt: skip
    for name in set(terms) - set(without):
        code = isco_of(name, "faintbench")
        assert re.fullmatch(r"\d{4}", code), name
        assert all(isco_title(part) for part in (code, *isco_parents(code))), name


@pytest.mark.parametrize(
    ("term", "suite", "code"),
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
def test_codes(term: str, suite: str, code: str) -> None:
    assert isco_of(term, suite) == code


def test_the_same_word_is_the_same_occupation_but_for_painters() -> None:
    both = {occupation.name: isco_of(occupation.name, "faintbench") for occupation in occupations()}
    different = [name for name, code in both.items() if code and code != isco_of(name)]
    assert different == ["painter"]


def test_parents_of_a_code() -> None:
    assert isco_parents("0110") == ("011", "01", "0")
    assert isco_parents("2") == ()
    assert isco_title("9999") == ""


def test_another_suite_has_no_codes() -> None:
    with pytest.raises(InputError, match="no ISCO codes for the terms of suite 'bafi'; did you mean 'bafis'"):
        isco_of("nurse", "bafi")
