"""Prompts in the names of files: numbers behind them are cut only where they count."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.study.importing.folders.file_names import prompts_in_names

UUID = "5e7a2c4d-0000-4b1c-9d3e-1f2a3b4c5d6e"


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("a photo of a nurse", "a photo of a nurse"),
        ("a_photo_of_a_nurse_001", "a photo of a nurse"),
        ("a-photo-of-a-nurse-001", "a photo of a nurse"),
        ("a photo of a nurse-0012", "a photo of a nurse"),
        ("A nurse (3)", "A nurse"),
        ("a nurse copy", "a nurse"),
        ("00012-3456789-a photo of a nurse", "a photo of a nurse"),
        ("3 nurses", "3 nurses"),
        ("a man with covid-19", "a man with covid-19"),
        (f"ann.b_a_photo_of_a_nurse_{UUID}", "a photo of a nurse"),
        (f"ann_a_nurse_--ar_23_--v_6.1_{UUID}_2", "a nurse"),
        ("DALL·E 2024-05-01 12.30.45 - A nurse, smiling", "A nurse, smiling"),
        ("eine_Krankenschwester_für_Kinder_07", "eine Krankenschwester für Kinder"),
        ("看護師の写真_01", "看護師の写真"),
        ("nurse_1", "nurse"),
        ("nurse - 2", "nurse"),
        ("nurse #2", "nurse"),
        ("nurse aged 30", "nurse aged 30"),
        ("nurse aged 30 (2)", "nurse aged 30"),
        ("a CEO in 1950", "a CEO in 1950"),
        (f"ann_nurse_aged_30_{UUID}_0", "nurse aged 30"),
        (f"{UUID}_a nurse", "a nurse"),
        ("0001", ""),
        (UUID, ""),
    ],
)
def test_prompts_are_found_in_names_as_programs_write_them(name: str, prompt: str) -> None:
    assert prompts_in_names([name]) == {name: prompt}
    accents = unicodedata.normalize("NFD", name)
    assert prompts_in_names([accents]) == {accents: prompt}


@given(st.lists(st.sampled_from(["a", "photo", "of", "nurse", "smiling", "CEO"]), min_size=1), st.integers(0, 999))
def test_a_prompt_comes_back_from_its_name_with_a_number(words: list[str], number: int) -> None:
    name = f"{'_'.join(words)}_{number:03}"
    assert prompts_in_names([name]) == {name: " ".join(words)}


@pytest.mark.parametrize("part", [" ", "_", "-"])
@pytest.mark.parametrize(
    ("numbers", "counting"),
    [
        ((1, 2, 3), True),
        ((0, 1), True),
        ((1, 3), True),
        ((2041, 2042, 2043), True),
        ((1, 2, 5, 6), True),
        ((30, 60), False),
        ((30, 31, 33), False),
        ((20, 30, 40, 50), False),
        ((1, 30), False),
        ((7, 42, 1234), False),
    ],
)
def test_numbers_are_cut_where_they_count_up(numbers: tuple[int, ...], part: str, *, counting: bool) -> None:
    names = [f"nurse{part}aged{part}{number}" for number in numbers]
    prompts = ["nurse aged" if counting else f"nurse aged {number}" for number in numbers]
    assert list(prompts_in_names([*names, "a CEO 30"]).values()) == [*prompts, "a CEO 30"]


def test_a_copy_has_the_number_of_its_original() -> None:
    assert set(prompts_in_names(["nurse 1", "nurse 2", "nurse 2 (2)", "nurse 2 copy"]).values()) == {"nurse"}


def test_a_name_without_a_number_is_the_first() -> None:
    assert set(prompts_in_names(["nurse", "nurse 2", "nurse 3"]).values()) == {"nurse"}
    assert set(prompts_in_names(["nurse", "nurse 30"]).values()) == {"nurse", "nurse 30"}


@given(st.lists(st.integers(2, 9999), min_size=2, max_size=6, unique=True))
def test_numbers_that_do_not_follow_each_other_keep_prompts_apart(numbers: list[int]) -> None:
    prompts = set(prompts_in_names([f"nurse aged {number}" for number in numbers]).values())
    assert len(prompts) == (1 if max(numbers) - min(numbers) + 1 == len(numbers) else len(numbers))
