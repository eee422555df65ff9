"""Which of several groups has the largest mass."""

from __future__ import annotations

import numpy as np

from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["likeliest"]


def likeliest(columns: Array) -> Ints:
    """Return the row with the largest number of each column, of equals the first.

    Row by row, which is several times as fast as looking through columns that have a few rows each.

    >>> likeliest(np.array([[0.2, 0.5, 0.1], [0.8, 0.5, 0.4], [0.0, 0.0, 0.5]])).tolist()
    [1, 0, 2]
    """
    found = np.zeros(columns.shape[1], dtype=np.int64)
    largest = columns[0].copy()
    for place, row in enumerate(columns[1:], start=1):
        np.copyto(found, place, where=row > largest)
        np.maximum(largest, row, out=largest)
    return found
