"""A generator that draws next to nothing, with everything known: people, refusals, failures.

Every draw follows from the job's id alone, so a study gives the same tables however often it was interrupted.
"""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, field_validator

from portrayal.errors import ConfigError, did_you_mean
from portrayal.generators.asked import Shares, followed, of_side, requests, side_of, split_aspect
from portrayal.generators.base import Truth
from portrayal.generators.simulated_cast import Cast
from portrayal.records import SIDES, Failed, Job, Made, Prompt, Refused, aspect
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

__all__ = ["Simulated", "SimulatedOptions"]

# Nothing may join these: a study that names no shares would get other people under the same name.
_BALANCED: Mapping[str, Shares] = {
    "gender": {"male": 0.5, "female": 0.5},
    "age3": {"young": 0.4, "middle_aged": 0.4, "elderly": 0.2},
    "tone3": {"light": 0.4, "medium": 0.3, "dark": 0.3},
}
_VERSIONS = "simulated@1"

Count = Annotated[int, Field(ge=1, le=100)]


class SimulatedOptions(Settings):
    """How often what happens, and who is depicted. ``terms`` overrides ``shares`` for single terms.

    Shares are by attribute, or for one of two people by aspect (``left.gender``); ``obey`` is how often a group that
    the prompt asks for is drawn whatever the shares. ``group`` is how many people, at least and at most,
    are drawn where a prompt leaves the number open.
    """

    shares: Mapping[str, Shares] = _BALANCED
    terms: Mapping[str, Mapping[str, Shares]] = {}
    obey: float = Field(default=1.0, ge=0, le=1)
    refused: float = Field(default=0.0, ge=0, le=1)
    failed: float = Field(default=0.0, ge=0, le=1)
    no_person: float = Field(default=0.0, ge=0, le=1)
    several: float = Field(default=0.0, ge=0, le=1)
    group: tuple[Count, Count] = (2, 6)
    pixels: bool = True
    size: int = Field(default=8, ge=2, le=1024)

    @field_validator("shares", mode="before")
    @classmethod
    def _flat(cls, shares: Any) -> Any:
        """Accept ``left.gender = ...`` without quotes, of which TOML makes a table in a table."""
        if not isinstance(shares, Mapping):
            return shares
        flat: dict[str, Any] = {}
        for name, groups in shares.items():
            sided = name in SIDES and isinstance(groups, Mapping)
            flat |= {f"{name}.{attribute}": inner for attribute, inner in groups.items()} if sided else {name: groups}
        return flat

    @field_validator("terms", mode="before")
    @classmethod
    def _flat_terms(cls, terms: Any) -> Any:
        return {term: cls._flat(shares) for term, shares in terms.items()} if isinstance(terms, Mapping) else terms

    @field_validator("group")
    @classmethod
    def _in_order(cls, group: tuple[int, int]) -> tuple[int, int]:
        if group[0] > group[1]:
            raise ValueError("must be the smallest size, then the largest")
        return group

    @field_validator("shares")
    @classmethod
    def _sum_to_one(cls, shares: Mapping[str, Shares]) -> Mapping[str, Shares]:
        for name, groups in shares.items():
            if not abs(sum(groups.values()) - 1) <= 1e-6 or min(groups.values(), default=-1) < 0:
                raise ValueError(f"shares of {name!r} must be positive and add up to 1")
            if "." in split_aspect(name)[1]:
                side = name.partition(".")[0]
                raise ValueError(f"shares of {name!r}: no side {side!r}{did_you_mean(side, SIDES)}")
        return shares

    @field_validator("terms")
    @classmethod
    def _terms_sum_to_one(cls, terms: Mapping[str, Mapping[str, Shares]]) -> Mapping[str, Mapping[str, Shares]]:
        for shares in terms.values():
            cls._sum_to_one(shares)
        return terms


class Simulated:
    """Plants people by configured shares and by what the prompt asks for; see :class:`SimulatedOptions`."""

    Options = SimulatedOptions
    name = "simulated@1"
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: SimulatedOptions) -> None:
        refuse_argument("generator 'simulated'", argument)
        self.options = options
        self._terms = {term.casefold(): shares for term, shares in options.terms.items()}
        self._casts: dict[tuple[Any, ...], Cast] = {}

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one planted outcome per job."""
        for job in jobs:
            yield self._draw(job)

    def truth(self, prompt: Prompt) -> Truth:
        """Return the shares by aspect that people are drawn by; refusals and missing people do not depend on them."""
        return {
            aspect(attribute, subject, prompt.people): groups
            for subject in range(max(1, prompt.people))
            for attribute, groups in self._shares(prompt, subject).items()
        }

    def _shares(self, asked: Prompt | Job, subject: int) -> Mapping[str, Shares]:
        """Return what one person is drawn by: one that was asked for, or one more."""
        side, obey = side_of(asked, subject), self.options.obey
        shares = of_side(self.options.shares, side) | of_side(self._terms.get(asked.term.casefold(), {}), side)
        for attribute, group in requests(asked, subject):
            if attribute not in shares and obey < 1:
                raise ConfigError(
                    f"generator 'simulated': obey is {obey:g} and a prompt asks for {attribute} {group!r}, "
                    f"so options.shares must say how often its groups are drawn otherwise"
                )
            shares[attribute] = followed(shares.get(attribute, {}), group, obey)
        return shares

    def _cast(self, job: Job) -> Cast:
        key = job.term, job.people, *job.requested.items()
        if key not in self._casts:
            most = job.people + 1 if job.people else self.options.group[1]
            self._casts[key] = Cast.of([self._shares(job, subject) for subject in range(most)])
        return self._casts[key]

    def _draw(self, job: Job) -> Made | Refused | Failed:
        options = self.options
        if options.failed and _uniforms(f"{job.id}/{job.attempt}", 1)[0] < options.failed:
            return Failed(job.id, "simulated_failure", f"attempt {job.attempt}", _VERSIONS)
        cast = self._cast(job)
        chance = _uniforms(job.id, cast.chances)
        if chance[0] < options.refused:
            return Refused(job.id, "simulated_refusal", versions=_VERSIONS)
        people = cast.people(0 if chance[1] < options.no_person else self._size(job, chance), chance)
        if options.pixels:
            data = _picture(job.id, options.size)
            return Made(job.id, data, "png", options.size, options.size, versions=_VERSIONS, planted=people)
        return Made(job.id, b"", "", 0, 0, versions=_VERSIONS, planted=people, fingerprint=job.id.encode())

    def _size(self, job: Job, chance: Sequence[float]) -> int:
        """Return how many people are drawn: those asked for and perhaps one more, or a group, all sizes alike."""
        if job.people:
            return job.people + (chance[2] < self.options.several)
        low, high = self.options.group
        return min(high, low + int(chance[3] * (high - low + 1)))


def _uniforms(key: str, count: int) -> tuple[float, ...]:
    words = struct.unpack(f"<{count}Q", hashlib.shake_128(key.encode()).digest(8 * count))
    return tuple(word / 2**64 for word in words)


def _picture(key: str, size: int) -> bytes:
    from PIL import Image

    noise = hashlib.shake_128(key.encode()).digest(3 * size * size)
    buffer = io.BytesIO()
    Image.frombytes("RGB", (size, size), noise).save(buffer, "PNG")
    return buffer.getvalue()
