"""Questions put into words: what a model that compares images with texts perceives, of one person or of two.

A question is a handful of texts of which one fits best; the model's scores for them become a probability mass. The
texts are the same for every image, so that a model encodes them once; only questions about an image's own prompt have
texts of their own. Nothing is cut off at a threshold here: what
counts as no person, or as sure, is for the measuring method to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from pydantic import field_validator

from portrayal.annotators.base import Observed, chosen_attributes
from portrayal.annotators.people import GROUP
from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import PERSON, SIDES, Abstention, Attribute, Image, Observation, attribute_table
from portrayal.settings import Settings
from portrayal.vision.pictures import Unreadable, open_rgb

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

    Score = Callable[[Sequence[Picture], Sequence[str]], NDArray[np.floating]]

__all__ = ["NO_PROMPT", "TOO_LONG", "WORDS", "ZeroShot", "ZeroShotOptions", "ZeroShotQuestion"]

WORDS: Mapping[str, Mapping[str, str]] = {
    "gender": {"male": "a man", "female": "a woman"},
    "race5": {
        "european": "a European person",
        "east_asian": "an East Asian person",
        "african": "an African person",
        "latino": "a Latino person",
        "south_asian": "a South Asian person",
    },
    "age3": {"young": "a young person", "middle_aged": "a middle-aged person", "elderly": "an elderly person"},
    "prompt_match": {"match": "{prompt}", "miss": "not {prompt}"},
}
_OWN = "{prompt}"
"""Words that hold this ask about each image's own prompt, and are not put into a template."""
NO_PROMPT, TOO_LONG = "no_prompt", "prompt_too_long"


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


class ZeroShot:
    """The questions of an annotator's options, and the way from a model's scores to observations.

    >>> asked = ZeroShot("clip", ZeroShotOptions(attributes=("gender",)))
    >>> asked.texts[2:4]
    ('a photo of a man', 'a photo of a woman')
    >>> [(row.attribute, row.mass) for row in asked.read(Image("i", None), "clip", np.zeros(len(asked.texts)))]
    [('person', (0.5, 0.5)), ('gender', (0.5, 0.5))]
    """

    def __init__(self, annotator: str, options: ZeroShotOptions) -> None:
        chosen = chosen_attributes(annotator, options.attributes, options.groups)
        if PERSON in options.attributes:
            raise ConfigError(f"annotator {annotator!r} always asks whether there is a person; leave {PERSON!r} out")
        words = _words(annotator, chosen, options)
        own = {name: texts for name, texts in words.items() if any(_OWN in text for text in texts)}
        general = {name: texts for name, texts in words.items() if name not in own}
        self.attributes: tuple[Attribute, ...] = (*chosen, attribute_table()[PERSON])
        self.questions = tuple(_distinct(annotator, question) for question in _questions(general, options))
        self.own = tuple(_distinct(annotator, ZeroShotQuestion(1, 0, *pair)) for pair in own.items())
        """Questions about an image's own prompt, of however many people it is."""
        self.texts: tuple[str, ...] = tuple(text for question in self.questions for text in question.texts)

    def annotate(self, images: Sequence[Image], name: str, score: Score) -> Iterator[Observed]:
        """Yield what ``score`` says about the images, under the annotator's ``name``, in order.

        ``score`` gets the pictures that could be opened and all texts, and returns logits (pictures, texts).
        """
        opened = [_open(image) if image.people else GROUP for image in images]
        pictures = [found for found in opened if not isinstance(found, str)]
        logits = np.zeros((len(images), len(self.texts)))
        if pictures:
            logits[[not isinstance(found, str) for found in opened]] = score(pictures, self.texts)
        for image, found, row in zip(images, opened, logits, strict=True):
            yield from self.rows([image], name, row[None, :], [found if isinstance(found, str) else ""])
            if self.own and not isinstance(found, str):
                told = image.text.strip()
                yield from self.own_rows(image, name, score([found], self.own_texts(image))[0] if told else NO_PROMPT)

    def own_texts(self, image: Image) -> list[str]:
        """Return the texts of the questions about an image's own prompt, one after the other."""
        return [text.replace(_OWN, image.text.strip()) for question in self.own for text in question.texts]

    def own_rows(self, image: Image, name: str, logits: NDArray[np.floating] | str) -> Iterator[Observed]:
        """Yield what is told about the image's own prompt from the logits of its texts, or why nothing is."""
        for question in self.own:
            if isinstance(logits, str):
                yield Abstention(image.id, name, logits, question.subject, question.attribute)
                continue
            part, logits = logits[: len(question.texts)], logits[len(question.texts) :]
            weights = np.exp(part - part.max())
            mass = tuple((weights / weights.sum()).tolist())
            yield Observation(image.id, name, question.subject, question.attribute, mass)

    def read(self, image: Image, name: str, logits: NDArray[np.floating]) -> Iterator[Observed]:
        """Yield one observation per question that fits how many people the image was to show."""
        yield from self.rows([image], name, logits[None, :], [""])

    def rows(
        self, images: Sequence[Image], name: str, logits: NDArray[np.floating], reasons: Sequence[str]
    ) -> Iterator[Observed]:
        """Yield the same for several images, ``logits`` (images, texts); no mass with a reason or of a group."""
        masses = self._masses(logits.astype(np.float64))
        for number, (image, reason) in enumerate(zip(images, reasons, strict=True)):
            if reason or image.people == 0:
                yield Abstention(image.id, name, reason if image.people else GROUP)
                continue
            for question, mass in zip(self.questions, masses, strict=True):
                if question.people == image.people:
                    yield Observation(image.id, name, question.subject, question.attribute, tuple(mass[number]))

    def _masses(self, logits: NDArray[np.float64]) -> list[list[list[float]]]:
        """Return for each question the masses of all images."""
        ends = np.cumsum([len(question.texts) for question in self.questions])[:-1]
        found = []
        for part in np.split(logits, ends, axis=1):
            weights = np.exp(part - part.max(axis=1, keepdims=True))
            found.append((weights / weights.sum(axis=1, keepdims=True)).tolist())
        return found


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


def _open(image: Image) -> Picture | str:
    try:
        return open_rgb(image.path)
    except Unreadable as error:
        return error.reason
