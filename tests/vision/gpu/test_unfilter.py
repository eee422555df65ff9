"""Against Pillow, with rows of random bytes written in each of PNG's five ways."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from portrayal.vision.gpu.unfilter import unfilter
from portrayal.vision.headers import plain_png

pytestmark = pytest.mark.slow


def file_of(rows: bytes, height: int, width: int) -> bytes:
    """Return a PNG file of rows as they stand; any bytes are rows of some picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    start = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + start + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def random_rows(height: int, width: int, kinds: list[int], seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 256, (height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 0] = rng.choice(kinds, height)
    return rows.reshape(-1)


def by_pillow(rows: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(file_of(rows.tobytes(), height, width))) as picture:
        return np.asarray(picture)


def check(height: int, width: int, pictures: list[NDArray[np.uint8]]) -> None:
    found = unfilter(torch.from_numpy(np.stack(pictures)), height, width)
    assert found.shape == (len(pictures), height, width, 3)
    assert found.dtype == torch.uint8
    for ours, rows in zip(found.numpy(), pictures, strict=True):
        np.testing.assert_array_equal(ours, by_pillow(rows, height, width))


@pytest.mark.parametrize("kind", range(5))
def test_each_way_of_writing_a_row(kind: int) -> None:
    check(9, 7, [random_rows(9, 7, [kind], seed) for seed in range(3)])


@settings(max_examples=60)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 4), st.integers(0, 999))
@example(1, 1, 1, 0)
@example(1, 50, 2, 0)
@example(50, 1, 2, 0)
def test_all_ways_mixed(height: int, width: int, pictures: int, seed: int) -> None:
    check(height, width, [random_rows(height, width, list(range(5)), seed + number) for number in range(pictures)])


def test_files_as_pillow_writes_them() -> None:
    ramp = np.add.outer(np.arange(60), np.arange(80))[:, :, None] * np.array([1, 2, 3]) % 256
    buffer = io.BytesIO()
    Image.fromarray(ramp.astype(np.uint8)).save(buffer, "PNG", optimize=True)
    found = plain_png(buffer.getvalue())
    assert found is not None
    height, width, packed = found
    rows = np.frombuffer(zlib.decompress(packed), np.uint8)
    assert set(rows[:: 1 + 3 * width]) - {0}  # Pillow did write differences
    np.testing.assert_array_equal(unfilter(torch.tensor(rows[None]), height, width)[0].numpy(), ramp)


def test_the_rows_are_left_as_they_were() -> None:
    rows = torch.from_numpy(random_rows(6, 5, list(range(5)), 1)[None])
    before = rows.clone()
    unfilter(rows, 6, 5)
    assert torch.equal(rows, before)
