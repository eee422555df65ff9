"""A disk that can fail at any call: every write, sync, rename, read and listing of a study is counted, and one is hit.

``with FaultyDisk(root, at=17, kind="kill")`` hits the 17th call on files below ``root``:

- ``fail``: the call fails with an error of the disk, all others work;
- ``cut``: half of the bytes are written or read, then as ``fail`` (a read just ends); what has no halves fails;
- ``gone``: the call fails, and so do all after it;
- ``kill``: the process is dead from then on: no later call does anything, so nothing is put in order.

Calls are hit where Python makes them, in whatever thread. Arrow and DuckDB read files by themselves: there the opening
is hit. A bucket is hit through :meth:`FaultyDisk.bucket`.
"""

from __future__ import annotations

import errno
import io
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal import inputfile
from portrayal.store import workspace
from portrayal.store.images import remote_files

_LOCKS = (".lock", ".lock-owner")
"""Of these a process that dies takes no leave: the system does."""


class Killed(BaseException):
    """The process is dead."""


class FaultyDisk:
    """Counts calls below ``root`` and hits one of them; ``calls`` says what each was."""

    def __init__(self, root: Path, at: int = 0, kind: str = "fail") -> None:
        self.root, self.at, self.kind = os.path.realpath(root), at, kind
        self.calls: list[str] = []
        self.dead = False
        self._counting = threading.Lock()
        self.paths: dict[int, str] = {}

    @contextmanager
    def installed(self) -> Iterator[FaultyDisk]:
        """Take the place of the calls of this process."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("replace", "unlink", "mkdir", "rmdir", "listdir", "scandir"):
                patch.setattr(os, name, self._on_path(name, getattr(os, name)))
            patch.setattr(os, "fsync", self._fsync(os.fsync))
            patch.setattr(os, "open", self._os_open(os.open))
            patch.setattr(io, "open", self._io_open(io.open))
            patch.setattr(inputfile, "open", self._reading, raising=False)
            for module, name in ((pa, "OSFile"), (pq, "ParquetFile"), (pq, "read_schema"), (pq, "read_metadata")):
                patch.setattr(module, name, self._on_path("read", getattr(module, name)))
            patch.setattr(workspace, "_create_view", self._query(workspace._create_view))
            yield self

    @contextmanager
    def bucket(self, files: Any) -> Iterator[None]:
        """Let ``files`` of fsspec stand for every bucket, and hit it, too."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(remote_files, "_file_system", lambda _: _Bucket(self, files))
            patch.setattr(remote_files, "_WAITS", (0.0,) * 4)
            yield

    def hit(self, call: str, path: str) -> bool:
        """Count a call; return whether it is cut short, raise an error if it fails."""
        with self._counting:
            if self.dead:
                if Path(path).name in _LOCKS:
                    return False
                raise Killed
            self.calls.append(f"{call} {os.path.relpath(path, self.root)}")
            late = self.kind == "gone" and 0 < self.at < len(self.calls)
            if len(self.calls) != self.at and not late:
                return False
            if self.kind == "kill":
                self.dead = True
                raise Killed
        if self.kind == "cut":
            return True
        raise failure(path)

    def concerns(self, path: object) -> bool:
        """Return whether a path lies in the study."""
        if not isinstance(path, str | os.PathLike):
            return False
        return f"{os.path.abspath(path)}{os.sep}".startswith(f"{self.root}{os.sep}")  # noqa: PTH100 - without dots

    def _on_path(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def hit(path: Any = ".", *more: Any, **options: Any) -> Any:
            if self.concerns(path) and self.hit(name, str(path)):
                raise failure(str(path))
            return call(path, *more, **options)

        return hit

    def _fsync(self, call: Callable[[int], None]) -> Callable[[int], None]:
        def fsync(descriptor: int) -> None:
            if (path := self.paths.get(descriptor)) and self.hit("fsync", path):
                raise failure(path)
            call(descriptor)

        return fsync

    def _os_open(self, call: Callable[..., int]) -> Callable[..., int]:
        def opened(path: Any, *more: Any, **options: Any) -> int:
            # Whoever locks a file opens it by itself.
            mine = self.concerns(path) and Path(path).name not in _LOCKS
            if mine and self.hit("open", str(path)):
                raise failure(str(path))
            descriptor = call(path, *more, **options)
            self.paths.pop(descriptor, None)
            if mine:
                self.paths[descriptor] = str(path)
            return descriptor

        return opened

    def _io_open(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def opened(path: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
            if not self.concerns(path) or Path(path).name in _LOCKS:
                return call(path, mode, *more, **options)
            if self.hit("open", str(path)):
                raise failure(str(path))
            if "b" in mode and "r" not in mode:
                raw = _Raw(self, str(path), mode.replace("b", ""))
                self.paths[raw.fileno()] = str(path)
                return io.BufferedWriter(raw)
            return call(path, mode, *more, **options)

        return opened

    def _reading(self, descriptor: int, mode: str) -> io.BufferedReader:
        path = self.paths.get(descriptor)
        return io.BufferedReader(_Raw(self, path, mode, descriptor) if path else io.FileIO(descriptor, "r"))

    def _query(self, call: Callable[..., None]) -> Callable[..., None]:
        def create(connection: Any, name: str, schema: pa.Schema, paths: Any) -> None:
            if any(map(self.concerns, paths)):
                try:
                    cut = self.hit("query", paths[0])
                except OSError:
                    cut = True
                if cut:
                    raise duckdb.IOException(f'Could not read from file "{paths[0]}": Input/output error')
            call(connection, name, schema, paths)

        return create


class _Raw(io.FileIO):
    """A file whose reads and writes are counted."""

    def __init__(self, disk: FaultyDisk, path: str, mode: str, descriptor: int | None = None) -> None:
        super().__init__(path if descriptor is None else descriptor, mode.replace("b", ""))
        self._disk, self._path = disk, path

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        return super().readinto(view[: len(view) // 2] if self._disk.hit("read", self._path) else view) or 0

    def readall(self) -> bytes:
        data = super().readall()
        return data[: len(data) // 2] if self._disk.hit("read", self._path) else data

    def write(self, data: Any) -> int:
        if self._disk.hit("write", self._path):
            super().write(memoryview(data)[: len(data) // 2])
            raise failure(self._path)
        return super().write(data) or 0


class _Bucket:
    """A file system of fsspec whose calls are counted."""

    def __init__(self, disk: FaultyDisk, files: Any) -> None:
        self._disk, self._files = disk, files

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._files, name)

        def hit(path: str, *more: Any, **options: Any) -> Any:
            cut = self._disk.hit(name, f"{self._disk.root}/bucket/{path}")
            if cut and name != "cat_file":  # an object is written whole or not at all
                raise failure(path)
            answer = call(path, *more, **options)
            return answer[: len(answer) // 2] if cut else answer

        return hit


def failure(path: str) -> OSError:
    """Return the error of a disk that fails."""
    return OSError(errno.EIO, os.strerror(errno.EIO), path)
