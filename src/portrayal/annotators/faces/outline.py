"""Skin tone as Wang et al. (2024) read it: over the whole face within its outline, without highlights.

Their outline is that of 68 landmarks: the jaw, closed above by half a circle over the forehead, without eyes and mouth.
Pixels whose strongest channel is above 240 are taken for highlights and left out, so that a face that becomes lighter
loses its lightest parts from the mean: the mean then hardly rises. The landmarks are not carried by any package whose
licence lets everybody use them; whoever has the file can name it.
"""

from __future__ import annotations

import math
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from portrayal.annotators.face_detection import Box
from portrayal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["FaceOutline", "outline_intensity", "outline_mask"]

LANDMARKS = 68
_JAW, _EYES, _MOUTH = slice(0, 17), (slice(36, 42), slice(42, 48)), slice(48, 60)
_ARC = 18
"""Into so many parts the half circle over the forehead is cut."""
_HIGHLIGHT, _DARK = 240, 5


class FaceOutline:
    """Reads faces by landmarks of a file of dlib's; calls take turns, for the predictor keeps state while it works."""

    def __init__(self, file: Path) -> None:
        import dlib

        self._dlib = dlib
        self._lock = threading.Lock()
        try:
            self._landmarks = dlib.shape_predictor(str(file))
        except RuntimeError as error:
            why = " ".join(str(error).split())
            raise InputError(f"{file}: not landmarks of dlib ({why}); {_WANTED}") from None
        self._file = file

    def intensity(self, pixels: NDArray[np.uint8], box: Box) -> tuple[float | None, str]:
        """Return the mean of red, green and blue over the face in ``box``, 0-255, or None and why there is none."""
        left, top, right, bottom = box
        with self._lock:
            shape = self._landmarks(pixels, self._dlib.rectangle(left, top, right - 1, bottom - 1))
        if shape.num_parts != LANDMARKS:
            raise InputError(f"{self._file}: it has {shape.num_parts} landmarks, not {LANDMARKS}; {_WANTED}")
        points = np.array([(point.x, point.y) for point in shape.parts()], dtype=float)
        return outline_intensity(pixels[outline_mask(points, pixels.shape[:2])])


_WANTED = "'landmarks' is a file such as shape_predictor_68_face_landmarks.dat"


def outline_mask(points: NDArray[np.float64], size: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which pixels of a picture lie within a face's outline, its eyes and mouth left out.

    ``points`` are 68 landmarks as (x, y), ``size`` is height and width of the picture.
    """
    jaw = points[_JAW]
    mask = _inside(np.concatenate([jaw, _forehead(jaw[0], jaw[-1])]), size)
    for hole in (*_EYES, _MOUTH):
        mask &= ~_inside(points[hole], size)
    return mask


def outline_intensity(pixels: NDArray[np.uint8]) -> tuple[float | None, str]:
    """Return the mean of all channels of those pixels that are neither highlights nor black, or why there is none.

    >>> outline_intensity(np.array([[100, 110, 120], [241, 90, 90], [3, 4, 5]], dtype=np.uint8))
    (110.0, '')
    >>> outline_intensity(np.array([[250, 200, 200]], dtype=np.uint8))
    (None, 'overexposed_face')
    """
    bright, dark = pixels.max(axis=1, initial=0) > _HIGHLIGHT, (pixels <= _DARK).all(axis=1)
    kept = pixels[~(bright | dark)]
    if not len(kept):
        return None, "overexposed_face" if bright.any() else "underexposed_face"
    return float(kept.mean()), ""


def _forehead(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of half a circle above the ends of the jaw, from the right to the left."""
    middle, radius = (left + right) / 2, abs(right[0] - left[0]) / 2
    angles = np.arange(1, _ARC) * math.pi / _ARC
    return np.asarray(middle + radius * np.stack([np.cos(angles), -np.sin(angles)], axis=1))


def _inside(corners: NDArray[np.float64], size: tuple[int, ...]) -> NDArray[np.bool_]:
    from skimage.draw import polygon2mask

    drawn: Callable[..., NDArray[np.bool_]] = polygon2mask
    return drawn(size[:2], corners[:, ::-1])
