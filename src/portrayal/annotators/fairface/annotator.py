"""The annotator: finds faces and describes each by the network, those of all images together."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import Field

from portrayal.annotators.annotator import Observed
from portrayal.annotators.face_detection import DetectedFace, FaceDetector, find_faces
from portrayal.annotators.fairface.fairface_network import CHIP_PADDING, CHIP_SIZE, FairFaceNetwork
from portrayal.errors import ConfigError, InputError
from portrayal.records import Abstention, Attribute, Image, Observation, attribute_table
from portrayal.settings import Settings
from portrayal.vision.pictures import Unreadable, open_rgb

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FairFace", "FairFaceOptions"]

_PART = "annotator 'fairface'"
_ATTRIBUTES = ("race7", "gender", "age9", "age3")
_AGE_STARTS = (0, 4, 7)
"""Where in FairFace's nine age groups under 30, 30 to 59, and 60 and over begin; both borders are among theirs."""

_FOUR = ("multi_4_", "4race", "4class")
"""In the names of the authors' weights for four races, which have 18 outputs as well, with another meaning."""


@dataclass(frozen=True, slots=True)
class _AlignedFaces:
    """What was found in one image, and its usable faces upright and centred."""

    reason: str
    usable: Sequence[DetectedFace] = ()
    tiny: Sequence[DetectedFace] = ()
    chips: Sequence[NDArray[np.uint8]] = ()


class FairFaceOptions(Settings):
    """``min_face`` is in pixels of the image; ``search`` is the long side at which small faces are looked for."""

    min_face: int = Field(default=32, ge=1)
    search: int = Field(default=1024, ge=256, le=4096)
    device: str = Field(default="auto", pattern=r"^(auto|cpu|mps|cuda(:\d+)?)$")

    def changed(self) -> dict[str, Any]:
        """Leave out the device: any will do."""
        return {key: value for key, value in super().changed().items() if key != "device"}


class FairFace:
    """Finds faces as the annotator ``faces`` does and describes each by FairFace's network."""

    Options = FairFaceOptions
    looks = True
    citations: Sequence[str] = (
        "Kärkkäinen and Joo 2021, FairFace: Face Attribute Dataset for Balanced Race, Gender, and Age for Bias "
        "Measurement and Mitigation, WACV",
        "King 2009, Dlib-ml: A Machine Learning Toolkit, JMLR 10",
    )

    def __init__(self, argument: str, options: FairFaceOptions) -> None:
        self.options = options
        self.file = _located(argument)
        self.name = f"fairface@1:{self.file.name}@{_digest(self.file)[:12]}"
        self.attributes: tuple[Attribute, ...] = tuple(attribute_table()[name] for name in _ATTRIBUTES)

    def __getstate__(self) -> dict[str, Any]:
        # Loaded models do not travel to another process; each loads its own.
        return {name: value for name, value in self.__dict__.items() if name not in ("_detector", "_network")}

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield what is seen in each image, in order; the faces of all images go through the network together."""
        aligned = [self._aligned(image) for image in images]
        masses = iter(self._network.masses([chip for one in aligned for chip in one.chips]))
        for image, faces in zip(images, aligned, strict=True):
            if faces.reason:
                yield Abstention(image.id, self.name, faces.reason)
            for subject, face in enumerate(faces.usable):
                yield from self._person(image.id, subject, face, next(masses))
            for subject, face in enumerate(faces.tiny, start=len(faces.usable)):
                yield Abstention(image.id, self.name, "tiny_face", subject, box=face.shown)

    @functools.cached_property
    def _detector(self) -> FaceDetector:
        return FaceDetector()

    @functools.cached_property
    def _network(self) -> FairFaceNetwork:
        return FairFaceNetwork(_PART, self.file, self.options.device)

    def _aligned(self, image: Image) -> _AlignedFaces:
        try:
            picture = open_rgb(image.path)
        except Unreadable as error:
            return _AlignedFaces(error.reason)
        faces = find_faces(self._detector, picture, image.people, self.options.min_face, self.options.search)
        chips = [self._detector.chip(faces.pixels, face.box, CHIP_SIZE, CHIP_PADDING) for face in faces.usable]
        return _AlignedFaces(faces.reason, faces.usable, faces.tiny, chips)

    def _person(
        self, image: str, subject: int, face: DetectedFace, masses: dict[str, tuple[float, ...]]
    ) -> Iterator[Observed]:
        ages = np.add.reduceat(masses["age9"], _AGE_STARTS)
        for name, mass in {**masses, "age3": tuple(ages.tolist())}.items():
            yield Observation(image, self.name, subject, name, mass, box=face.shown)


def _located(argument: str) -> Path:
    if not argument:
        raise ConfigError(f"{_PART} needs its weights, such as fairface:res34_fair_align_multi_7_20190809.pt")
    file = Path(argument).expanduser().absolute()
    if not file.is_file():
        raise InputError(f"{_PART}: no file {argument}; give the path of FairFace's weights")
    if any(mark in file.name for mark in _FOUR):
        raise InputError(f"{_PART}: {file.name} tells four races apart; take the weights for seven")
    return file


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as data:
            return hashlib.file_digest(data, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}; check the path") from None
