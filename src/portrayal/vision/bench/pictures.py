"""Pictures to measure with: noise as smooth as photographs, so that files are as large as those of faces."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np

from portrayal.processes import WorkerPool, cpu_count

__all__ = ["draw_pictures"]

_DIFFERENT = 128
_ENDINGS = {"jpeg": ".jpg", "png": ".png"}
_STEEPNESS = 1.5
"""How fast fine detail fades: at 1024 pixels and quality 90 a JPEG file then has 220 kB, as one of a face."""


def draw_pictures(folder: Path, kind: str, size: int) -> list[Path]:
    """Write pictures of one kind into ``folder`` and return their paths."""
    paths = [folder / f"{number}{_ENDINGS[kind]}" for number in range(_DIFFERENT)]
    with WorkerPool(cpu_count()) as pool:
        list(pool.map(_draw, paths, itertools.count(), itertools.repeat(size), chunksize=4))
    return paths


def _draw(path: Path, seed: int, size: int) -> None:
    from PIL import Image

    rng = np.random.default_rng(seed)
    grey = _noise(rng, size)
    channels = [grey + 0.3 * _noise(rng, size) for _ in range(3)]
    pixels = np.stack([128 + 50 * (channel - channel.mean()) / channel.std() for channel in channels], axis=-1)
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(path, quality=90)


def _noise(rng: np.random.Generator, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    steps = np.hypot(np.fft.fftfreq(size)[:, None], np.fft.rfftfreq(size)[None, :])
    fading = np.maximum(steps, 1 / size) ** -_STEEPNESS
    waves = fading * np.exp(2j * np.pi * rng.random(fading.shape))
    return np.asarray(np.fft.irfft2(waves, s=(size, size)))
