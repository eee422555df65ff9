from __future__ import annotations

from portrayal.records import plain_prompt, plain_text


def test_prompts_are_compared_without_case_underscores_and_runs_of_spaces() -> None:
    assert plain_prompt("A_photo  of one\tNurse ") == plain_prompt("a photo of one nurse") == "a photo of one nurse"


def test_names_that_are_not_utf8_become_text_that_can_be_stored() -> None:
    assert plain_text("infirmi\udce8re") == "infirmi?re"
    assert plain_text("看護師") == "看護師"
