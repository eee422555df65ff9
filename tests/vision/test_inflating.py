"""ISA-L beside the standard library: the same bytes, and the same refusals."""

from __future__ import annotations

import random
import zlib
from types import ModuleType

import pytest

from portrayal.vision import inflating
from portrayal.vision.inflating import NotDeflatedError, inflated

isal_zlib = pytest.importorskip("isal.isal_zlib")


@pytest.fixture(params=[zlib, isal_zlib], ids=["zlib", "isal"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(inflating, "_library", lambda: request.param)
    library: ModuleType = request.param
    return library


def test_bytes_are_those_that_were_packed(library: ModuleType) -> None:
    rows = random.Random(1).randbytes(5000) + bytes(5000)
    for level in range(10):
        assert inflated(zlib.compress(rows, level), len(rows)) == rows


@pytest.mark.parametrize("length", [0, 99, 101])
def test_another_length_is_no_picture(library: ModuleType, length: int) -> None:
    assert inflated(zlib.compress(bytes(100)), length) is None


def test_a_bomb_is_not_unpacked(library: ModuleType) -> None:
    packed = zlib.compress(bytes(2**28), 9)
    assert inflated(packed, 1000) is None


def test_cut_and_damaged_streams_are_refused(library: ModuleType) -> None:
    rows = random.Random(2).randbytes(300)
    packed = zlib.compress(rows)
    assert inflated(packed[:-5], len(rows)) is None
    with pytest.raises(NotDeflatedError):
        inflated(b"no deflate stream", 10)
    for place in (0, len(packed) // 2, len(packed) - 1):  # header, data, checksum
        broken = bytearray(packed)
        broken[place] ^= 0x10
        assert _result(bytes(broken), len(rows)) is None


def _result(packed: bytes, length: int) -> bytes | None:
    try:
        return inflated(packed, length)
    except NotDeflatedError:
        return None


def test_isal_is_taken_where_it_is() -> None:
    inflating._library.cache_clear()
    assert inflating._library() is isal_zlib
