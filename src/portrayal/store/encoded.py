"""Columns that are encoded as numbers of their values."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["is_word"]


def is_word(column: pa.DictionaryArray, word: str) -> NDArray[np.bool_]:
    """Return where an encoded column has a word."""
    numbers = [place for place, name in enumerate(column.dictionary.to_pylist()) if name == word]
    return np.isin(column.indices.fill_null(-1).to_numpy(zero_copy_only=False), numbers)
