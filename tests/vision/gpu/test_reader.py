"""Which way files go to a GPU, with a stand-in for it that works on the CPU."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from portrayal.vision.gpu import preprocessor
from portrayal.vision.gpu.preprocessor import GpuPreprocessor
from portrayal.vision.gpu.reader import GpuBatchReader
from portrayal.vision.gpu.unfilter import unfilter
from portrayal.vision.preprocessing import Preprocessing
from portrayal.vision.reader import BatchReader

pytestmark = pytest.mark.slow

PREPROCESSING = Preprocessing(24, (24, 24), 3, (0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
ROUNDING = 1.5
"""Levels of 255: Pillow rounds after each direction, the GPU once at the end and in 16 bits."""
DRAFTED = 4
"""Levels of 255 for JPEG files that Pillow decodes small and then shrinks."""
GREY = 12
"""The place of the grey JPEG file, which the GPU leaves to Pillow."""


class PlainPreprocessor(GpuPreprocessor):
    """Does what a GPU does, in plain torch and Pillow, and notes which files came which way."""

    def __init__(self, preprocessing: Preprocessing, *, broken: bytes = b"") -> None:
        self.preprocessing, self.device = preprocessing, torch.device("cpu")
        self.decodes = self.unpacks = True
        self.decoded = self.unpacked = 0
        self._broken = broken
        self._weights = {}

    def prepare(self, count: int, fill: Callable[[Any], None]) -> tuple[Any, Any]:
        batch = torch.zeros(count, 3, *self.preprocessing.crop, dtype=torch.float16)
        fill(batch)
        return batch, None

    def decode(self, files: Sequence[bytearray]) -> list[Any]:
        self.decoded += len(files)
        return [None if bytes(data) == self._broken else _pixels(data) for data in files]

    def unpack_into(self, batch: Any, files: Any) -> None:
        self.unpacked += len(files)
        super().unpack_into(batch, files)


def _pixels(data: bytearray) -> Any:
    return torch.from_numpy(np.array(Image.open(io.BytesIO(bytes(data))).convert("RGB"))).permute(2, 0, 1)


@pytest.fixture(autouse=True)
def plain_unfilter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preprocessor, "unfilter_on_gpu", unfilter)


def smooth(seed: int, height: int, width: int) -> Image.Image:
    coarse = np.random.default_rng(seed).integers(0, 256, (4, 4, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)


@pytest.fixture
def files(tmp_path: Path) -> list[Path | None]:
    """Return JPEG and PNG files of several sizes, plain ones and others, and some that hold no picture."""
    found: list[Path | None] = []
    for number in range(12):
        path = tmp_path / f"{number}.{'jpg' if number % 2 else 'png'}"
        smooth(number, 40 + 10 * (number % 3), 60).save(path, quality=95)
        found.append(path)
    smooth(20, 50, 50).convert("L").save(tmp_path / "grey.jpg", quality=95)
    smooth(21, 50, 50).convert("RGBA").save(tmp_path / "alpha.png")
    smooth(22, 50, 50).save(tmp_path / "other.webp", lossless=True)
    (tmp_path / "cut.jpg").write_bytes((tmp_path / "1.jpg").read_bytes()[:300])
    (tmp_path / "cut.png").write_bytes((tmp_path / "2.png").read_bytes()[:300])
    (tmp_path / "empty.jpg").write_bytes(b"")
    names = ("grey.jpg", "alpha.png", "other.webp", "cut.jpg", "cut.png", "empty.jpg", "gone.jpg")
    return [*found, *(tmp_path / name for name in names), None]


def read(gpu: GpuPreprocessor, files: Sequence[Path | None], size: int, workers: int = 0) -> tuple[Any, list[str]]:
    reader = GpuBatchReader(gpu, workers)
    batches = list(reader.read((files[start : start + size] for start in range(0, len(files), size)), ahead=2))
    reader.close()
    return torch.cat([batch.pixels for batch in batches]).float(), [why for batch in batches for why in batch.reasons]


def exact(files: Sequence[Path | None]) -> tuple[Any, list[str]]:
    reader = BatchReader(PREPROCESSING, "exact", 0)
    (batch,) = reader.read(iter([files]), ahead=0)
    reader.close()
    return batch.pixels.float(), list(batch.reasons)


def test_pixels_and_reasons_are_those_of_the_exact_way(files: list[Path | None]) -> None:
    (found, reasons), (wanted, why) = read(PlainPreprocessor(PREPROCESSING), files, 7), exact(files)
    assert reasons == why
    assert reasons[-5:] == ["unreadable_image"] * 3 + ["missing_file"] * 2
    apart = (found - wanted).abs().amax(dim=(1, 2, 3))
    assert apart[GREY] <= DRAFTED
    apart[GREY] = 0
    assert apart.max() <= ROUNDING


def test_plain_files_go_to_the_gpu_and_others_do_not(files: list[Path | None]) -> None:
    gpu = PlainPreprocessor(PREPROCESSING)
    read(gpu, files, len(files))
    assert (gpu.decoded, gpu.unpacked) == (6, 6)


@pytest.mark.parametrize("size", [1, 3, 20])
def test_pixels_do_not_hang_on_the_batch(files: list[Path | None], size: int) -> None:
    (found, _), (wanted, _) = (
        read(PlainPreprocessor(PREPROCESSING), files, size),
        read(PlainPreprocessor(PREPROCESSING), files, 7),
    )
    assert torch.equal(found, wanted)


def test_workers_give_what_this_process_gives(files: list[Path | None]) -> None:
    (found, _), (wanted, _) = (
        read(PlainPreprocessor(PREPROCESSING), files, 7, workers=2),
        read(PlainPreprocessor(PREPROCESSING), files, 7),
    )
    assert torch.equal(found, wanted)


def test_what_the_gpu_cannot_decode_is_opened_by_pillow(files: list[Path | None]) -> None:
    broken = files[3]
    assert broken is not None
    (found, reasons), (wanted, _) = (
        read(PlainPreprocessor(PREPROCESSING, broken=broken.read_bytes()), files, 7),
        exact(files),
    )
    assert reasons[3] == ""
    assert (found[3] - wanted[3]).abs().max() <= DRAFTED
    assert (found[2] - wanted[2]).abs().max() <= ROUNDING
