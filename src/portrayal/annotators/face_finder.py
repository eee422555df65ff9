"""Which faces of a picture are described, in what order, and whether it is clear who is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

    from portrayal.annotators.face_models import Box, FaceModels

__all__ = ["MAX_SIDE", "Found", "Spot", "find_faces"]

MAX_SIDE = 2048
"""Larger pictures are read at this size; a face that is a tiny part of them is not what they are about."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A face: its box in the pixels that are looked at, and in those of the original."""

    box: Box
    shown: Box


@dataclass(frozen=True, slots=True)
class Found:
    """The faces of a picture, those large enough and the others; ``reason`` says why it is open who is meant."""

    pixels: NDArray[np.uint8]
    usable: tuple[Spot, ...]
    tiny: tuple[Spot, ...]
    reason: str


def find_faces(models: FaceModels, picture: Picture, people: int, min_face: int, search: int) -> Found:
    """Return the faces in ``picture`` of which the prompt asked for ``people``, the usable and the tiny, left to right.

    In a group of any size (``people`` is 0) every face is meant. ``min_face`` is in pixels of the picture;
    ``search`` is the long side at which small faces are looked for.
    """
    scale = max(1.0, max(picture.size) / MAX_SIDE)
    if scale > 1.0:
        picture = picture.resize((round(picture.width / scale), round(picture.height / scale)), reducing_gap=2.0)
    spots = [Spot(box, _inside(box, picture.size, scale)) for box in models.find(picture, search, people)]
    tiny = tuple(spot for spot in spots if _side(spot.box) * scale < min_face)
    usable = tuple(spot for spot in spots if spot not in tiny)
    return Found(np.asarray(picture), usable, tiny, _reason(len(usable), len(tiny), people))


def _reason(usable: int, tiny: int, asked: int) -> str:
    """Return why it is open who is meant, else nothing: as many faces as people asked for, or any number of them."""
    if usable == 0:
        return "tiny_face" if tiny else "no_face"
    if usable < asked:
        return "one_face"
    return "several_faces" if 0 < asked < usable else ""


def _side(box: Box) -> int:
    return min(box[2] - box[0], box[3] - box[1])


def _inside(box: Box, size: tuple[int, int], scale: float) -> Box:
    left, top, right, bottom = box
    corners = max(0, left), max(0, top), min(size[0], right), min(size[1], bottom)
    return round(corners[0] * scale), round(corners[1] * scale), round(corners[2] * scale), round(corners[3] * scale)
