from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.apps.studio.new.asked import FIRST_TERMS, MOST_PROMPTS, Asked, asked_of, preview
from portrayal.apps.studio.new.suite_questions import suite_questions
from portrayal.bundles import bundles
from portrayal.errors import InputError
from portrayal.methods import DEFAULT
from portrayal.study.config import PartConfig
from portrayal.study.parts.specs import build_suite


def test_ticked_terms_become_a_part_of_the_suite() -> None:
    form = {"asked": "some", "term-1-1": "CEO", "term-2-2": "Nurse", "term-3-3": "nobody", "other": "Judge"}
    assert asked_of(form, DEFAULT) == Asked(suite={"use": "occupations", "options": {"terms": ["CEO", "Nurse"]}})
    with pytest.raises(InputError, match="tick"):
        asked_of({"asked": "some"}, DEFAULT)


def test_what_is_ticked_first_can_be_asked() -> None:
    terms = suite_questions(DEFAULT).terms or {}
    assert {term for names in terms.values() for term in names} >= set(FIRST_TERMS)


@pytest.mark.parametrize("method", [name for name, bundle in bundles().items() if bundle.can_begin])
def test_of_every_method_a_part_can_be_asked_or_why_not_is_said(method: str) -> None:
    questions = suite_questions(method)
    if questions.problem:
        assert "options.path" in questions.problem
        return
    for names in (questions.terms or {}).values():
        form = {"asked": "some", "term-1-1": names[0], "term-1-2": names[-1]}
        asked = asked_of(form, method).suite
        assert isinstance(asked, dict)
        prompts = build_suite(PartConfig(**asked), Path()).prompts
        assert 0 < len(prompts) < questions.number
        assert {names[0], names[-1]} <= {prompt.term for prompt in prompts}
    for option, values in (questions.sets or {}).items():
        shown = preview({"asked": "some", f"set-{option}-1": values[-1]}, method, Path())
        assert 0 < shown.number < questions.number


def test_objects_actions_and_occupations_are_asked_beside_each_other(tmp_path: Path) -> None:
    form = {"asked": "some", "term-1-1": "apple", "switch-actions": "released", "switch-occupations": "/etc/passwd"}
    shown = preview(form, "tbyb", tmp_path)
    assert (shown.number, shown.prompts[0]) == (4, "a picture of an apple")
    assert preview({"asked": "some", "sample": "5"}, "tbyb", tmp_path).number == 5


def test_prompts_of_ones_own_that_hold_a_target_word(tmp_path: Path) -> None:
    form = {"asked": "own", "target": "phone", "prompts": "a phone on a desk\na cat\na man with a phone"}
    assert set(preview(form, "tbyb", tmp_path).prompts) == {"a phone on a desk", "a man with a phone"}
    assert preview({**form, "target": ""}, "tbyb", tmp_path).number == 3
    assert preview(form, DEFAULT, tmp_path).number == 3  # which looks for no word


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
