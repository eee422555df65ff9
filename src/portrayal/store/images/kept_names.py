"""Which pictures a store holds, far away or not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from portrayal.store.images.image_store import ImageStore

__all__ = ["kept_names"]

_LISTED = 16
"""Folders listed at a time."""


def kept_names(images: ImageStore) -> set[str]:
    """Return what pictures are called that are there; a store far away lists several folders at a time."""
    with ThreadPoolExecutor(_LISTED) as pool:
        return {path.name for paths in pool.map(images.paths, images.folders()) for path in paths}
