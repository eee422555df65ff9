from __future__ import annotations

import pytest

from portrayal.apps.studio.asked import FIRST_TERMS, MOST_PROMPTS, Asked, asked_of, usual_terms
from portrayal.errors import InputError
from portrayal.methods import DEFAULT


def test_ticked_terms_become_a_part_of_the_suite() -> None:
    form = {"asked": "some", "term-a-1": "CEO", "term-b-2": "Nurse", "term-c-3": "nobody", "other": "Judge"}
    assert asked_of(form, DEFAULT) == Asked(suite={"use": "occupations", "options": {"terms": ["CEO", "Nurse"]}})
    assert asked_of(form, "bafis") == Asked()
    with pytest.raises(InputError, match="tick"):
        asked_of({"asked": "some"}, DEFAULT)


def test_what_is_ticked_first_can_be_asked() -> None:
    assert {term for terms in usual_terms().values() for term in terms} >= set(FIRST_TERMS)


@pytest.mark.parametrize(
    ("text", "prompts"),
    [
        ("a nurse\r\n\r\n a CEO \na nurse", ["a nurse", "a CEO"]),
        ("a nurse, smiling\na CEO", ["a nurse, smiling", "a CEO"]),
        ('Text,Term\n"a nurse, happy",nurse', [{"text": "a nurse, happy", "term": "nurse"}]),
    ],
)  # fmt: skip
def test_own_prompts_are_lines_or_a_table(text: str, prompts: list[object]) -> None:
    assert asked_of({"prompts": text}, DEFAULT).prompts == prompts


def test_own_prompts_that_are_none_or_too_many_are_refused() -> None:
    assert asked_of({"prompts": " "}, DEFAULT) == asked_of({"asked": "all", "prompts": "x"}, DEFAULT) == Asked()
    with pytest.raises(InputError, match="write down"):
        asked_of({"asked": "own", "prompts": " \n"}, DEFAULT)
    with pytest.raises(InputError, match="more than"):
        asked_of({"prompts": "\n".join(map(str, range(MOST_PROMPTS + 1)))}, DEFAULT)
