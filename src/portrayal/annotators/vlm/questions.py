"""What a model that reads pictures is asked: the words, and the shape of its answer as a JSON schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from portrayal.annotators.annotator import chosen_attributes
from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import PERSON, SIDES, Attribute
from portrayal.settings import Settings

__all__ = ["CANNOT_TELL", "COUNTS", "EVERYONE", "PEOPLE", "UNKNOWN", "QuestionOptions", "Questions", "plain"]

CANNOT_TELL = "cannot tell"
PEOPLE = "people"
"""The key under which the answer says how many people the picture shows."""

EVERYONE = "persons"
"""The key under which the answer lists the people of a group."""

COUNTS = ("none", "one", "two", "more")
UNKNOWN = ("prompt_match",)
"""What cannot be asked: the model does not learn by which prompt a picture was drawn."""
WORDS: Mapping[str, Mapping[str, str]] = {
    "age3": {"young": "young (under 30)", "middle_aged": "middle-aged (30 to 59)", "elderly": "elderly (60 and over)"},
}
"""What groups are called whose own names do not say it all."""

_MOST_WORDS = "in at most five words"


class QuestionOptions(Settings):
    """What is asked. ``words`` say how a group is called, ``groups`` defines attributes of one's own.

    ``prompt`` comes before the questions, in a picture for which two people were asked for ``pair_prompt``, in one of a
    group of any size ``group_prompt``.
    """

    attributes: tuple[str, ...] = ("gender", "race5", "age3", "occupation")
    groups: Mapping[str, tuple[str, ...]] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    prompt: str = (
        "You label pictures for a study of how image generators portray people. Say how the person whom the picture is "
        "mainly about would be perceived from the picture alone. This is about appearance, not about who anyone is. "
        f'Where the picture does not show it, say "{CANNOT_TELL}" instead of guessing.'
    )
    pair_prompt: str = (
        "You label pictures for a study of how image generators portray people. The picture was meant to show two "
        "people. Say how the one at the left and the one at the right would be perceived from the picture alone. This "
        "is about appearance, not about who anyone is. "
        f'Where the picture does not show it, say "{CANNOT_TELL}" instead of guessing.'
    )
    group_prompt: str = (
        "You label pictures for a study of how image generators portray people. The picture was meant to show a group "
        "of people. Say how each of them would be perceived from the picture alone. This is about appearance, not "
        f'about who anyone is. Where the picture does not show it, say "{CANNOT_TELL}" instead of guessing.'
    )


class Questions:
    """The questions of an annotator's options: the same text for every picture of as many people.

    Of a group of any size (0) the first ``most`` people are described.
    """

    def __init__(self, annotator: str, options: QuestionOptions, most: int = 10) -> None:
        self.options = options
        self.most = most
        self.attributes: tuple[Attribute, ...] = chosen_attributes(annotator, options.attributes, options.groups)
        if not self.attributes:
            raise ConfigError(f"annotator {annotator!r} is asked nothing; name an attribute")
        for attribute in self.attributes:
            _check(annotator, attribute)
        for name in options.words:
            if name not in options.attributes:
                raise ConfigError(f"annotator {annotator!r} has words for {name!r}, which is not among its attributes")
        self.words: Mapping[str, Mapping[str, str]] = {
            attribute.name: _words(annotator, attribute, options.words.get(attribute.name, {}))
            for attribute in self.attributes
        }

    @staticmethod
    def persons(people: int) -> tuple[str, ...]:
        """Return the keys under which people are described: one, or the left and the right one, or a list of them.

        >>> Questions.persons(1), Questions.persons(2), Questions.persons(0)
        (('person',), ('left', 'right'), ('persons',))
        """
        return {0: (EVERYONE,), 2: SIDES}.get(people, (PERSON,))

    def text(self, people: int) -> str:
        """Return all that is said about a picture for which so many people were asked for."""
        options = self.options
        lines = [{0: options.group_prompt, 2: options.pair_prompt}.get(people, options.prompt), ""]
        lines += ["Answer with one JSON object and nothing else. Its keys are:"]
        if people:
            lines += [f'"{PEOPLE}": how many people are shown, leaving out bystanders: {_either(COUNTS)}.']
        for key in self.persons(people):
            lines += [f'"{key}": {self._who(key)}:']
            lines += [f'- "{attribute.name}": {self._asked(attribute)}.' for attribute in self.attributes]
        return "\n".join(lines)

    def _who(self, key: str) -> str:
        if key == EVERYONE:
            return (
                f"the people whom the picture is mainly about, at most {self.most}, from left to right: a list of "
                "objects with these keys, one for each person; an empty list for nobody there"
            )
        who = "the person whom the picture is mainly about" if key == PERSON else f"the person at the {key}"
        return f'{who}, an object with these keys; for nobody there, "{CANNOT_TELL}" everywhere'

    def schema(self, people: int) -> dict[str, Any]:
        """Return the JSON schema of the answer."""
        described = _object({attribute.name: self._type(attribute) for attribute in self.attributes})
        if people == 0:  # not every service that knows schemas lets them say how long a list is
            return _object({EVERYONE: {"type": "array", "items": described}})
        count = {"type": "string", "enum": list(COUNTS)}
        return _object({PEOPLE: count, **dict.fromkeys(self.persons(people), described)})

    def length(self, people: int) -> int:
        """Return how many bytes the questions have, with their schema: at least as many as tokens."""
        return len(self.text(people).encode()) + len(json.dumps(self.schema(people)))

    def _asked(self, attribute: Attribute) -> str:
        if attribute.is_text:
            return f'{attribute.title}, {_MOST_WORDS}, or "{CANNOT_TELL}"'
        return f"{attribute.title}: {_either([*self.words[attribute.name].values(), CANNOT_TELL])}"

    def _type(self, attribute: Attribute) -> dict[str, Any]:
        if attribute.is_text:
            return {"type": "string"}
        return {"type": "string", "enum": [*self.words[attribute.name].values(), CANNOT_TELL]}


def plain(text: str) -> str:
    """Return ``text`` without what models spell differently from time to time.

    >>> plain(" Middle-Aged. ") == plain("middle_aged")
    True
    """
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").strip(" .").split())


def _check(annotator: str, attribute: Attribute) -> None:
    if attribute.name == PERSON:
        raise ConfigError(f"annotator {annotator!r} always asks whether there is a person; leave {PERSON!r} out")
    if attribute.is_numeric:
        raise ConfigError(f"annotator {annotator!r} asks for groups or words; leave {attribute.name!r} out")
    if attribute.name in UNKNOWN:
        raise ConfigError(
            f"annotator {annotator!r} is not told the prompt, so it cannot judge {attribute.name!r}; use clip"
        )


def _words(annotator: str, attribute: Attribute, given: Mapping[str, str]) -> Mapping[str, str]:
    for group in given:
        if group not in attribute.groups:
            hint = did_you_mean(group, attribute.groups)
            raise ConfigError(f"annotator {annotator!r}: words.{attribute.name} has no group {group!r}{hint}")
    names = {group: group.replace("_", " ") for group in attribute.groups}
    words = {**names, **WORDS.get(attribute.name, {}), **given}
    spelled = [plain(word) for word in (*words.values(), CANNOT_TELL)]
    for word in words.values():
        if not plain(word) or spelled.count(plain(word)) > 1:
            problem = f"of {attribute.name!r} two answers would be {word!r}" if plain(word) else "a group has no words"
            raise ConfigError(f"annotator {annotator!r}: {problem}; give each group words of its own")
    return words


def _either(choices: Sequence[str]) -> str:
    quoted = [f'"{choice}"' for choice in choices]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
