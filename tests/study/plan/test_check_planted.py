"""Mistyped names in what a generator is told to plant are refused before anything is drawn, or said."""

from __future__ import annotations

from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.generators.simulated import Simulated, SimulatedOptions
from portrayal.records import Prompt, attribute_table
from portrayal.study.plan.check_planted import check_planted, unasked_terms

HALVES = {"male": 0.5, "female": 0.5}


def simulated(**options: Any) -> Simulated:
    return Simulated("", SimulatedOptions(**options))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"shares": {"gender": {"mael": 0.5, "female": 0.5}}}, "options.shares: attribute 'gender' has no group 'mael"
         "'; did you mean 'male'?"),
        ({"shares": {"left.gender": {"men": 1.0}}}, "options.shares: attribute 'gender' has no group 'men'; known: "),
        ({"terms": {"nurse": {"gender": {"femal": 1.0}}}}, "options.terms.nurse: attribute 'gender' has no group '"),
        ({"terms": {"nurse": {"gendr": HALVES}}}, "options.terms.nurse: no attribute 'gendr'; did you mean 'gender'?"),
        ({"moves": {"brave": {"gender": {"mal": 0.5}}}}, "options.moves.brave: attribute 'gender' has no group 'mal"),
    ],
)  # fmt: skip
def test_a_mistyped_attribute_or_group_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_planted([simulated(**options)], attribute_table(), {"gender"})
    assert f"generator 'simulated': {said}" in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"shares": {"gender": HALVES, "left.gender": {"female": 1.0}}},
        {"shares": {"caption": {"a {term} on a table": 1.0}}},
        {"shares": {"smile": {"yes": 0.5, "no": 0.5}}},
        {"shares": {"race7": {"martian": 1.0}}},
    ],
    ids=["none", "sides", "words", "unlike all others", "nobody reports it"],
)
def test_other_names_are_taken(options: dict[str, Any]) -> None:
    check_planted([simulated(**options), object()], attribute_table(), {"gender", "caption"})


def test_terms_that_no_prompt_is_about_are_said() -> None:
    terms = {term: {"gender": HALVES} for term in ("nruse", "NURSE", "plumber")}
    prompts = [Prompt("a nurse", "Nurse"), Prompt("a CEO", "CEO")]
    assert list(unasked_terms([simulated(terms=terms), object()], prompts)) == [
        "generator 'simulated': options.terms: no prompt has the term 'nruse'; did you mean 'Nurse'?",
        "generator 'simulated': options.terms: no prompt has the term 'plumber'",
    ]
