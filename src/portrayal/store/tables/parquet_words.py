"""The words of a Parquet dictionary, without the rows that point to them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from portrayal.store.tables.parquet_pages import Page

__all__ = ["equal_length"]

_HEAD = 4
"""Bytes before each word that say how long it is."""
_CODECS = {"ZSTD": "zstd", "UNCOMPRESSED": None}


def equal_length(packed: bytes, codec: str, page: Page) -> int | None:
    """Return how many bytes each word of a dictionary has; None where they differ, or where it cannot be told here."""
    if codec not in _CODECS or not page.values:
        return None
    size, left = divmod(page.unpacked, page.values)
    if left or size < _HEAD:
        return None
    name = _CODECS[codec]
    words = pa.Codec(name).decompress(packed, decompressed_size=page.unpacked) if name else packed
    if len(words) != page.unpacked:
        return None
    lengths = np.frombuffer(words, np.uint8).reshape(page.values, size)[:, :_HEAD].copy().view("<u4")
    return size - _HEAD if (lengths == size - _HEAD).all() else None
