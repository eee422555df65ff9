"""What it costs to keep images in a bucket: stored and read by an annotator, batch by batch, beside the study's folder.

The bucket is in memory and answers after so many milliseconds, as one in a network does. Reading is told in three ways:
from the folder, from the bucket one picture after the other, and from the bucket as Portrayal does it, reading ahead.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from unittest import mock

import fsspec
import numpy as np
from fsspec.implementations.memory import MemoryFileSystem

from portrayal.annotators.annotator import Observed
from portrayal.records import Abstention, Image
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.image_store import ImageStore, read_image
from portrayal.store.images.remote_images import RemoteImages
from portrayal.study.annotate.ask_annotator import ask_annotator

BATCH = 32
ROUNDS = 3


class Reader:
    """An annotator that only reads."""

    looks = True
    name = "reader@1"
    attributes = ()
    citations: Sequence[str] = ()

    def annotate(self, images: Sequence[Image]) -> Iterator[Observed]:
        """Yield one row for each image."""
        for image in images:
            assert image.path is not None
            read_image(image.path)
            yield Abstention(image.id, self.name, "read")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", type=int, default=256)
    parser.add_argument("--bytes", type=int, default=200_000)
    parser.add_argument("--latency", type=float, default=20, help="milliseconds until the bucket answers")
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    drawn = [rng.bytes(asked.bytes) for _ in range(asked.images)]
    pictures = {(hashlib.sha256(data).hexdigest(), "png"): data for data in drawn}
    fsspec.filesystem("memory").mkdir("/bucket")
    bucket = RemoteImages("memory://bucket/study")
    with tempfile.TemporaryDirectory() as folder, _answering_after(asked.latency / 1000):
        own = ImageFolder(Path(folder))
        print(f"{'what':34}{'images/s':>10}")
        _print("store in the folder", asked.images, lambda: own.add(pictures), 1)
        _print("store in the bucket", asked.images, lambda: bucket.add(pictures), 1)
        _print("read from the folder", asked.images, lambda: _look(own, pictures, BATCH))
        _print("read from the bucket, one by one", asked.images, lambda: _look(bucket, pictures, 1))
        _print("read from the bucket, read ahead", asked.images, lambda: _look(bucket, pictures, BATCH))


def _look(store: ImageStore, names: Iterable[tuple[str, str]], batch: int) -> None:
    images = [Image(image, store.path(image, ext)) for image, ext in names]
    for start in range(0, len(images), batch):
        ask_annotator(Reader(), images[start : start + batch])


@contextlib.contextmanager
def _answering_after(seconds: float) -> Iterator[None]:
    read, write = MemoryFileSystem.cat_file, MemoryFileSystem.pipe_file

    def read_late(files: MemoryFileSystem, path: str, start: int, end: int) -> bytes:
        time.sleep(seconds)
        return bytes(read(files, path, start, end))

    def write_late(files: MemoryFileSystem, path: str, value: bytes) -> None:
        time.sleep(seconds)
        write(files, path, value)

    with mock.patch.multiple(MemoryFileSystem, cat_file=read_late, pipe_file=write_late):
        yield


def _print(what: str, images: int, work: Callable[[], None], rounds: int = ROUNDS) -> None:
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    print(f"{what:34}{images / min(seconds):10.0f}")


if __name__ == "__main__":
    main()
