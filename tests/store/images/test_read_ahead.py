from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from portrayal.errors import PortrayalError
from portrayal.store.images.image_store import read_image
from portrayal.store.images.read_ahead import ReadAhead
from portrayal.store.images.remote_images import RemoteImage, RemoteImages

PICTURES = {hashlib.sha256(data).hexdigest(): data for data in (f"picture {n}".encode() for n in range(40))}


@pytest.fixture
def files() -> Iterator[list[RemoteImage]]:
    memory = fsspec.filesystem("memory")
    memory.mkdir("/bucket")
    store = RemoteImages("memory://bucket/ahead")
    store.add({(name, "png"): data for name, data in PICTURES.items()})
    yield [store.path(name, "png") for name in PICTURES]
    memory.rm("/bucket", recursive=True)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each picture is asked for."""
    found, plain = Counter[str](), MemoryFileSystem.cat_file

    def counted(self: MemoryFileSystem, path: str, **limits: int) -> bytes:
        found[Path(path).stem] += 1
        return bytes(plain(self, path, **limits))

    monkeypatch.setattr(MemoryFileSystem, "cat_file", counted)
    return found


def test_each_is_read_once_and_few_at_a_time(files: list[RemoteImage], reads: Counter[str]) -> None:
    with ReadAhead([*files, None, *files]) as ahead:
        assert ahead.reads
        for place, file in enumerate(files):
            assert read_image(ahead.file(file)) == PICTURES[file.stem]
            assert len(reads) <= place + 1 + 8
    assert set(reads.values()) == {1}
    assert len(reads) == len(files)


def test_several_are_read_at_the_same_time(files: list[RemoteImage], monkeypatch: pytest.MonkeyPatch) -> None:
    together, plain = threading.Barrier(8), MemoryFileSystem.cat_file

    def waiting(self: MemoryFileSystem, path: str, **limits: int) -> bytes:
        together.wait()  # for ever, were they read one by one
        return bytes(plain(self, path, **limits))

    monkeypatch.setattr(MemoryFileSystem, "cat_file", waiting)
    with ReadAhead(files[:8]) as ahead:
        assert [read_image(ahead.file(file)) for file in files[:8]] == list(PICTURES.values())[:8]


def test_a_single_one_is_not_worth_a_thread_and_two_are(files: list[RemoteImage]) -> None:
    for count, ahead_of_time in ((1, False), (2, True)):
        with ReadAhead(files[:count]) as ahead:
            assert ahead.reads is ahead_of_time
            assert [read_image(ahead.file(file)) for file in files[:count]] == list(PICTURES.values())[:count]


def test_what_is_asked_again_or_later_is_read_again(files: list[RemoteImage], reads: Counter[str]) -> None:
    with ReadAhead(files) as ahead:
        first = ahead.file(files[0])
        assert read_image(first) == read_image(first)
        assert ahead.file(files[0]) == first
        assert (first.name, str(first), first.is_file(), first.stat().st_size) == (
            files[0].name, str(files[0]), True, len(PICTURES[files[0].stem])
        )  # fmt: skip
        with pytest.raises(PortrayalError, match="no file of this machine"):
            open(first)  # noqa: PTH123, SIM115 - as a plugin would
    assert read_image(first) == PICTURES[files[0].stem]
    assert reads[files[0].stem] == 3


def test_what_is_not_there_is_told_when_it_is_asked_for(files: list[RemoteImage]) -> None:
    gone = RemoteImages("memory://bucket/ahead").path("a" * 64, "png")
    with ReadAhead([files[0], gone]) as ahead:
        assert read_image(ahead.file(files[0]))
        with pytest.raises(FileNotFoundError):
            read_image(ahead.file(gone))


def test_files_of_this_machine_are_left_alone(tmp_path: Path) -> None:
    with ReadAhead([tmp_path / "a.png", tmp_path / "b.png", None]) as ahead:
        assert not ahead.reads
        assert ahead.file(tmp_path / "a.png") == tmp_path / "a.png"
