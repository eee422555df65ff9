"""How alike two pictures are: in structure, in what their captions say, and in both.

Pure and pairwise. Where one of the two has nothing to compare, the answer is nan, never 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["cosine", "ssim", "style_similarity"]

WINDOW = 7
"""Pixels: a picture must be at least this high and wide for its structure to be looked at."""


def ssim(one: ArrayLike, other: ArrayLike) -> float:
    """Return the structural similarity of two grey pictures of one size, levels 0 to 255; 1 when they are the same.

    Wang et al. 2004, with a window of 7 x 7 as scikit-image has it.
    """
    from skimage import metrics

    compare: Any = metrics.structural_similarity
    left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if left.ndim != 2 or left.shape != right.shape:
        raise ValueError(f"two grey pictures of one size are needed, got {left.shape} and {right.shape}")
    if min(left.shape) < WINDOW:
        return float("nan")
    return float(compare(left, right, win_size=WINDOW, data_range=255))


def cosine(one: ArrayLike, other: ArrayLike) -> float:
    """Return the cosine of the angle between two vectors; a vector of zeros has none.

    >>> round(cosine([3, 4], [4, 3]), 6)
    0.96
    >>> cosine([0, 0], [1, 1])
    nan
    """
    left, right = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if left.ndim != 1 or left.shape != right.shape:
        raise ValueError(f"two vectors of one length are needed, got {left.shape} and {right.shape}")
    lengths = float(np.linalg.norm(left) * np.linalg.norm(right))
    # Rounding may end just outside.
    return float(np.clip(left @ right / lengths, -1.0, 1.0)) if lengths > 0 else float("nan")


def style_similarity(structure: float, captions: float, weight: float = 0.5) -> float:
    """Return ``weight`` times the structural similarity plus the rest times the cosine of the captions' embeddings.

    This is the style similarity of occupation-race graphs; its published lambda is ``weight``.

    >>> style_similarity(0.5, 1.0)
    0.75
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"the weight lies between 0 and 1, got {weight}")
    return weight * structure + (1 - weight) * captions
