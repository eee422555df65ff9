"""Structural similarity of many pairs of pictures (Wang et al. 2004), with a plain window of 7 x 7 pixels.

A picture takes part in many pairs, so what depends on it alone, the mean and the variance in every window, is computed
once. A pair then needs one more sum over windows, of the products of its pixels. These sums are whole numbers below
2**24, so that single precision holds them exactly.

Pictures are kept as one long row of pixels. Windows that reach beyond the right edge go on in the next line; they are
computed like the others and left out at the end, for stepping over them would cost more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["WINDOW", "Grey", "ssim"]

WINDOW = 7
_PIXELS = WINDOW * WINDOW
_SAMPLE = _PIXELS / (_PIXELS - 1)
"""The variance of a window is that of a sample, as usual."""
_C1, _C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
_STRIP = 32768
"""Windows worked on at a time: few enough to stay near the processor."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Grey:
    """A picture in grey with what is known of the window at each pixel: the mean; and, each with half of the constant
    that is added to the sum of two, its square and the variance.
    """

    width: int
    pixels: Floats
    mean: Floats
    square: Floats
    variance: Floats

    @classmethod
    def of(cls, levels: NDArray[np.uint8]) -> Grey:
        """Return a picture of at least 7 x 7 pixels."""
        if levels.ndim != 2 or min(levels.shape) < WINDOW:
            raise ValueError(f"a picture in grey has two dimensions of {WINDOW} pixels or more, not {levels.shape}")
        width = levels.shape[1]
        pixels = np.ascontiguousarray(levels, dtype=np.float32).ravel()
        mean = _window_sums(pixels, width) / np.float64(_PIXELS)
        variance = (_window_sums(pixels * pixels, width) / np.float64(_PIXELS) - mean**2) * _SAMPLE
        known = (mean, mean**2 + _C1 / 2, variance + _C2 / 2)
        return cls(width, pixels, *(part.astype(np.float32) for part in known))


def ssim(one: Grey, other: Grey) -> float:
    """Return the structural similarity of two pictures of the same size: 1 where they are the same.

    >>> flat, steps = np.full((9, 9), 128, np.uint8), np.arange(81, dtype=np.uint8).reshape(9, 9)
    >>> round(ssim(Grey.of(steps), Grey.of(steps)), 6), round(ssim(Grey.of(flat), Grey.of(steps)), 3)
    (1.0, 0.084)
    """
    if (one.width, len(one.pixels)) != (other.width, len(other.pixels)):
        raise ValueError("only pictures of the same size can be compared")
    width = one.width
    rows = len(one.pixels) // width - (WINDOW - 1)
    step = max(1, _STRIP // width)
    total = sum(_strip(one, other, start, min(start + step, rows)) for start in range(0, rows, step))
    return total / (rows * (width - WINDOW + 1))


def _strip(one: Grey, other: Grey, start: int, stop: int) -> float:
    """Return the sum of the similarities of the windows that begin in these rows."""
    width = one.width
    here = slice(start * width, stop * width - (WINDOW - 1))
    seen = slice(start * width, (stop + WINDOW - 1) * width)
    above = _window_sums(one.pixels[seen] * other.pixels[seen], width)
    above *= np.float32(2 * _SAMPLE / _PIXELS)
    product = one.mean[here] * other.mean[here]
    product *= np.float32(2)
    above -= product * np.float32(_SAMPLE)
    above += np.float32(_C2)
    product += np.float32(_C1)
    above *= product
    np.add(one.square[here], other.square[here], out=product)
    product *= one.variance[here] + other.variance[here]
    above /= product
    whole = np.append(above, np.zeros(WINDOW - 1, dtype=np.float32)).reshape(-1, width)
    return float(whole[:, : width - WINDOW + 1].sum(dtype=np.float64))


def _window_sums(pixels: Floats, width: int) -> Floats:
    """Return the sum over the window that begins at each pixel: of seven in a column, then of seven in a row."""
    return _sevens(_sevens(pixels, width), 1)


def _sevens(values: Floats, step: int) -> Floats:
    """Return sums of seven values a step apart: two, twice two, and the three that are left."""
    two = values[:-step] + values[step:]
    seven = two[: -5 * step] + two[2 * step : -3 * step]
    seven += two[4 * step : -step]
    seven += values[6 * step :]
    return seven
