"""An annotator that reads the planted people, with a known error rate."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field

from portrayal.annotators.annotator import Observed, chosen_attributes
from portrayal.annotators.people import count_reason
from portrayal.errors import ConfigError
from portrayal.records import PERSON, Abstention, Attribute, Image, Observation, Person, attribute_table
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

__all__ = ["NUMBERS", "Simulated", "SimulatedOptions"]


NUMBERS: Mapping[str, tuple[str, Mapping[str, float]]] = {
    "age": ("age3", {"young": 24.0, "middle_aged": 44.0, "elderly": 68.0}),
    "intensity": ("tone3", {"light": 200.0, "medium": 160.0, "dark": 110.0}),
}
"""Numbers that are read off a planted group: the attribute that is planted, and the number for each of its groups."""


class SimulatedOptions(Settings):
    """Which attributes are read, how often rightly, and how sure it is. ``groups`` defines attributes of one's own.

    ``spread`` is how far numbers, such as an age, stray from that of the planted group. Words, such as a caption, are
    read as they were planted.
    """

    attributes: tuple[str, ...] = ("gender", "age3", "tone3")
    groups: Mapping[str, tuple[str, ...]] = {}
    accuracy: float = Field(default=1.0, ge=0, le=1)
    softness: float = Field(default=0.0, ge=0, lt=1)
    spread: float = Field(default=0.0, ge=0, le=100)
    person: bool = False


class Simulated:
    """Perceives each planted group with probability ``accuracy``, else one of the others, all equally likely."""

    Options = SimulatedOptions
    name = "simulated@1"
    seconds_per_image = 0.001
    citations: Sequence[str] = ()
    looks = True
    sees_pixels = False

    def __init__(self, argument: str, options: SimulatedOptions) -> None:
        refuse_argument("annotator 'simulated'", argument)
        self._read = chosen_attributes("simulated", options.attributes, options.groups)
        for attribute in self._read:
            if attribute.is_numeric and attribute.name not in NUMBERS:
                raise ConfigError(f"annotator 'simulated' reads groups, and {attribute.name!r} has none; leave it out")
            if attribute.name == PERSON:
                raise ConfigError("annotator 'simulated' says whether there are people with the option person = true")
        self.options = options
        self.attributes = (*self._read, attribute_table()[PERSON]) if options.person else self._read

    @staticmethod
    def options_for(attributes: Sequence[Attribute]) -> Mapping[str, Any]:
        """Return the options by which it reads these attributes too."""
        known = SimulatedOptions().attributes
        more = [attribute.name for attribute in attributes if attribute.name not in known]
        return {"attributes": [*known, *more]} if more else {}

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield the planted people as perceived; of two that were asked for the first stands at the left."""
        for image in images:
            if image.planted is None:
                yield Abstention(image.id, self.name, "nothing_planted")
                continue
            if reason := count_reason(len(image.planted), image.people):
                yield Abstention(image.id, self.name, reason)
            if self.options.person:
                present = (1.0, 0.0) if image.planted else (0.0, 1.0)
                yield Observation(image.id, self.name, 0, PERSON, present)
            for subject, person in enumerate(image.planted):
                yield from self._describe(image.id, subject, person)

    def _describe(self, image: str, subject: int, person: Person) -> Iterator[Observed]:
        for attribute in self._read:
            if attribute.name in NUMBERS and not attribute.groups:
                yield self._number(image, subject, attribute.name, person)
            elif attribute.name in person and attribute.is_text:
                yield Observation(image, self.name, subject, attribute.name, text=person[attribute.name])
            elif attribute.name in person:
                seen = self._perceive(f"{image}/{subject}/{attribute.name}", attribute, person[attribute.name])
                yield Observation(image, self.name, subject, attribute.name, self._mass(attribute, seen))
            else:
                yield Abstention(image, self.name, "nothing_planted", subject, attribute.name)

    def _number(self, image: str, subject: int, name: str, person: Person) -> Observed:
        base, numbers = NUMBERS[name]
        if person.get(base) not in numbers:
            return Abstention(image, self.name, "nothing_planted", subject, name)
        value = numbers[person[base]]
        if self.options.spread:
            from scipy.special import ndtri  # scipy takes a moment to load

            digest = hashlib.blake2b(f"{image}/{subject}/{name}".encode(), digest_size=8).digest()
            value += self.options.spread * float(ndtri((int.from_bytes(digest, "little") + 0.5) / 2**64))
        return Observation(image, self.name, subject, name, value=value)

    def _perceive(self, key: str, attribute: Attribute, planted: str) -> str:
        if self.options.accuracy == 1:
            return planted
        digest = hashlib.blake2b(key.encode(), digest_size=12).digest()
        if int.from_bytes(digest[:8], "little") / 2**64 < self.options.accuracy:
            return planted
        others = [group for group in attribute.groups if group != planted]
        return others[int.from_bytes(digest[8:], "little") % len(others)]

    def _mass(self, attribute: Attribute, seen: str) -> tuple[float, ...]:
        softness = self.options.softness
        if softness == 0:
            return attribute.one_hot(seen)
        place, others = attribute.index(seen), len(attribute.groups) - 1
        return tuple(1 - softness if index == place else softness / others for index in range(others + 1))
