"""Photorealistic faces from an embedded GAN, which answers prompts by a planted profile.

The pixels are real: a network draws them. What is planted is which of its faces answers a prompt, so a study can be
run end to end, offline, with a known truth.
"""

from __future__ import annotations

import functools
import importlib.metadata
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from portrayal.errors import PortrayalError
from portrayal.generators.base import Truth
from portrayal.generators.facegan_bank import CELLS, BankFace, load_bank
from portrayal.generators.facegan_edits import Drawn, NotFacegan, load_edits, read_drawn
from portrayal.generators.facegan_model import load_latents
from portrayal.generators.facegan_profile import load_profile
from portrayal.records import EditJob, Failed, Job, Made, Person, Prompt, content_id
from portrayal.registry import refuse_argument
from portrayal.settings import Settings

if TYPE_CHECKING:
    from portrayal.generators.facegan_model import FaceModel

__all__ = ["Facegan"]


class Facegan:
    """Draws one face per job: perceived gender, age group and skin tone follow the profile, the person is chance."""

    class Options(Settings):
        """``profile`` is a CSV file's path, the demo's profile when there is none; ``size`` is the edge in pixels."""

        profile: Path | None = None
        size: Literal[128, 256, 512, 1024] = 512
        quality: int = Field(default=92, ge=50, le=100)

    name = "facegan@1"
    citations: ClassVar[Sequence[str]] = (
        "Belousov 2021, MobileStyleGAN: A Lightweight Convolutional Neural Network for High-Fidelity Image Synthesis",
        "Karras, Laine and Aila 2019, A Style-Based Generator Architecture for Generative Adversarial Networks (FFHQ)",
    )

    def __init__(self, argument: str, options: Options) -> None:
        refuse_argument("generator 'facegan'", argument)
        self.options = options
        self._profile = load_profile(options.profile)

    def __getstate__(self) -> dict[str, Any]:
        # Compiled networks cannot travel to another process; each compiles its own.
        return {name: value for name, value in self.__dict__.items() if name != "_model"}

    def truth(self, prompt: Prompt) -> Truth:
        """Return the planted shares of the prompt's term."""
        return self._profile.shares(prompt.term)

    def generate(self, jobs: Sequence[Job]) -> Iterator[Made | Failed]:
        """Yield one face per job; it follows from the job's prompt and seed alone."""
        for job in jobs:
            face = self.pick(job)
            planted = [dict(zip(CELLS, face.cell, strict=True))]
            yield self._outcome(job.id, Drawn(face.seed), planted)

    def edit(self, jobs: Sequence[EditJob]) -> Iterator[Made | Failed]:
        """Yield the person of each source picture, moved by the planted steps of the job's term."""
        for job in jobs:
            try:
                drawn = read_drawn(job.source)
            except NotFacegan as error:
                yield Failed(job.id, "not_a_facegan_image", str(error), self._versions)
            else:
                steps = load_edits().get(job.term.strip().casefold(), {})
                yield self._outcome(job.id, drawn.moved(steps), None)

    def draw(self, drawn: Drawn) -> bytes:
        """Return the JPEG file of a person."""
        from PIL import Image

        latents = load_latents()
        style = latents.moved(latents.truncated(self._model.style(drawn.seed)), drawn.moves)
        picture = Image.fromarray(self._model.render(style, self.options.size))
        file = io.BytesIO()
        picture.save(file, "JPEG", quality=self.options.quality, comment=drawn.comment())
        return file.getvalue()

    def _outcome(self, job: str, drawn: Drawn, planted: Sequence[Person] | None) -> Made | Failed:
        size = self.options.size
        try:
            data = self.draw(drawn)
        except PortrayalError:
            raise
        except Exception as error:
            return Failed(job, "generator_error", f"{type(error).__name__}: {error}", self._versions)
        return Made(job, data, "jpg", size, size, versions=self._versions, planted=planted)

    def pick(self, job: Job) -> BankFace:
        """Return the face that answers ``job``: a group of each attribute by the profile, then anyone of that cell."""
        # Bits of a hash rather than a library's random stream: that may change between releases, this may not.
        bits = int(content_id("facegan", job.prompt, job.text, str(job.seed)), 16)
        parts = [(bits >> shift & 0xFFFFFFFF) / 2**32 for shift in (0, 32, 64, 96)]
        shares = self._profile.shares(job.term)
        groups = [_group(shares[name], part) for name, part in zip(CELLS, parts, strict=False)]
        faces = load_bank()[groups[0], groups[1], groups[2]]
        return faces[int(parts[3] * len(faces))]

    @functools.cached_property
    def _model(self) -> FaceModel:
        from portrayal.generators.facegan_model import FaceModel

        return FaceModel()

    @functools.cached_property
    def _versions(self) -> str:
        version = importlib.metadata.version
        return f"openvino {version('openvino')}; random-face {version('random-face')}; {self.name}"


def _group(shares: Mapping[str, float], part: float) -> str:
    """Return the group in whose slice of the unit interval ``part`` falls."""
    possible = [group for group, share in shares.items() if share > 0]
    for group in possible:
        part -= shares[group]
        if part < 0:
            return group
    return possible[-1]
