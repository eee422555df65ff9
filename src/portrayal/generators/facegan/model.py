"""MobileStyleGAN as the ``random_face`` package carries it, run by OpenVINO."""

from __future__ import annotations

import functools
import importlib.util
import os
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["EDGE", "TRUNCATION", "FaceModel", "Latents", "load_latents"]

EDGE = 1024
TRUNCATION = np.float32(0.8)
"""Fixed: the labels of the bank belong to faces drawn with it."""


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
    """The two networks: a seed gives a style, a style gives a picture. One at a time, so results never vary."""

    def __init__(self) -> None:
        core = _openvino().Core()
        folder = _weights()
        self._mapping = _compiled(core, folder / "MappingNetwork.xml")
        self._synthesis = _compiled(core, folder / "SynthesisNetwork.xml")

    def style(self, seed: int) -> NDArray[np.float32]:
        """Return the style of a seed, before truncation; the legacy stream of RandomState is frozen for ever."""
        noise = np.random.RandomState(seed).standard_normal((1, 512)).astype(np.float32)
        style: NDArray[np.float32] = self._mapping({"var": noise})[0][0].copy()
        return style

    def render(self, style: NDArray[np.float32], size: int) -> NDArray[np.uint8]:
        """Return the picture of a style, averaged down from 1024 to ``size`` pixels."""
        drawn = self._synthesis({"style": style[np.newaxis]})[0][0]
        step = EDGE // size
        smaller = drawn.reshape(3, size, step, size, step).mean(axis=(2, 4))
        levels = np.clip(np.rint((smaller + 1) * 127.5), 0, 255).astype(np.uint8)
        return np.ascontiguousarray(levels.transpose(1, 2, 0))


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


def _compiled(core: Any, path: Path) -> Any:
    return core.compile_model(core.read_model(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
