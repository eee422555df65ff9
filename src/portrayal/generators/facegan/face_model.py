"""MobileStyleGAN as the ``random_face`` package carries it, run by OpenVINO."""

from __future__ import annotations

import functools
import importlib.util
import os
import threading
from importlib.resources import as_file, files
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import MissingExtraError
from portrayal.generators.facegan.splits import gather_channels
from portrayal.processes import cpu_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["EDGE", "THREADS", "TRUNCATION", "FaceModel", "Latents", "load_latents", "load_model"]

EDGE = 1024
TRUNCATION = np.float32(0.8)
"""Fixed: the labels of the bank belong to faces drawn with it."""
THREADS = min(cpu_count(), 4)
"""How many pictures are drawn at once; each takes 200 MB of memory."""


class Latents:
    """The mean style and the directions in style space along which one perceived attribute changes."""

    def __init__(self, mean: NDArray[np.float32], directions: Mapping[str, NDArray[np.float32]]) -> None:
        self.mean = mean
        self.directions = directions

    def truncated(self, style: NDArray[np.float32]) -> NDArray[np.float32]:
        """Pull a style towards the mean, where faces are cleaner."""
        pulled: NDArray[np.float32] = self.mean + TRUNCATION * (style - self.mean)
        return pulled

    def moved(self, style: NDArray[np.float32], moves: Mapping[str, float]) -> NDArray[np.float32]:
        """Return ``style`` moved by so many steps along each named direction."""
        for name, steps in moves.items():
            style = style + np.float32(steps) * self.directions[name]
        return style


@functools.cache
def load_latents() -> Latents:
    """Return the shipped mean style and directions."""
    with as_file(files("portrayal.generators.facegan") / "data" / "directions.npz") as path, np.load(path) as data:
        return Latents(data["mean"], {name: data[name] for name in data.files if name != "mean"})


class FaceModel:
    """The two networks: a seed gives a style, a style gives a picture. Several threads may draw at once."""

    def __init__(self) -> None:
        core = _openvino().Core()
        folder = _weights()
        self._mapping = _Network(core, core.read_model(folder / "MappingNetwork.xml"))
        synthesis = core.read_model(folder / "SynthesisNetwork.xml")
        gather_channels(synthesis)
        self._synthesis = _Network(core, synthesis)
        self.style(0)  # OpenVINO sets up more at the first answer: two threads that ask for it would wait for ever

    def style(self, seed: int) -> NDArray[np.float32]:
        """Return the style of a seed, before truncation; the legacy stream of RandomState is frozen for ever."""
        noise = np.random.RandomState(seed).standard_normal((1, 512)).astype(np.float32)
        style: NDArray[np.float32] = self._mapping({"var": noise})[0]
        return style

    def render(self, style: NDArray[np.float32], size: int) -> NDArray[np.uint8]:
        """Return the picture of a style, averaged down from 1024 to ``size`` pixels."""
        drawn = self._synthesis({"style": style[np.newaxis]})[0]
        levels = np.clip(np.rint((_averaged(drawn, EDGE // size) + 1) * 127.5), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(levels.transpose(1, 2, 0))


def _averaged(drawn: NDArray[np.float32], step: int) -> NDArray[np.float32]:
    """Return the mean of every ``step`` by ``step`` pixels."""
    if step == 2:  # the same numbers as below for an eighth of the time: numpy is slow at adding two by two
        halved = drawn[:, :, ::2] + drawn[:, :, 1::2]
        return np.divide(halved[:, ::2] + halved[:, 1::2], 4, dtype=np.float32)
    size = EDGE // step
    mean: NDArray[np.float32] = drawn.reshape(3, size, step, size, step).mean(axis=(2, 4))
    return mean


def load_model() -> FaceModel:
    """Return the networks, loaded once for all generators and threads of a process: they take 0.6 GB of memory."""
    with _loading:
        return _face_model()


_loading = threading.Lock()
_face_model = functools.cache(FaceModel)


def _openvino() -> Any:
    # Wider instruction sets die with SIGILL on some hosts that claim to have them; read once, at import.
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX2")
    os.environ.setdefault("DNNL_MAX_CPU_ISA", "AVX2")
    import openvino

    return openvino


def _weights() -> Path:
    # The package's own Python no longer imports; only its files are used.
    spec = importlib.util.find_spec("random_face")
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("generator 'facegan' needs random_face: run pip install \"portrayal[faces]\"")
    return Path(spec.submodule_search_locations[0]) / "data"


class _Network:
    """A compiled network for several threads; each answer is one thread's work, which costs less and never varies.

    OpenVINO would let all cores work on one picture, each thread bound to a core and waiting for the others: a third
    more work, and several times as long where another program uses a core too.
    """

    def __init__(self, core: Any, network: Any) -> None:
        threads = {"NUM_STREAMS": THREADS, "INFERENCE_NUM_THREADS": THREADS, "ENABLE_CPU_PINNING": False}
        options = {"INFERENCE_PRECISION_HINT": "f32", **threads}
        compiled = core.compile_model(network, "CPU", options)
        self._idle: SimpleQueue[Any] = SimpleQueue()
        for _ in range(THREADS):
            self._idle.put(compiled.create_infer_request())

    def __call__(self, inputs: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        request = self._idle.get()
        try:
            answer: NDArray[np.float32] = request.infer(inputs)[0]
            return answer
        finally:
            self._idle.put(request)
