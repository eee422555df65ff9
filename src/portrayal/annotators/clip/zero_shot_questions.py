"""Questions put into words: a handful of texts each, of which one fits best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import field_validator

from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import PERSON, SIDES, Attribute
from portrayal.settings import Settings

__all__ = ["OWN_PROMPT", "WORDS", "ZeroShotOptions", "ZeroShotQuestion", "put_questions"]

WORDS: Mapping[str, Mapping[str, str]] = {
    "gender": {"male": "a man", "female": "a woman"},
    "race5": {
        "european": "a European person",
        "east_asian": "an East Asian person",
        "african": "an African person",
        "latino": "a Latino person",
        "south_asian": "a South Asian person",
    },
    "race4": {
        "white": "a White person",
        "black": "a Black person",
        "east_asian": "an East Asian person",
        "south_asian": "a South Asian person",
    },
    "age3": {"young": "a young person", "middle_aged": "a middle-aged person", "elderly": "an elderly person"},
    "prompt_match": {"match": "{prompt}", "miss": "not {prompt}"},
}
OWN_PROMPT = "{prompt}"
"""Words that hold this ask about each image's own prompt, and are not put into a template."""


class ZeroShotOptions(Settings):
    """What is asked and how it is put. ``words`` say how a group is called, ``groups`` defines attributes of one's own.

    Words with ``{prompt}`` in them are a whole text, about the prompt that the image was drawn for.
    ``person`` and ``pair`` are the texts for "what was asked for is there" and "it is not": one person, or one at the
    left and one at the right.
    """

    attributes: tuple[str, ...] = ("gender", "race5", "age3")
    groups: Mapping[str, tuple[str, ...]] = {}
    words: Mapping[str, Mapping[str, str]] = {}
    template: str = "a photo of {group}"
    side_template: str = "a photo of two people, the person at the {side} is {group}"
    person: tuple[str, str] = ("a photo of a person", "a photo of something that is not a person")
    pair: tuple[str, str] = (
        "a photo of one person at the left and one person at the right",
        "a photo that does not show one person at the left and one person at the right",
    )

    @field_validator("template")
    @classmethod
    def _names_group(cls, template: str) -> str:
        return _checked(template, ("group",))

    @field_validator("side_template")
    @classmethod
    def _names_side(cls, template: str) -> str:
        return _checked(template, ("group", "side"))


@dataclass(frozen=True, slots=True)
class ZeroShotQuestion:
    """One attribute of one of ``people`` people, with a text for each of its groups."""

    people: int
    subject: int
    attribute: str
    texts: tuple[str, ...]


def put_questions(
    annotator: str, attributes: Sequence[Attribute], options: ZeroShotOptions
) -> tuple[tuple[ZeroShotQuestion, ...], tuple[ZeroShotQuestion, ...]]:
    """Return the questions about any image, and those about an image's own prompt."""
    words = _words(annotator, attributes, options)
    of_prompt = {name: texts for name, texts in words.items() if any(OWN_PROMPT in text for text in texts)}
    general = {name: texts for name, texts in words.items() if name not in of_prompt}
    return (
        tuple(_distinct(annotator, question) for question in _questions(general, options)),
        tuple(_distinct(annotator, ZeroShotQuestion(1, 0, *pair)) for pair in of_prompt.items()),
    )


def _questions(words: Mapping[str, Sequence[str]], options: ZeroShotOptions) -> Iterator[ZeroShotQuestion]:
    yield ZeroShotQuestion(1, 0, PERSON, options.person)
    for attribute, groups in words.items():
        yield ZeroShotQuestion(1, 0, attribute, tuple(options.template.format(group=group) for group in groups))
    yield ZeroShotQuestion(2, 0, PERSON, options.pair)
    for subject, side in enumerate(SIDES):
        for attribute, groups in words.items():
            texts = tuple(options.side_template.format(side=side, group=group) for group in groups)
            yield ZeroShotQuestion(2, subject, attribute, texts)


def _distinct(annotator: str, question: ZeroShotQuestion) -> ZeroShotQuestion:
    for text in question.texts:
        if question.texts.count(text) > 1:
            raise ConfigError(
                f"annotator {annotator!r}: two groups of {question.attribute!r} have the same text {text!r}; "
                "give each its own"
            )
    return question


def _words(annotator: str, chosen: Sequence[Attribute], options: ZeroShotOptions) -> dict[str, tuple[str, ...]]:
    """Return what each group is called, by the user before us; none is made up, for the words decide the result."""
    for name in options.words:
        if name not in options.attributes:
            raise ConfigError(f"annotator {annotator!r} has words for {name!r}, which is not among its attributes")
    return {attribute.name: _words_of(annotator, attribute, options) for attribute in chosen}


def _words_of(annotator: str, attribute: Attribute, options: ZeroShotOptions) -> tuple[str, ...]:
    name, given = attribute.name, options.words.get(attribute.name, {})
    if not attribute.groups:
        raise ConfigError(f"annotator {annotator!r} tells groups apart, and {name!r} has none; leave it out")
    for group in given:
        if group not in attribute.groups:
            hint = did_you_mean(group, attribute.groups)
            raise ConfigError(f"annotator {annotator!r}: words.{name} has no group {group!r}{hint}")
    known = {**WORDS.get(name, {}), **given}
    for group in attribute.groups:
        if group not in known:
            example = f'options.words.{name} = {{ {group} = "..." }}'
            raise ConfigError(f"annotator {annotator!r} has no words for {name!r}: set {example}")
    return tuple(known[group] for group in attribute.groups)


def _checked(template: str, wanted: Sequence[str]) -> str:
    rest = template
    for field in wanted:
        rest = rest.replace(f"{{{field}}}", "", 1)
    if len(template) - len(rest) != sum(len(field) + 2 for field in wanted) or "{" in rest or "}" in rest:
        raise ValueError(f"must hold {' and '.join(f'{{{field}}}' for field in wanted)} once and no other braces")
    return template
