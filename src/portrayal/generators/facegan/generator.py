"""Photorealistic faces from an embedded GAN, which answers prompts by a planted profile.

The pixels are real: a network draws them. What is planted is which of its faces answers a prompt, so a study can be
run end to end, offline, with a known truth.
"""

from __future__ import annotations

import functools
import importlib.metadata
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from portrayal.errors import PortrayalError
from portrayal.generators.facegan.bank import CELLS, BankFace, load_bank
from portrayal.generators.facegan.face_model import THREADS, load_latents, load_model
from portrayal.generators.facegan.planted_edits import (
    LatentFace,
    NotFacegan,
    PlantedEdit,
    mark_of,
    planted_edits,
    read_face,
)
from portrayal.generators.facegan.profile import load_profile
from portrayal.generators.generator import Truth
from portrayal.generators.planted_shares import Shares, followed, requests, side_of
from portrayal.records import Failed, Job, Made, Person, Prompt, aspect, content_id
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Facegan"]

_GROUP = range(2, 5)
"""How many people a group may have: more would make pictures too wide for annotators to find small faces in."""


class Facegan:
    """Draws one face per person asked for: perceived gender, age group and skin tone follow the prompt or the profile.

    Who of a group is drawn is chance. Two people are two faces side by side in one picture, twice as wide; where a
    prompt leaves the number open there are two to four.
    """

    only_faces = True
    apart = True

    class Options(Settings):
        """``profile`` is a CSV file's path, the demo's profile when there is none; ``size`` is a face's edge in pixels.

        ``obey`` is how often a group that the prompt asks for is drawn whatever the profile says. ``edits`` is what
        edits do, by term; ``jitter`` is how far each of them strays by chance, in steps.
        """

        profile: Path | None = None
        obey: float = Field(default=1.0, ge=0, le=1)
        size: Literal[128, 256, 512, 1024] = 512
        quality: int = Field(default=92, ge=50, le=100)
        edits: Mapping[str, PlantedEdit] = {}
        jitter: float = Field(default=0.0, ge=0, le=0.5)

    name = "facegan@1"
    labelled_by = "faces@1"
    """Who said which faces are whose: what is planted tells nothing of the errors of that annotator."""
    seconds_per_image = 0.18
    citations: ClassVar[Sequence[str]] = (
        "Belousov 2021, MobileStyleGAN: A Lightweight Convolutional Neural Network for High-Fidelity Image Synthesis",
        "Karras, Laine and Aila 2019, A Style-Based Generator Architecture for Generative Adversarial Networks (FFHQ)",
    )

    def __init__(self, argument: str, options: Options) -> None:
        refuse_argument("generator 'facegan'", argument)
        self.options = options
        self._profile = load_profile(options.profile)
        self._edits = planted_edits(options.edits, options.jitter)

    def truth(self, prompt: Prompt) -> Truth:
        """Return the shares by aspect that people are drawn by: the profile's, moved towards what is asked for."""
        return {
            aspect(attribute, subject, prompt.people): groups
            for subject in range(max(1, prompt.people))
            for attribute, groups in self._shares(prompt, subject).items()
        }

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield one picture per job; it follows from the job's prompt and seed alone."""
        yield from _at_once(self._generated, jobs)

    def edit(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield the person of each source picture, moved by the planted steps of the job's term."""
        yield from _at_once(self._edited, jobs)

    def draw(self, *people: LatentFace) -> bytes:
        """Return the JPEG file of a person, or of several from left to right."""
        from PIL import Image

        picture = Image.fromarray(np.hstack([self._render(face) for face in people]))
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=self.options.quality, comment=mark_of(people))
        return file.getvalue()

    def _generated(self, job: Job) -> Made | Failed:
        faces = self.pick(job)
        planted = [dict(zip(CELLS, face.cell, strict=True)) for face in faces]
        return self._outcome(job.id, [LatentFace(face.seed) for face in faces], planted)

    def _edited(self, job: Job) -> Made | Failed:
        try:
            face = read_face(job.source)
        except NotFacegan as error:
            return Failed(job.id, "not_a_facegan_image", str(error), self._versions)
        return self._outcome(job.id, [face.moved(self._edits.steps(job.term, job.key))], None)

    def _render(self, face: LatentFace) -> NDArray[np.uint8]:
        model, latents = load_model(), load_latents()
        style = latents.moved(latents.truncated(model.style(face.seed)), face.moves)
        return model.render(style, self.options.size)

    def _outcome(self, job: str, people: Sequence[LatentFace], planted: Sequence[Person] | None) -> Made | Failed:
        size = self.options.size
        try:
            data = self.draw(*people)
        except PortrayalError:
            raise
        except Exception as error:
            return Failed(job, "generator_error", f"{type(error).__name__}: {error}", self._versions)
        return Made(job, data, "jpg", size * len(people), size, versions=self._versions, planted=planted)

    def pick(self, job: Job) -> list[BankFace]:
        """Return the faces that answer ``job``, from left to right; no face is drawn twice."""
        picked: list[BankFace] = []
        for subject in range(job.people or _group_size(job)):
            picked.append(self._pick(job, subject, picked))
        return picked

    def _pick(self, job: Job, subject: int, taken: Sequence[BankFace]) -> BankFace:
        """Return a face: a group of each attribute by the shares, then anyone of that cell who is not taken."""
        # Bits of a hash rather than a library's random stream: that may change between releases, this may not.
        place = [side_of(job, subject) or str(subject)] if job.people != 1 else []
        bits = int(content_id(*_key(job), *place), 16)
        parts = [(bits >> shift & 0xFFFFFFFF) / 2**32 for shift in (0, 32, 64, 96)]
        shares = self._shares(job, subject)
        groups = [_group(shares[name], part) for name, part in zip(CELLS, parts, strict=False)]
        faces = [face for face in load_bank()[groups[0], groups[1], groups[2]] if face not in taken]
        return faces[int(parts[3] * len(faces))]

    def _shares(self, asked: Prompt | Job, subject: int) -> dict[str, Shares]:
        """Return what one person is drawn by; what the bank cannot show, such as a race, is not followed."""
        shares = self._profile.shares(asked.term, side_of(asked, subject))
        for attribute, group in requests(asked, subject):
            if group in CELLS.get(attribute, ()):
                shares[attribute] = followed(shares[attribute], group, self.options.obey)
        return shares

    @functools.cached_property
    def _versions(self) -> str:
        version = importlib.metadata.version
        return f"openvino {version('openvino')}; random-face {version('random-face')}; {self.name}"


def _at_once(draw: Callable[[Job], Made | Failed], jobs: Sequence[Job]) -> Iterator[Made | Failed]:
    """Yield the answers in the order of ``jobs``, several of which are drawn at a time."""
    with ThreadPoolExecutor(THREADS) as threads:
        yield from threads.map(draw, jobs)


def _key(job: Job) -> tuple[str, ...]:
    return "facegan", job.prompt, job.text, str(job.seed)


def _group_size(job: Job) -> int:
    return _GROUP[int(content_id(*_key(job), "group"), 16) % len(_GROUP)]


def _group(shares: Shares, part: float) -> str:
    """Return the group in whose slice of the unit interval ``part`` falls."""
    possible = [group for group, share in shares.items() if share > 0]
    for group in possible:
        part -= shares[group]
        if part < 0:
            return group
    return possible[-1]
