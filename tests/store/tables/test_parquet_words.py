"""Words of a dictionary: told to have one length only where each of them has it."""

from __future__ import annotations

import struct

import pyarrow as pa
import pytest

from portrayal.store.tables.parquet_pages import DICTIONARY, Page
from portrayal.store.tables.parquet_words import equal_length


def told(*words: str, codec: str = "UNCOMPRESSED", count: int | None = None, lie: int = 0) -> int | None:
    plain = b"".join(struct.pack("<I", len(word)) + word.encode() for word in words)
    packed = bytes(pa.Codec("zstd").compress(plain)) if codec == "ZSTD" else plain
    page = Page(DICTIONARY, 0, len(words) if count is None else count, len(plain) + lie, len(packed), 20)
    return equal_length(packed, codec, page)


@pytest.mark.parametrize("codec", ["UNCOMPRESSED", "ZSTD"])
def test_words_of_one_length(codec: str) -> None:
    assert told("ab", "cd", "ef", codec=codec) == 2
    assert told("", "", codec=codec) == 0
    assert told("a", "bcd", codec=codec) is None  # as long together as two of two
    assert told("abc", "d", codec=codec) is None
    assert told("ab", "c", codec=codec) is None
    assert told("ab", "a", "bcd", codec=codec) is None  # the first has the length of the mean


def test_nothing_is_told_of_what_is_not_understood() -> None:
    assert told("ab", "cd", codec="SNAPPY") is None
    assert told() is None
    assert told("ab", "cd", count=12) is None  # of less than a length each
    assert told("ab", "cd", count=1) is None
    assert told("ab", "cd", lie=2) is None  # a page that is shorter than it says


@pytest.mark.parametrize("lie", [2, -2])
def test_packed_words_that_are_longer_or_shorter_than_they_say(lie: int) -> None:
    with pytest.raises(OSError, match="ZSTD"):
        told("ab", "cd", codec="ZSTD", lie=lie)
