"""How many people use a model, as far as its likes and downloads tell."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["popularity"]


def popularity(
    likes: ArrayLike, downloads: ArrayLike, a_likes: float = 0.6, a_downloads: float = 0.4
) -> NDArray[np.float64]:
    """Return S_pop = a_likes ln(1 + likes) + a_downloads ln(1 + downloads of the last month); nan where one is.

    Vice et al. (2025) weigh likes, which last, a little more than downloads, which come and go.

    >>> float(popularity(0, 0)), round(float(popularity(100, 1000)), 4)
    (0.0, 5.5326)
    """
    liked, loaded = np.asarray(likes, dtype=float), np.asarray(downloads, dtype=float)
    if (liked < 0).any() or (loaded < 0).any():
        raise ValueError("likes and downloads are counted from 0 on")
    return np.asarray(a_likes * np.log1p(liked) + a_downloads * np.log1p(loaded))
