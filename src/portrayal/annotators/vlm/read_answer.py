"""What a model wrote about a picture, read with care: an answer that can be used, or why it cannot."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from portrayal.annotators.annotator import Observed
from portrayal.annotators.people import count_reason
from portrayal.annotators.vlm.questions import CANNOT_TELL, COUNTS, EVERYONE, PEOPLE, Questions, plain
from portrayal.records import PERSON, Abstention, Attribute, Image, Observation, attribute_table

__all__ = ["Invalid", "Told", "read_answer", "rows", "spoken"]

_LONGEST = 200
_LONGEST_ANSWER = 100_000
_DEEPEST = 50
_THOUGHT, _END = "<think>", "</think>"
_DESCRIBED = {"none": 0, "one": 1, "two": 2, "more": 3}

DescribedPerson = Mapping[str, str | None]
"""Attribute to group or words; None for what cannot be told."""


@dataclass(frozen=True, slots=True)
class Told:
    """A usable answer: how many people are shown (3: more than two, or three of a group), and those asked about."""

    shown: int
    persons: tuple[DescribedPerson, ...]


@dataclass(frozen=True, slots=True)
class Invalid:
    """An answer that cannot be used; ``why`` can be told to the model."""

    why: str


class _Unusable(Exception):  # noqa: N818 - becomes an Invalid
    """Leaves the reading at the first thing that is wrong."""


def read_answer(text: str, questions: Questions, people: int) -> Told | Invalid:
    """Read the answer about a picture for which so many people were asked for.

    A fence around the JSON, words before it, or thoughts do no harm. Of several objects the last counts. Of a group of
    any size (0) no more are read than were asked about.

    >>> from portrayal.annotators.vlm.questions import QuestionOptions
    >>> asked = Questions("vlm", QuestionOptions(attributes=("gender",)))
    >>> read_answer('Sure: {"people": "one", "person": {"gender": "cannot tell"}}', asked, 1)
    Told(shown=1, persons=({'gender': None},))
    >>> read_answer('{"people": "one", "person": {"gender": "both"}}', asked, 1)
    Invalid(why='"gender" must be one of "male", "female", "cannot tell"')
    """
    said = spoken(text)
    if len(said) > _LONGEST_ANSWER:
        return Invalid("it was too long")
    try:
        answer = _last_object(said)
        if people == 0:
            everyone = tuple(_person(person, questions) for person in _listed(EVERYONE, answer)[: questions.most])
            return Told(len(everyone), everyone)
        shown = _DESCRIBED[_choice(PEOPLE, answer, {count: count for count in COUNTS})]
        persons = tuple(_person(_inner(key, answer), questions) for key in questions.persons(people))
    except _Unusable as error:
        return Invalid(str(error))
    return Told(shown, persons)


def spoken(text: str) -> str:
    """Return an answer without the thoughts that some models write before it; a draft in them is no answer.

    >>> spoken('<think>Is it {"people": "two"}?</think> {"people": "one"}'), spoken("<think>Is it")
    (' {"people": "one"}', '')
    """
    # Some chat templates begin the thought themselves, so that only its end is written.
    return text.rpartition(_END)[2].partition(_THOUGHT)[0]


def rows(image: Image, name: str, told: Told, questions: Questions) -> Iterator[Observed]:
    """Yield what an answer says: whether people are shown, whether as many as asked for, and each of them."""
    present = attribute_table()[PERSON].one_hot("person" if told.shown else "not_person")
    yield Observation(image.id, name, 0, PERSON, present)
    if reason := count_reason(told.shown, image.people):
        yield Abstention(image.id, name, reason)
    for subject, person in enumerate(_described(told)):
        for attribute in questions.attributes:
            yield _row(image.id, name, subject, attribute, person[attribute.name])


def _row(image: str, name: str, subject: int, attribute: Attribute, said: str | None) -> Observed:
    if said is None:
        return Abstention(image, name, "cannot_tell", subject, attribute.name)
    if attribute.is_text:
        return Observation(image, name, subject, attribute.name, text=said)
    return Observation(image, name, subject, attribute.name, attribute.one_hot(said))


def _described(told: Told) -> list[DescribedPerson]:
    """Return who is there: nobody, everyone asked about, or of two only whom something is told of."""
    if told.shown == 0:
        return []
    if told.shown >= len(told.persons):
        return list(told.persons)
    known = [person for person in told.persons if any(said is not None for said in person.values())]
    return known if len(known) == 1 else []  # of two descriptions of one person none can be trusted


def _last_object(text: str) -> Mapping[str, Any]:
    decoder, last, place = json.JSONDecoder(), None, text.find("{") if _depth(text) <= _DEEPEST else -1
    while place >= 0:
        try:
            last, end = decoder.raw_decode(text, place)
        except ValueError:
            end = place + 1
        place = text.find("{", end)
    if not isinstance(last, dict):
        raise _Unusable("there is no whole JSON object")
    return last


def _depth(text: str) -> int:
    """Return how many brackets are open at most: Python reads nested JSON by calling itself, and has an end."""
    steps = ((bracket in "{[") - (bracket in "}]") for bracket in text)
    return max(itertools.accumulate(steps), default=0)


def _inner(key: str, answer: Mapping[str, Any]) -> Mapping[str, Any]:
    value = answer.get(key)
    if not isinstance(value, dict):
        raise _Unusable(f'"{key}" must be an object')
    return value


def _listed(key: str, answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    value = answer.get(key)
    if not isinstance(value, list) or not all(isinstance(person, dict) for person in value):
        raise _Unusable(f'"{key}" must be a list of objects')
    return value


def _person(answer: Mapping[str, Any], questions: Questions) -> DescribedPerson:
    return {
        attribute.name: _words(attribute.name, answer)
        if attribute.is_text
        else _group(attribute.name, answer, questions.words[attribute.name])
        for attribute in questions.attributes
    }


def _group(key: str, answer: Mapping[str, Any], words: Mapping[str, str]) -> str | None:
    if key in answer and answer[key] is None:
        return None
    # Some models fall back to the names of groups; where a name is also another group's words, the words count.
    spellings = {**{group: group for group in words}, **{word: group for group, word in words.items()}}
    said = _choice(key, answer, {**spellings, CANNOT_TELL: CANNOT_TELL}, [*words.values(), CANNOT_TELL])
    return None if said == CANNOT_TELL else said


def _choice(key: str, answer: Mapping[str, Any], known: Mapping[str, str], shown: list[str] | None = None) -> str:
    value = answer.get(key)
    meanings = {plain(spelling): meaning for spelling, meaning in known.items()}
    if not isinstance(value, str) or plain(value) not in meanings:
        choices = ", ".join(f'"{choice}"' for choice in shown or known)
        raise _Unusable(f'"{key}" must be one of {choices}')
    return meanings[plain(value)]


def _words(key: str, answer: Mapping[str, Any]) -> str | None:
    if key not in answer or not isinstance(answer[key], str | None):
        raise _Unusable(f'"{key}" must be text')
    # JSON can spell half of a character, which no file can hold.
    text = " ".join((answer[key] or "").encode("utf-8", "replace").decode().split())[:_LONGEST].strip()
    return None if plain(text) in ("", CANNOT_TELL) else text
