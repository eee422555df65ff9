"""What many processes of this machine are handed: large arrays are in memory once, whoever reads them."""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portrayal.errors import StorageError

__all__ = ["SharedPickle", "shared_pickle"]

_SMALL = 1 << 16
"""Bytes: what is smaller travels with the rest."""
_PAGE = 64
"""Arrays begin at multiples of so many bytes, as those that numpy makes itself."""
_HANDLES = Path("/proc/self/fd")


@dataclass(frozen=True, slots=True)
class SharedPickle:
    """An object as bytes, and where in a file its large arrays lie, as start and end."""

    data: bytes
    path: str = ""
    places: tuple[tuple[int, int], ...] = ()

    def load(self) -> Any:
        """Return the object; its arrays cannot be written to."""
        if not self.places:
            return pickle.loads(self.data)  # noqa: S301 - our own parent wrote it
        with Path(self.path).open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return pickle.loads(self.data, buffers=[mapped[start:end] for start, end in self.places])  # noqa: S301


@contextlib.contextmanager
def shared_pickle(thing: object) -> Iterator[SharedPickle]:
    """Yield an object that other processes of this machine can load as long as this block lasts."""
    buffers: list[memoryview] = []

    def keep(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes >= _SMALL:
            buffers.append(raw)
        return raw.nbytes < _SMALL

    data = pickle.dumps(thing, protocol=pickle.HIGHEST_PROTOCOL, buffer_callback=keep)
    if not buffers:
        yield SharedPickle(data)
        return
    with _written(buffers) as (path, places):
        yield SharedPickle(data, path, places)


@contextlib.contextmanager
def _written(buffers: list[memoryview]) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Write arrays to a temporary file; yield the path by which other processes open it, and where they lie in it."""
    places: list[tuple[int, int]] = []
    with contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(_temporary())
            for buffer in buffers:
                start = file.seek(-(-file.tell() // _PAGE) * _PAGE)
                done = 0
                while done < buffer.nbytes:  # one call writes 2 GiB at most
                    done += file.write(buffer[done:])
                places.append((start, start + buffer.nbytes))
        except OSError as error:
            folder = tempfile.gettempdir()
            raise StorageError(
                f"{folder}: cannot write what worker processes share ({error.strerror}); free some space, "
                "set TMPDIR to another folder, or use one worker"
            ) from None
        yield _name(file), tuple(places)


def _temporary() -> Any:
    """Return a new file; where it can be opened by its handle it has no name, so that nothing is left by a kill."""
    if _HANDLES.is_dir():
        return tempfile.TemporaryFile(buffering=0)
    return tempfile.NamedTemporaryFile(prefix="portrayal-", buffering=0)


def _name(file: Any) -> str:
    return f"/proc/{os.getpid()}/fd/{file.fileno()}" if _HANDLES.is_dir() else str(file.name)
