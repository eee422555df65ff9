"""The annotator: a model scores images against texts, many at a time; the next files are opened meanwhile."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from portrayal.annotators.annotator import Observed, asked_attributes
from portrayal.annotators.clip.zero_shot import NO_PROMPT, TOO_LONG, ZeroShot
from portrayal.annotators.clip.zero_shot_questions import WORDS, ZeroShotOptions
from portrayal.hub import REVISION, find_model, loading
from portrayal.processes import cpu_count
from portrayal.records import Attribute, Image
from portrayal.vision.float8 import require_float8
from portrayal.vision.network import chosen_device, load_network
from portrayal.vision.reader import Paths
from portrayal.vision.scoring import BatchScores, Scorer

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Clip", "ClipOptions"]

PINNED = {"openai/clip-vit-large-patch14": "32bd64288804d66eefd0ccbe215aa642df71cc41"}
"""Commits of models that work without an option ``revision``: the one that Luo et al. (2024) used."""

Precision = Literal["exact", "bf16", "fp8"]

_BATCH, _GPU_BATCH = 32, 256
_UNPLACED = ("revision", "device", "batch", "workers")


class ClipOptions(ZeroShotOptions):
    """``revision`` is the commit of a model on the hub; ``device`` is where it runs, on a GPU if it can.

    ``precision`` other than exact rounds more and opens pictures in the quickest way: numbers of 16 bits, or products
    in eight. ``fast`` is the older name of bf16. ``batch`` images are looked at together and opened by
    ``workers`` processes; 0 for either is what suits the machine.
    """

    revision: str = Field(default="", pattern=REVISION)
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")
    precision: Precision = "exact"
    fast: bool = False
    batch: int = Field(default=0, ge=0)
    workers: int = Field(default=0, ge=0)

    def changed(self) -> dict[str, Any]:
        """Leave out what makes no other annotator: its name holds the revision already, and any device will do."""
        changed = {key: value for key, value in super().changed().items() if key not in _UNPLACED}
        if self.rounding == "bf16":  # one annotator, by whichever name it was asked for
            changed.pop("precision", None)
            changed["fast"] = True
        return changed

    @property
    def rounding(self) -> Precision:
        """The precision asked for, by whichever of its names."""
        return "bf16" if self.fast else self.precision

    @model_validator(mode="after")
    def _one_precision(self) -> Self:
        if self.fast and self.precision == "fp8":
            raise ValueError("fast is precision bf16; leave it out for fp8")
        return self


class Clip:
    """Asks in words; see :class:`portrayal.annotators.clip.zero_shot.ZeroShot` for the questions."""

    Options = ClipOptions
    looks = True
    citations: Sequence[str] = (
        "Radford et al. 2021, Learning Transferable Visual Models From Natural Language Supervision, ICML",
    )

    def __init__(self, argument: str, options: ClipOptions) -> None:
        self.options, self._argument = options, argument
        example = "clip:openai/clip-vit-large-patch14"
        self.files = find_model("annotator 'clip'", argument, options.revision, example=example, pinned=PINNED)
        self.name = f"clip@1:{self.files.title}"
        self._asked = ZeroShot("clip", options)
        self.attributes = self._asked.attributes

    @staticmethod
    def options_for(attributes: Sequence[Attribute]) -> Mapping[str, Any]:
        """Return the options by which it reports those of the attributes that it has words for."""
        known = [attribute.name for attribute in attributes if attribute.name in WORDS]
        return asked_attributes(ClipOptions().attributes, known)

    def require_ready(self) -> None:
        """Refuse to begin where the model's files are not on this machine."""
        self.files.folder()

    @property
    def precision(self) -> str:
        """How much is rounded."""
        return self.options.rounding

    def unrounded(self) -> Clip | None:
        """Return the same annotator without rounding; None where nothing is rounded."""
        if self.options.rounding == "exact":
            return None
        return Clip(self._argument, self.options.model_copy(update={"precision": "exact", "fast": False}))

    @property
    def together(self) -> int:
        """How many images a device is to be handed at a time: as many as suit a model on any of them."""
        return self.options.batch or max(_BATCH, _GPU_BATCH)

    def __getstate__(self) -> dict[str, Any]:
        # A loaded model does not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name not in ("_scorer", "_encoded")}

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield one observation per question and image; an image that cannot be read is abstained from."""
        for _, rows in self._look(iter([images]), workers=0):
            yield from rows

    def stream(self, batches: Iterator[Sequence[Image]]) -> Iterator[tuple[Sequence[Image], Sequence[Observed]]]:
        """Yield images, as many as suit the model, with what is seen in them; the next are opened meanwhile."""
        yield from self._look(batches, workers=self.options.workers or cpu_count())

    def _look(
        self, batches: Iterator[Sequence[Image]], workers: int
    ) -> Iterator[tuple[Sequence[Image], Sequence[Observed]]]:
        under_way: deque[list[Image]] = deque()
        asked, fixed = self._asked, len(self._asked.texts)
        for scores in self._scorer.run(self._paths(batches, under_way), workers):
            images = under_way.popleft()
            rows = list(asked.rows(images, self.name, scores.logits[:, :fixed], scores.reasons))
            yield images, self._with_own(images, rows, scores) if asked.of_prompt else rows

    def _with_own(self, images: Sequence[Image], rows: Sequence[Observed], scores: BatchScores) -> list[Observed]:
        """Add what is told of each image's own prompt to its rows; an image without any mass has nothing to add."""
        features = scores.logits[:, len(self._asked.texts) :]
        told: dict[str, list[Observed]] = {}
        for row in rows:
            told.setdefault(row.image, []).append(row)
        for image, reason, vector in zip(images, scores.reasons, features, strict=True):
            if not reason and image.people:
                told[image.id] += self._asked.own_rows(image, self.name, self._own_logits(image, vector))
        return [row for image in images for row in told[image.id]]

    def _own_logits(self, image: Image, features: NDArray[np.float32]) -> NDArray[np.float32] | str:
        if not image.text.strip():
            return NO_PROMPT
        texts, network = self._asked.own_texts(image), self._scorer.network
        key = tuple(texts)
        if key not in self._encoded:
            # A cut text may lose the very word that is asked about.
            self._encoded[key] = network.encoded(texts) if all(map(network.reads, texts)) else None
        encoded = self._encoded[key]
        return TOO_LONG if encoded is None else np.asarray(encoded @ features * network.scale)

    def _paths(self, batches: Iterator[Sequence[Image]], under_way: deque[list[Image]]) -> Iterator[Paths]:
        # What cannot be told of a group anyway needs no picture.
        held: list[Image] = []
        for batch in batches:
            held += batch
            while len(held) >= self._scorer.batch:
                under_way.append(held[: self._scorer.batch])
                held = held[self._scorer.batch :]
                yield [image.path if image.people else None for image in under_way[-1]]
        if held:
            under_way.append(held)
            yield [image.path if image.people else None for image in held]

    @functools.cached_property
    def _encoded(self) -> dict[tuple[str, ...], NDArray[np.float32] | None]:
        """The texts about prompts met so far, as vectors; None: too long to be read."""
        return {}

    @functools.cached_property
    def _scorer(self) -> Scorer:
        part, options, folder = self.files.part, self.options, self.files.folder()
        device = chosen_device(options.device)
        with loading(part, folder):
            float8 = options.rounding == "fp8"
            if float8:
                require_float8(device, part)
            network = load_network(folder, device, part=part, fast=options.rounding != "exact", float8=float8)
        network.encode_texts(self._asked.texts, with_features=bool(self._asked.of_prompt))
        batch = options.batch or (_GPU_BATCH if device.startswith("cuda") else _BATCH)
        return Scorer(network, fast=options.rounding != "exact", batch=batch)
