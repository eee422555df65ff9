"""The questionnaire: the built-in questions or a study's own, and what raters answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import LANGUAGES, speaking, spoken, t
from portrayal.web.raters.rater_config import RaterSiteConfig

__all__ = ["LONGEST_ANSWER", "RaterQuestion", "questions_for", "read_answers"]

LONGEST_ANSWER = 80
"""Characters of an answer in a rater's own words."""


@dataclass(frozen=True, slots=True)
class RaterQuestion:
    """One question in one language; without ``options`` it is answered in own words.

    ``stored`` is what is kept of each option, whatever language it was read in.
    """

    key: str
    label: str
    options: Sequence[str] = ()
    stored: Sequence[str] = ()


def questions_for(config: RaterSiteConfig) -> list[RaterQuestion]:
    """Return the study's questions in the language spoken."""
    if not config.questions:
        with speaking(LANGUAGES[0]):
            stored = [options for _, _, options in _built_in()]
        return [RaterQuestion(*built_in, kept) for built_in, kept in zip(_built_in(), stored, strict=True)]
    return [
        RaterQuestion(
            question.key,
            _in_language(question.label, spoken()),
            [_in_language(option, spoken()) for option in question.options],
            [_in_language(option, LANGUAGES[0]) for option in question.options],
        )
        for question in config.questions
    ]


def read_answers(questions: Sequence[RaterQuestion], form: Mapping[str, str]) -> dict[str, str]:
    """Return the answers in a form; what was left out or cannot be meant is left out."""
    answers: dict[str, str] = {}
    for question in questions:
        given = form.get(f"q-{question.key}", "").strip()
        if question.options:
            numbers = {str(number): text for number, text in enumerate(question.stored, 1)}
            given = numbers.get(given, "")
        if given:
            answers[question.key] = " ".join(given.split())[:LONGEST_ANSWER]
    return answers


def _built_in() -> list[tuple[str, str, list[str]]]:
    """Return key, label and options of each question that every study asks unless it has questions of its own."""
    ages = [t("Under 18"), t("18 to 24"), t("25 to 34"), t("35 to 44"), t("45 to 54"), t("55 to 64"), t("65 or older")]
    often = [t("Never"), t("Tried it a few times"), t("About every month"), t("About every week"), t("About every day")]
    return [
        ("age", t("How old are you?"), ages),
        ("gender", t("How do you describe your gender?"), []),
        ("country", t("Which country do you live in?"), []),
        ("use", t("How often do you use AI programs that make pictures?"), often),
    ]


def _in_language(label: Mapping[str, str], language: str) -> str:
    return label.get(language) or label.get(LANGUAGES[0]) or next(iter(label.values()))
