"""The questionnaire: the built-in questions or a study's own, and what raters answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.study.arena.config import ArenaConfig
from portrayal.web.texts import LANGUAGES, Texts, load_texts

__all__ = ["LONGEST_ANSWER", "RaterQuestion", "questions_for", "read_answers"]

LONGEST_ANSWER = 80
"""Characters of an answer in a rater's own words."""

BUILT_IN_QUESTIONS: Mapping[str, str] = {"age": "abcdefg", "gender": "", "country": "", "use": "abcde"}
"""Keys of the questions and of their options in the texts; none means an answer in own words."""


@dataclass(frozen=True, slots=True)
class RaterQuestion:
    """One question in one language; ``stored`` is what is kept of each option, whatever language it was read in."""

    key: str
    label: str
    options: Sequence[str] = ()
    stored: Sequence[str] = ()


def questions_for(config: ArenaConfig, texts: Texts) -> list[RaterQuestion]:
    """Return the study's questions in a language."""
    if not config.questions:
        return [_built_in(key, options, texts) for key, options in BUILT_IN_QUESTIONS.items()]
    return [
        RaterQuestion(
            own.key,
            _in_language(own.label, texts.language),
            [_in_language(option, texts.language) for option in own.options],
            [_in_language(option, LANGUAGES[0]) for option in own.options],
        )
        for own in config.questions
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


def _built_in(key: str, options: str, texts: Texts) -> RaterQuestion:
    label, english = texts(f"questions.{key}.label"), load_texts("portrayal.web.arena", LANGUAGES[0])
    names = [f"questions.{key}.{option}" for option in options]
    return RaterQuestion(key, label, [texts(name) for name in names], [english(name) for name in names])


def _in_language(label: Mapping[str, str], language: str) -> str:
    return label.get(language) or label.get(LANGUAGES[0]) or next(iter(label.values()))
