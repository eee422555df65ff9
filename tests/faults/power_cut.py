"""A disk that forgets what was not synced: what a study does to its files is recorded, then cut off at any moment.

POSIX promises little. The bytes of a file are on disk once the file was synced, and a name (made, renamed, deleted)
once the folder that holds it was. Until then any of it may be there or not; the names of one folder change in order.
"""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass
class _File:
    data: bytes = b""
    synced: bytes = b""


@dataclass
class _Folder:
    """What a folder holds on disk, and what happened to it since: a name and what it is now, or None."""

    entries: dict[str, _File | _Folder] = field(default_factory=dict)
    pending: list[dict[str, _File | _Folder | None]] = field(default_factory=list)

    def now(self, survive: int | None = None) -> dict[str, _File | _Folder]:
        """Return what it holds when so many of the last changes survive; without a number all of them."""
        names: dict[str, Any] = dict(self.entries)
        for change in self.pending[:survive]:
            names |= change
        return {name: node for name, node in names.items() if node is not None}


Operation = Callable[["Disk"], None]


@dataclass
class Disk:
    """The files of a study as the system remembers them, and as the disk does."""

    top: _Folder

    @classmethod
    def of(cls, folder: Path) -> Disk:
        """Return what is there, all of it synced."""

        def node(path: Path) -> _File | _Folder:
            if path.is_dir():
                return _Folder({inner.name: node(inner) for inner in path.iterdir()})
            return _File(path.read_bytes(), path.read_bytes())

        top = node(folder)
        assert isinstance(top, _Folder)
        return cls(top)

    def find(self, path: str) -> Any:
        """Return a file or folder as the system knows it now."""
        node: Any = self.top
        for name in Path(path).parts:
            node = node.now()[name]
        return node

    def change(self, path: str, **names: Any) -> None:
        """Change names in the folder of ``path``."""
        self.find(str(Path(path).parent)).pending.append(names)

    def after_cut(self, target: Path, keep: Keep) -> None:
        """Write what the disk holds after a power cut to an empty folder."""

        def write(folder: _Folder, path: Path) -> None:
            path.mkdir(exist_ok=True)
            for name, node in folder.now(keep.names(folder)).items():
                if isinstance(node, _Folder):
                    write(node, path / name)
                else:
                    (path / name).write_bytes(node.synced if node.data == node.synced else keep.data(node))

        write(self.top, target)


class Keep:
    """What survives of that which was not synced; here all of it, as when a process is killed."""

    def names(self, folder: _Folder) -> int:
        """Return how many changes of names survive."""
        return len(folder.pending)

    def data(self, file: _File) -> bytes:
        """Return which bytes of a file survive."""
        return file.data


class Least(Keep):
    """Nothing survives."""

    def names(self, folder: _Folder) -> int:
        return 0

    def data(self, file: _File) -> bytes:
        return file.synced


class NamesOnly(Keep):
    """Names survive, bytes do not: files that are there, and empty."""

    def data(self, file: _File) -> bytes:
        return file.synced


class Chance(Keep):
    """In each folder and file another part survives."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def names(self, folder: _Folder) -> int:
        return self._rng.randint(0, len(folder.pending))

    def data(self, file: _File) -> bytes:
        return file.data[: self._rng.randint(0, len(file.data))]


@contextmanager
def recorded(root: Path) -> Iterator[list[Operation]]:
    """Record what is done to files below ``root``."""
    log: list[Operation] = []
    top, paths = str(root.absolute()), dict[int, str]()

    def inside(path: Any) -> str | None:
        whole = str(Path(path).absolute()) if isinstance(path, str | os.PathLike) else ""
        short = whole.removeprefix(f"{top}/")
        return None if short == whole or short.startswith(".lock") else short

    def note(call: Callable[..., Any], how: Callable[..., Operation]) -> Callable[..., Any]:
        def noted(path: Any, *more: Any, **options: Any) -> Any:
            answer = call(path, *more, **options)
            if (short := inside(path)) is not None:
                log.append(how(short, *map(inside, more[:1])))
            return answer

        return noted

    class Recorded(io.FileIO):
        def write(self, data: Any) -> int:
            count = super().write(data) or 0
            log.append(_written(paths[self.fileno()], bytes(data)[:count]))
            return count

    def opened(path: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
        short = inside(path)
        if short is None or "b" not in mode or "r" in mode:
            return plain_open(path, mode, *more, **options)
        raw = Recorded(path, mode.replace("b", ""))
        paths[raw.fileno()] = short
        log.append(_made(short, _File))
        return io.BufferedWriter(raw)

    def os_opened(path: Any, *more: Any, **options: Any) -> int:
        descriptor = plain_os_open(path, *more, **options)
        paths.pop(descriptor, None)
        if Path(path).absolute() == root.absolute() or inside(path) is not None:
            paths[descriptor] = inside(path) or "."
        return descriptor

    def synced(descriptor: int) -> None:
        if descriptor in paths:
            log.append(_synced(paths[descriptor]))

    plain_open, plain_os_open = io.open, os.open
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", note(os.replace, _renamed))
        patch.setattr(os, "unlink", note(os.unlink, _deleted))
        patch.setattr(os, "rmdir", note(os.rmdir, _deleted))
        patch.setattr(os, "mkdir", note(os.mkdir, lambda path, *_: _made(path, _Folder)))
        patch.setattr(os, "open", os_opened)
        patch.setattr(io, "open", opened)
        patch.setattr(os, "fsync", synced)
        yield log


def _made(path: str, kind: type[_File | _Folder]) -> Operation:
    return lambda disk: disk.change(path, **{Path(path).name: kind()})


def _written(path: str, data: bytes) -> Operation:
    def write(disk: Disk) -> None:
        disk.find(path).data += data

    return write


def _renamed(path: str, target: str) -> Operation:
    return lambda disk: disk.change(path, **{Path(path).name: None, Path(target).name: disk.find(path)})


def _deleted(path: str, *_: object) -> Operation:
    return lambda disk: disk.change(path, **{Path(path).name: None})


def _synced(path: str) -> Operation:
    def sync(disk: Disk) -> None:
        node = disk.find(path)
        if isinstance(node, _Folder):
            node.entries, node.pending = node.now(), []
        else:
            node.synced = node.data

    return sync
