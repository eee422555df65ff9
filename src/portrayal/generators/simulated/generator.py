"""The generator: planted people, refusals and failures, by chances that belong to a job.

Every draw follows from the job's id alone, so a study gives the same tables however often it was interrupted.
"""

from __future__ import annotations

import hashlib
import io
import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from portrayal.errors import ConfigError
from portrayal.generators.generator import Truth
from portrayal.generators.planted_shares import Shares, followed, of_side, requests, side_of
from portrayal.generators.simulated.options import BALANCED, WRITTEN, SimulatedOptions
from portrayal.generators.simulated.sampler import PeopleSampler
from portrayal.records import Attribute, Failed, Job, Made, Person, Prompt, Refused, aspect
from portrayal.registry import refuse_argument

__all__ = ["Simulated"]

_UNIT = 2.0**-64
_VERSIONS = "simulated@1"


class Simulated:
    """Plants people by configured shares and by what the prompt asks for; see :class:`SimulatedOptions`."""

    Options = SimulatedOptions
    name = "simulated@1"
    seconds_per_image = 0.002
    citations: Sequence[str] = ()

    def __init__(self, argument: str, options: SimulatedOptions) -> None:
        refuse_argument("generator 'simulated'", argument)
        self.options = options
        self._terms = {term.casefold(): shares for term, shares in options.terms.items()}
        self._moves = {term.casefold(): moves for term, moves in options.moves.items()}
        self._samplers: dict[tuple[Any, ...], PeopleSampler] = {}

    @staticmethod
    def options_for(attributes: Sequence[Attribute]) -> Mapping[str, Any]:
        """Return the options by which it plants these attributes: those it does not plant anyway, in equal shares."""
        more = {a.name: _in_equal_shares(a) for a in attributes if a.name not in BALANCED and not a.is_numeric}
        return {"shares": {**BALANCED, **more}} if more else {}

    def planted(self) -> Iterator[tuple[str, str, Mapping[str, Shares]]]:
        """Yield the options that name attributes and groups: which it is, the term that it is about, and the shares."""
        yield "shares", "", self.options.shares
        yield from (("terms", term, shares) for term, shares in self.options.terms.items())
        yield from (("moves", term, shares) for term, shares in self.options.moves.items())

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield one planted outcome per job."""
        for job in jobs:
            yield self._draw(job)

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Refused | Failed]:
        """Yield the people of each job's source, moved as the options have it for the job's term."""
        for job in jobs:
            yield self._edited(job)

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
        return {attribute: _of_term(groups, asked.term) for attribute, groups in shares.items()}

    def _sampler(self, job: Job) -> PeopleSampler:
        key = job.term, job.people, *job.requested.items()
        if key not in self._samplers:
            most = job.people + 1 if job.people else self.options.group[1]
            self._samplers[key] = PeopleSampler.of([self._shares(job, subject) for subject in range(most)])
        return self._samplers[key]

    def _draw(self, job: Job) -> Made | Refused | Failed:
        sampler = self._sampler(job)
        chance = _uniforms(job.id, sampler.chances)
        if trouble := self._trouble(job, chance[0]):
            return trouble
        count = 0 if chance[1] < self.options.no_person else self._size(job, chance)
        return self._made(job, sampler.people(count, chance))

    def _edited(self, job: Job) -> Made | Refused | Failed:
        moves = self._moves.get(job.term.casefold(), {})
        people = job.planted or ()
        first, *chance = _uniforms(job.key, 1 + len(people) * len(moves))
        if trouble := self._trouble(job, first):
            return trouble
        if job.planted is None:  # a picture from elsewhere: nobody knows who is in it
            return self._made(job, None)
        step = len(moves)
        edited = [_moved(person, moves, chance[n * step :]) for n, person in enumerate(people)]
        if self.options.several and _uniforms(f"{job.key}/several", 1)[0] < self.options.several:
            sampler = self._sampler(job)
            edited += sampler.people(1, _uniforms(f"{job.key}/other", sampler.chances))
        return self._made(job, edited)

    def _trouble(self, job: Job, chance: float) -> Refused | Failed | None:
        """Return what comes instead of a picture, if something does."""
        options = self.options
        if options.failed and _uniforms(f"{job.id}/{job.attempt}", 1)[0] < options.failed:
            return Failed(job.id, "simulated_failure", f"attempt {job.attempt}", _VERSIONS)
        return Refused(job.id, "simulated_refusal", versions=_VERSIONS) if chance < options.refused else None

    def _made(self, job: Job, people: Sequence[Person] | None) -> Made:
        size = self.options.size
        if self.options.pixels:
            data = _picture(job.key, size)
            return Made(job.id, data, "png", size, size, versions=_VERSIONS, planted=people)
        return Made(job.id, b"", "", 0, 0, versions=_VERSIONS, planted=people, fingerprint=job.key.encode())

    def _size(self, job: Job, chance: Sequence[float]) -> int:
        """Return how many people are drawn: those asked for and perhaps one more, or a group, all sizes alike."""
        if job.people:
            return job.people + (chance[2] < self.options.several)
        low, high = self.options.group
        return min(high, low + int(chance[3] * (high - low + 1)))


def _in_equal_shares(attribute: Attribute) -> Shares:
    return WRITTEN if attribute.is_text else dict.fromkeys(attribute.groups, 1 / len(attribute.groups))


def _of_term(groups: Shares, term: str) -> Shares:
    """Return the shares of what is told about one term; texts that are the same for it add up."""
    shares: dict[str, float] = {}
    for group, share in groups.items():
        about = group.replace("{term}", term)
        shares[about] = shares.get(about, 0.0) + share
    return shares


def _moved(person: Person, moves: Mapping[str, Shares], chance: Sequence[float]) -> Person:
    """Return the person with some attributes changed, each by its own chance."""
    changed = dict(person)
    for (attribute, groups), drawn in zip(moves.items(), chance, strict=False):
        place = bisect_right(list(accumulate(groups.values())), drawn)
        if place < len(groups):
            changed[attribute] = list(groups)[place]
    return changed


def _uniforms(key: str, count: int) -> tuple[float, ...]:
    words = struct.unpack(f"<{count}Q", hashlib.shake_128(key.encode()).digest(8 * count))
    return tuple([word * _UNIT for word in words])  # a list is filled faster than a generator is asked


def _picture(key: str, size: int) -> bytes:
    from PIL import Image

    noise = hashlib.shake_128(key.encode()).digest(3 * size * size)
    buffer = io.BytesIO()
    Image.frombytes("RGB", (size, size), noise).save(buffer, "PNG")
    return buffer.getvalue()
