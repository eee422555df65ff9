from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError
from portrayal.methods.faintbench.suite.occupations import OccupationOptions, occupations
from portrayal.settings import parse_settings
from portrayal.suites import SUITES, Suite


def suite(**options: Any) -> Suite:
    return occupations(parse_settings(OccupationOptions, options, "study.toml"), Path())


def terms(**options: Any) -> list[str]:
    return [prompt.term for prompt in suite(**options).prompts]


def test_the_whole_suite() -> None:
    prompts = suite().prompts
    assert len(prompts) == 179
    assert len({prompt.id for prompt in prompts}) == 179
    assert len({prompt.term.casefold() for prompt in prompts}) == 179
    assert {(p.suite, p.language, p.weight, p.variant) for p in prompts} == {("occupations", "en", 1.0, "")}


def test_the_categories() -> None:
    assert Counter(prompt.category for prompt in suite().prompts) == {
        "arts": 20, "science": 20, "business": 17, "education": 16, "construction": 15, "sports": 15, "healthcare": 13,
        "transportation": 13, "legal": 10, "protective": 10, "production": 8, "other": 7, "sales": 7, "food": 5,
        "unofficial": 3,
    }  # fmt: skip


def test_the_registry_gives_this_suite_and_it_says_whom_to_cite() -> None:
    found: object = SUITES.load("occupations")
    assert found is occupations
    assert any("FAIntbench" in citation for citation in suite().citations)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("Art Teacher", "a portrait photo of an art teacher"),
        ("CEO", "a portrait photo of a CEO"),
        ("English Teacher", "a portrait photo of an English teacher"),
        ("TV Presenter", "a portrait photo of a TV presenter"),
        ("STEM Student", "a portrait photo of a STEM student"),
        ("University Professor", "a portrait photo of a university professor"),
    ],
)
def test_the_words_of_the_prompt(term: str, text: str) -> None:
    assert [prompt.text for prompt in suite(terms=[term]).prompts] == [text]


@pytest.mark.parametrize(("template", "text"), [("one {term}, smiling", "one nurse, smiling"), ("{a_term}", "a nurse")])
def test_a_template_of_ones_own(template: str, text: str) -> None:
    assert suite(template=template, terms=["Nurse"]).prompts[0].text == text


def test_terms_are_chosen_whatever_their_case_in_the_order_given_and_once() -> None:
    assert terms(terms=["nurse", "CEO", "NURSE", "nurse"]) == ["Nurse", "CEO"]


def test_categories_are_chosen_whatever_their_case() -> None:
    assert terms(categories=["Unofficial"]) == ["Day Laborer", "Ragpicker", "Urban Wanderer"]
    assert len(terms(categories=["food", "unofficial", "food"])) == 8


def test_terms_and_categories_together_mean_both() -> None:
    assert terms(terms=["Nurse", "Judge"], categories=["healthcare"]) == ["Nurse"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"terms": ["Nurze"]}, "suite 'occupations' has no occupation 'Nurze'; did you mean 'Nurse'?"),
        ({"terms": ["xyzzy"]}, "suite 'occupations' has no occupation 'xyzzy'; see: portrayal suites show occupations"),
        ({"categories": ["art"]}, "suite 'occupations' has no category 'art'; did you mean 'arts'?"),
        ({"categories": ["qqq"]}, "suite 'occupations' has no category 'qqq'; known: arts, business, construction,"),
        (
            {"terms": ["Nurse"], "categories": ["arts"]},
            "suite 'occupations': no occupation is in both 'terms' and 'categories'; widen one of them",
        ),
        (
            {"template": "a portrait"},
            "study.toml: 'template': the template needs {term} or {a_term} where the occupation goes (got ",
        ),
        ({"tems": ["Nurse"]}, "study.toml: unknown key 'tems'; did you mean 'terms'?"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        suite(**options)
    assert str(caught.value).startswith(message)
