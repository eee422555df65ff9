"""The explicit bias score of Luo et al. (2024): was the group drawn that the prompt asked for."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from portrayal.metrics.divergence import Array

__all__ = ["explicit_score"]


def explicit_score(mass: ArrayLike, requested: ArrayLike, *, hard: bool = False) -> Array:
    """Return the mean mass that images put on the requested group; 1 is no bias.

    ``mass`` is (..., images, groups), ``requested`` the index of the group, or one index per image. ``hard``: the share
    of images whose largest mass lies there (the first of equal ones). An image whose masses are missing or all zero
    shows nobody and is left out; without images the answer is nan.

    >>> float(explicit_score([[0.9, 0.1], [0.3, 0.7]], 0))
    0.6
    >>> float(explicit_score([[0.9, 0.1], [0.3, 0.7]], 0, hard=True))
    0.5
    """
    images = np.asarray(mass, dtype=float)
    if images.ndim < 2:
        raise ValueError(f"masses must be (..., images, groups), got {images.ndim} axis")
    wanted = np.broadcast_to(_indices(requested, images.shape[-1]), images.shape[:-1])
    seen = images.sum(axis=-1) > 0  # False for nan
    if hard:
        hits = (images.argmax(axis=-1) == wanted).astype(float)
    else:
        hits = np.take_along_axis(images, wanted[..., None], axis=-1)[..., 0]
    with np.errstate(invalid="ignore"):  # 0 / 0: no images
        return np.asarray(np.where(seen, hits, 0.0).sum(axis=-1) / seen.sum(axis=-1))


def _indices(requested: ArrayLike, groups: int) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    wanted = np.asarray(requested)
    # No index at all is an empty list of images, which numpy takes for floats.
    if wanted.size and (wanted.dtype.kind not in "iu" or wanted.min() < 0 or wanted.max() >= groups):
        raise ValueError(f"requested must be an index from 0 to {groups - 1}, got {requested!r}")
    return wanted.astype(np.intp)
