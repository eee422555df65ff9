"""What a model that compares images with texts perceives, of one person or of two.

Its scores for the texts of a question become a probability mass. The texts are the same for every image, so that a
model encodes them once; only questions about an image's own prompt have texts of their own. Nothing is cut off at a
threshold here: what counts as no person, or as sure, is for the measuring method to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from portrayal.annotators.annotator import Observed, chosen_attributes
from portrayal.annotators.clip.zero_shot_questions import OWN_PROMPT, ZeroShotOptions, put_questions
from portrayal.annotators.opening import picture_or_reason
from portrayal.annotators.people import GROUP
from portrayal.errors import ConfigError
from portrayal.records import PERSON, Abstention, Attribute, Image, Observation, attribute_table

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

    Score = Callable[[Sequence[Picture], Sequence[str]], NDArray[np.floating]]

__all__ = ["NO_PROMPT", "TOO_LONG", "ZeroShot"]

NO_PROMPT, TOO_LONG = "no_prompt", "prompt_too_long"


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
        self.attributes: tuple[Attribute, ...] = (*chosen, attribute_table()[PERSON])
        self.questions, self.of_prompt = put_questions(annotator, chosen, options)
        """Questions about an image's own prompt, of however many people it is."""
        self.texts: tuple[str, ...] = tuple(text for question in self.questions for text in question.texts)

    def annotate(self, images: Sequence[Image], name: str, score: Score) -> Iterator[Observed]:
        """Yield what ``score`` says about the images, under the annotator's ``name``, in order.

        ``score`` gets the pictures that could be opened and all texts, and returns logits (pictures, texts).
        """
        opened = [picture_or_reason(image) if image.people else GROUP for image in images]
        pictures = [picture for picture in opened if not isinstance(picture, str)]
        logits = np.zeros((len(images), len(self.texts)))
        if pictures:
            logits[[not isinstance(picture, str) for picture in opened]] = score(pictures, self.texts)
        for image, picture, row in zip(images, opened, logits, strict=True):
            yield from self.rows([image], name, row[None, :], [picture if isinstance(picture, str) else ""])
            if self.of_prompt and not isinstance(picture, str):
                told = image.text.strip()
                yield from self.own_rows(image, name, score([picture], self.own_texts(image))[0] if told else NO_PROMPT)

    def own_texts(self, image: Image) -> list[str]:
        """Return the texts of the questions about an image's own prompt, one after the other."""
        return [text.replace(OWN_PROMPT, image.text.strip()) for question in self.of_prompt for text in question.texts]

    def own_rows(self, image: Image, name: str, logits: NDArray[np.floating] | str) -> Iterator[Observed]:
        """Yield what is told about the image's own prompt from the logits of its texts, or why nothing is."""
        for question in self.of_prompt:
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
        masses = []
        for part in np.split(logits, ends, axis=1):
            weights = np.exp(part - part.max(axis=1, keepdims=True))
            masses.append((weights / weights.sum(axis=1, keepdims=True)).tolist())
        return masses
