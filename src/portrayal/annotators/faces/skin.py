"""Skin tone of an aligned face: where skin is by geometry, how bright it is, and the nearest Monk tone.

Colour never decides what counts as skin, since any colour rule loses very light and very dark people. The region is
fixed on the aligned face: both cheeks, the bridge of the nose, the lower forehead.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["CHIP_PADDING", "CHIP_SIZE", "MONK_HEX", "Skin", "ToneRule", "monk_tone", "read_skin", "skin_mask"]

CHIP_SIZE = 96
CHIP_PADDING = 0.2
"""Edge in pixels of the aligned face and its margin, in dlib's terms; the regions below are fractions of that edge."""

MONK_HEX = ("f6ede4", "f3e7db", "f7ead0", "eadaba", "d7bd96", "a07e56", "825c43", "604134", "3a312a", "292420")
"""The ten published colours of the Monk Skin Tone scale (Ellis Monk, CC BY 4.0)."""

ToneRule = Literal["ita", "ciede2000"]

_REGIONS = (  # centre x, centre y, half width, half height
    (0.26, 0.50, 0.085, 0.09),
    (0.74, 0.50, 0.085, 0.09),
    (0.50, 0.39, 0.05, 0.12),
    (0.50, 0.125, 0.14, 0.05),
)
_BRIGHT, _DARK = 250, 5
_GREY_CHROMA = 2.0  # the least colourful Monk tone has 3.8, at a lightness of 15
_SKIN_HUES = (5.0, 110.0)  # degrees; the Monk colours lie between 49 and 89, a sunburn or a blush near 20
_MIDDLE_LIGHTNESS = 50.0
_LUMA = np.array([0.2126, 0.7152, 0.0722])


@dataclass(frozen=True, slots=True)
class Skin:
    """What the skin pixels say. ``reason`` tells why ``tone`` and ``ita`` are None, or why nothing is known.

    ``intensity`` is the mean of red, green and blue, 0-255. ``tone`` is the Monk tone, 1-10.
    """

    intensity: float | None
    ita: float | None
    tone: int | None
    reason: str = ""


@functools.cache
def skin_mask(size: int = CHIP_SIZE) -> NDArray[np.bool_]:
    """Return where skin is expected on an aligned face of ``size`` pixels."""
    y, x = (np.mgrid[:size, :size] + 0.5) / size
    inside = [((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 <= 1 for cx, cy, rx, ry in _REGIONS]
    mask: NDArray[np.bool_] = np.logical_or.reduce(inside)
    mask.setflags(write=False)
    return mask


def read_skin(chip: NDArray[np.uint8], rule: ToneRule = "ita") -> Skin:
    """Read the skin of an aligned RGB face.

    Pixels with all channels >= 250 or all <= 5 carry no tone and are dropped; when they are the majority the whole
    reading is. Of the rest the middle 80 % by luminance is averaged, so that a fringe, the rim of glasses or a
    glint count little, whatever the tone.
    """
    pixels = chip[skin_mask(chip.shape[0])]
    bright, dark = (pixels >= _BRIGHT).all(axis=1), (pixels <= _DARK).all(axis=1)
    if bright.mean() > 0.5 or dark.mean() > 0.5 or (bright | dark).all():
        reason = "overexposed_face" if bright.sum() >= dark.sum() else "underexposed_face"
        return Skin(None, None, None, reason)
    colour = _middle(pixels[~(bright | dark)].astype(np.float64))
    intensity = float(colour.mean())
    lab = _lab(colour)
    if reason := _tinted(lab):
        return Skin(intensity, None, None, reason)
    return Skin(intensity, _ita(lab), monk_tone(lab, rule))


def monk_tone(lab: NDArray[np.float64], rule: ToneRule = "ita") -> int:
    """Return the Monk tone, 1-10, nearest to a CIELAB colour.

    ``ita`` compares typology angles, and lightness once the colour is darker than L* 50, where the angle swings from
    0 to -90 degrees with the faintest change of tint. ``ciede2000`` compares whole colours; since the published
    colours are less red than skin in photographs, it jumps from tone 5 to tone 2 as faces get lighter.
    """
    scale = _monk_lab()
    if rule == "ciede2000":
        from skimage.color import deltaE_ciede2000

        difference: Callable[..., NDArray[np.float64]] = deltaE_ciede2000
        return int(np.argmin(difference(np.broadcast_to(lab, scale.shape), scale))) + 1
    if lab[0] < _MIDDLE_LIGHTNESS:
        return int(np.argmin(np.abs(scale[:, 0] - lab[0]))) + 1
    return int(np.argmin([abs(_ita(tone) - _ita(lab)) for tone in scale])) + 1


def _middle(pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    luminance = pixels @ _LUMA
    low, high = np.percentile(luminance, (10, 90))
    kept: NDArray[np.float64] = pixels[(luminance >= low) & (luminance <= high)].mean(axis=0)
    return kept


def _tinted(lab: NDArray[np.float64]) -> str:
    """Return why a colour says nothing about skin: black-and-white pictures, and faces in blue or green light."""
    chroma, hue = math.hypot(lab[1], lab[2]), math.degrees(math.atan2(lab[2], lab[1]))
    if chroma < _GREY_CHROMA:
        return "colourless_face"
    return "" if _SKIN_HUES[0] <= hue <= _SKIN_HUES[1] else "coloured_light"


def _ita(lab: NDArray[np.float64]) -> float:
    return math.degrees(math.atan2(lab[0] - _MIDDLE_LIGHTNESS, lab[2]))


def _lab(colour: NDArray[np.float64]) -> NDArray[np.float64]:
    from skimage.color import rgb2lab

    lab: NDArray[np.float64] = rgb2lab(colour / 255.0)
    return lab


@functools.cache
def _monk_lab() -> NDArray[np.float64]:
    colours = [[int(tone[start : start + 2], 16) for start in (0, 2, 4)] for tone in MONK_HEX]
    return _lab(np.array(colours, dtype=np.float64))
