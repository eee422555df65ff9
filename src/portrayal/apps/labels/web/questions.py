"""What raters are asked about the person in a picture, in their language, and what a sent form says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException

from portrayal.apps.labels.labelling.picture import Choices
from portrayal.language.translation import t
from portrayal.records import PERSON, Attribute
from portrayal.reports.text.words import attribute_title, capital, human

__all__ = ["CANNOT_TELL", "NOBODY", "Choice", "Question", "questions_about", "read_choices"]

NOBODY = "nobody"
"""The button that says that nobody is to be seen."""
CANNOT_TELL = "unsure"
"""The answer of who cannot tell."""
_KEYS = "1234567890"


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer: what is sent, what is read, and its key, if there is one left."""

    value: str
    name: str
    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """An attribute in the language spoken, with its groups."""

    attribute: str
    name: str
    hint: str
    choices: Sequence[Choice]


def questions_about(attributes: Mapping[str, Attribute]) -> list[Question]:
    """Return a question for each attribute."""
    return [_question(attribute) for attribute in attributes.values()]


def read_choices(attributes: Mapping[str, Attribute], form: Mapping[str, str]) -> tuple[Choices, list[str]]:
    """Return what a form says of each attribute, and which it leaves out; 400 for what cannot be meant."""
    if form.get(NOBODY):
        return {**dict.fromkeys(attributes, ""), PERSON: f"not_{PERSON}"}, []
    given: dict[str, str] = {}
    for name, attribute in attributes.items():
        said = form.get(name, "")
        if said == CANNOT_TELL:
            given[name] = ""
        elif said in attribute.groups:
            given[name] = said
        elif said:
            raise HTTPException(400)
    return {**given, PERSON: PERSON}, [name for name in attributes if name not in given]


def _question(attribute: Attribute) -> Question:
    keys = [*_KEYS, *[""] * len(attribute.groups)]
    groups = [Choice(group, capital(human(group)), key) for group, key in zip(attribute.groups, keys, strict=False)]
    hint = t("As the person looks to you. There is no right or wrong answer.")
    return Question(
        attribute.name,
        capital(attribute_title(attribute)),
        hint,
        [*groups, Choice(CANNOT_TELL, t("Cannot tell"), "s")],
    )
