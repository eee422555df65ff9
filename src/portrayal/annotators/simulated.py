"""An annotator that reads the planted people, with a known error rate."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from portrayal.errors import ConfigError, did_you_mean
from portrayal.records import Abstention, Attribute, Image, Observation, Person, attribute_table
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

__all__ = ["Simulated", "SimulatedOptions"]


class SimulatedOptions(Settings):
    """Which attributes are read, and how often rightly. ``groups`` defines attributes that are not built in."""

    attributes: tuple[str, ...] = ("gender", "age3", "tone3")
    groups: Mapping[str, tuple[str, ...]] = {}
    accuracy: float = Field(default=1.0, ge=0, le=1)


class Simulated:
    """Perceives each planted group with probability ``accuracy``, else one of the others, all equally likely."""

    Options = SimulatedOptions
    name = "simulated@1"
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: SimulatedOptions) -> None:
        refuse_argument("annotator 'simulated'", argument)
        own = [Attribute(name, f"perceived {name}", groups) for name, groups in options.groups.items()]
        known = attribute_table(own)
        for name in options.attributes:
            if name not in known:
                raise ConfigError(f"annotator 'simulated' knows no attribute {name!r}{did_you_mean(name, known)}")
            if known[name].is_numeric:
                raise ConfigError(f"annotator 'simulated' reads groups, and {name!r} is a number; leave it out")
        self.options = options
        self.attributes = tuple(known[name] for name in options.attributes)

    def annotate(self, images: Sequence[Image]) -> Iterator[Observation | Abstention]:
        """Yield the planted people as perceived."""
        for image in images:
            if image.planted is None:
                yield Abstention(image.id, self.name, "nothing_planted")
                continue
            if len(image.planted) != 1:
                yield Abstention(image.id, self.name, "several_people" if image.planted else "no_person")
            for subject, person in enumerate(image.planted):
                yield from self._describe(image.id, subject, person)

    def _describe(self, image: str, subject: int, person: Person) -> Iterator[Observation | Abstention]:
        for attribute in self.attributes:
            if attribute.name in person:
                seen = self._perceive(f"{image}/{subject}/{attribute.name}", attribute, person[attribute.name])
                yield Observation(image, self.name, subject, attribute.name, attribute.one_hot(seen))
            else:
                yield Abstention(image, self.name, "nothing_planted", subject, attribute.name)

    def _perceive(self, key: str, attribute: Attribute, planted: str) -> str:
        if self.options.accuracy == 1:
            return planted
        digest = hashlib.blake2b(key.encode(), digest_size=12).digest()
        if int.from_bytes(digest[:8], "little") / 2**64 < self.options.accuracy:
            return planted
        others = [group for group in attribute.groups if group != planted]
        return others[int.from_bytes(digest[8:], "little") % len(others)]
