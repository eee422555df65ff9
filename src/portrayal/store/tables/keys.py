"""Names of jobs and images as numbers.

The name of a job has 128 bits and that of an image 256, written in hexadecimal digits. The first 64 tell 15 million
names apart but for one chance in 160,000; where two of them must never be mistaken for one another, more are compared.
"""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["DIGITS", "Keys", "key_numbers", "names_to_keys"]

Keys = NDArray[np.uint64]

DIGITS = 16
"""How many hexadecimal digits of a name become one number."""
_WIDTHS = (32, 64)
"""How many digits the names of jobs and of images have."""
_ONES = np.uint64(0x0101010101010101)


def key_numbers(names: pa.StringArray, first: int = 0) -> Keys:
    """Return 64 bits of each name, from hexadecimal digit ``first`` on (0 or 16); a missing name becomes 0.

    >>> key_numbers(pa.array(["00000000000000ff" + 16 * "0"]))
    array([255], dtype=uint64)
    """
    if not len(names) or names.null_count == len(names):
        return np.zeros(len(names), dtype=np.uint64)
    _, offsets, text = names.buffers()
    starts = np.frombuffer(offsets, dtype=np.int32)[names.offset : names.offset + len(names) + 1]
    letters, widths = np.frombuffer(text, dtype=np.uint8), np.diff(starts)
    if widths[0] in _WIDTHS and (widths == widths[0]).all():
        return _packed(letters[starts[0] : starts[-1]].reshape(-1, widths[0])[:, first : first + DIGITS])
    keys = np.zeros(len(names), dtype=np.uint64)
    usual = np.isin(widths, _WIDTHS) & np.asarray(names.is_valid())
    keys[usual] = _packed(letters[starts[:-1][usual][:, None] + np.arange(first, first + DIGITS)])
    for place in np.flatnonzero(~usual & np.asarray(names.is_valid())).tolist():
        digest = hashlib.blake2b(names[place].as_py().encode(), digest_size=16).digest()  # a name of somebody's own
        keys[place] = int.from_bytes(digest[first // 2 : first // 2 + 8], "big")
    return keys


def _packed(digits: NDArray[np.uint8]) -> Keys:
    """Return the numbers that 16 hexadecimal digits each stand for; eight of them are worked on at a time."""
    words = np.ascontiguousarray(digits).view("<u8")
    values = (words & _ONES * 15) + ((words >> 6) & _ONES) * 9  # "a" is 0x61: its low half is 1, and it stands for 10
    bytes_ = (values << 4) | (values >> 8)
    half = (bytes_ & 0xFF) << 24 | (bytes_ & 0xFF0000) | (bytes_ >> 24 & 0xFF00) | (bytes_ >> 48 & 0xFF)
    return np.asarray(half[:, 0] << np.uint64(32) | half[:, 1], dtype=np.uint64)


def names_to_keys(column: pa.Array, first: int = 0) -> Keys:
    """Return the same of a column that may be encoded as numbers of its values."""
    if isinstance(column, pa.DictionaryArray):
        numbers = np.append(key_numbers(column.dictionary, first), np.uint64(0))
        return np.asarray(numbers[column.indices.fill_null(-1).to_numpy(zero_copy_only=False)], dtype=np.uint64)
    return key_numbers(column, first)
