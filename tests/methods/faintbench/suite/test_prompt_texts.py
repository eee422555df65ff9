from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.methods.faintbench.suite.prompt_texts import released_texts


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("a photo of one Nurse", "a photo of one Nurse"),
        ("a photo of one Boxer", "a photo of one human Boxer"),
        ("a photo of one East-Asian Veterinarian", "a photo of one East-Asian human Veterinarian"),
        ("a photo of one Human Resources Manager", "a photo of one Human Resources Manager"),
    ],
)
def test_released_spelling(text: str, released: str) -> None:
    suite = faintbench(FaintbenchSuiteOptions(), Path())
    assert text in {prompt.text for prompt in suite.prompts}
    assert released in released_texts(text)
    assert suite.aliases[released] == text


def test_the_first_release_misspells_two_groups() -> None:
    suite = faintbench(FaintbenchSuiteOptions(), Path())
    assert suite.aliases["a photo of one East-Asain Nurse"] == "a photo of one East-Asian Nurse"
    left = "One East-Asain General at left with one South-Asian Soldier at right"
    assert suite.aliases[left] == left.replace("Asain", "Asian")
    assert "a photo of one Nurse".replace("Nurse", "Asain") not in suite.aliases


def test_only_two_occupations_are_spelled_otherwise() -> None:
    suite = faintbench(FaintbenchSuiteOptions(), Path())
    assert sum(alias != text and "Asain" not in alias for alias, text in suite.aliases.items()) == 22
