"""Names on the sheet: no digest, never too long, never two alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from portrayal.reports import ReportData
from portrayal.reports.summary.plain_names import NAME, PlainNames, _unlike, cropped


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("simulated@1#9a721d01", "simulated"),
        ("diffusers@1:org/sdxl#1a2b3c4d", "diffusers:org/sdxl"),
        ("imported:humans", "humans"),
        ("SDXL 1.0", "SDXL 1.0"),
        ("facegan@1", "facegan"),
        ("org/model@0123456789abcdef", "org/model"),
        ("mail@example.org", "mail@example.org"),
        ("Build #202611", "Build #202611"),
        ("model@2026", "model@2026"),
    ],
)
def test_digests_and_versions_of_parts_are_left_to_the_report(sample: ReportData, name: str, plain: str) -> None:
    names = PlainNames.of(replace(sample, generators=[name]))
    assert names(f"Nurse: a woman in 3 of 4 pictures by {name}.") == f"Nurse: a woman in 3 of 4 pictures by {plain}."
    assert not names.numbered


def test_parts_that_differ_in_their_digest_alone_are_numbered(sample: ReportData) -> None:
    names = PlainNames.of(replace(sample, generators=["simulated@1#9a721d01", "simulated@1#00ffaa11"]))
    assert names("simulated@1#00ffaa11 and simulated@1#9a721d01") == "simulated (2) and simulated (1)"
    assert names.numbered


def test_long_terms_are_cropped_within_sentences_also_with_a_capital(simulated: Callable[..., ReportData]) -> None:
    term = "a person who works with wood and sells what becomes of it " * 3 + "daily"
    data = simulated(terms=((term, "x"),), generators=("A",))
    said = PlainNames.of(data)(f"{term[0].upper()}{term[1:]}: 3 of 4")
    assert said.startswith("A person who")
    assert said.endswith("daily: 3 of 4")
    assert len(said) < 60


@given(some.lists(some.text(min_size=1), unique=True))
def test_no_two_names_become_the_same(names: list[str]) -> None:
    short, _ = _unlike(names, NAME)
    assert len(set(short.values())) == len(names)


@given(some.text(), some.integers(3, 80))
def test_nothing_is_longer_than_there_is_room(text: str, most: int) -> None:
    assert len(cropped(text, most)) <= most
