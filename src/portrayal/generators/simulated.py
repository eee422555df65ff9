"""A generator that draws next to nothing, with everything known: people, refusals, failures.

Every draw follows from the job's id alone, so a study gives the same tables however often it was interrupted.
"""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pydantic import Field, field_validator

from portrayal.generators.base import Truth
from portrayal.records import Failed, Job, Made, Person, Prompt, Refused
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

__all__ = ["Simulated", "SimulatedOptions"]

Shares = Mapping[str, float]
_BALANCED: Mapping[str, Shares] = {
    "gender": {"male": 0.5, "female": 0.5},
    "age3": {"young": 0.4, "middle_aged": 0.4, "elderly": 0.2},
    "tone3": {"light": 0.4, "medium": 0.3, "dark": 0.3},
}
_VERSIONS = "simulated@1"


class SimulatedOptions(Settings):
    """How often what happens, and who is depicted. ``terms`` overrides ``shares`` for single terms."""

    shares: Mapping[str, Shares] = _BALANCED
    terms: Mapping[str, Mapping[str, Shares]] = {}
    refused: float = Field(default=0.0, ge=0, le=1)
    failed: float = Field(default=0.0, ge=0, le=1)
    no_person: float = Field(default=0.0, ge=0, le=1)
    several: float = Field(default=0.0, ge=0, le=1)
    pixels: bool = True
    size: int = Field(default=8, ge=2, le=1024)

    @field_validator("shares")
    @classmethod
    def _sum_to_one(cls, shares: Mapping[str, Shares]) -> Mapping[str, Shares]:
        for attribute, groups in shares.items():
            if not abs(sum(groups.values()) - 1) <= 1e-6 or min(groups.values(), default=-1) < 0:
                raise ValueError(f"shares of {attribute!r} must be positive and add up to 1")
        return shares

    @field_validator("terms")
    @classmethod
    def _terms_sum_to_one(cls, terms: Mapping[str, Mapping[str, Shares]]) -> Mapping[str, Mapping[str, Shares]]:
        for shares in terms.values():
            cls._sum_to_one(shares)
        return terms


class Simulated:
    """Plants people by configured shares; see :class:`SimulatedOptions`."""

    Options = SimulatedOptions
    name = "simulated@1"
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: SimulatedOptions) -> None:
        refuse_argument("generator 'simulated'", argument)
        self.options = options
        self._terms = {term.casefold(): shares for term, shares in options.terms.items()}

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one planted outcome per job."""
        for job in jobs:
            yield self._draw(job)

    def truth(self, prompt: Prompt) -> Truth:
        """Return the planted shares; refusals and missing people do not depend on them."""
        return self._shares(prompt.term)

    def _shares(self, term: str) -> Mapping[str, Shares]:
        return {**self.options.shares, **self._terms.get(term.casefold(), {})}

    def _draw(self, job: Job) -> Made | Refused | Failed:
        options = self.options
        shares = self._shares(job.term)
        chance = _uniforms(job.id, 4 + 2 * len(shares))
        if _uniforms(f"{job.id}/{job.attempt}", 1)[0] < options.failed:
            return Failed(job.id, "simulated_failure", f"attempt {job.attempt}", _VERSIONS)
        if chance[0] < options.refused:
            return Refused(job.id, "simulated_refusal", versions=_VERSIONS)
        count = 0 if chance[1] < options.no_person else 2 if chance[2] < options.several else 1
        people = [_person(shares, chance[4 + index :: 2]) for index in range(count)]
        if options.pixels:
            data = _picture(job.id, options.size)
            return Made(job.id, data, "png", options.size, options.size, versions=_VERSIONS, planted=people)
        return Made(job.id, b"", "", 0, 0, versions=_VERSIONS, planted=people, fingerprint=job.id.encode())


def _uniforms(key: str, count: int) -> tuple[float, ...]:
    words = struct.unpack(f"<{count}Q", hashlib.shake_128(key.encode()).digest(8 * count))
    return tuple(word / 2**64 for word in words)


def _person(shares: Mapping[str, Shares], chances: Sequence[float]) -> Person:
    return {name: _pick(groups, chance) for (name, groups), chance in zip(shares.items(), chances, strict=False)}


def _pick(groups: Shares, chance: float) -> str:
    bounds = [0.0]
    for share in groups.values():
        bounds.append(bounds[-1] + share)
    for group, (_, upper) in zip(groups, pairwise(bounds), strict=True):
        if chance < upper:
            return group
    return max(groups, key=lambda group: groups[group])


def _picture(key: str, size: int) -> bytes:
    from PIL import Image

    noise = hashlib.shake_128(key.encode()).digest(3 * size * size)
    buffer = io.BytesIO()
    Image.frombytes("RGB", (size, size), noise).save(buffer, "PNG")
    return buffer.getvalue()
