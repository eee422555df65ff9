"""Reading pictures of a store in a network before they are asked for, so that nobody waits for one after the other."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType

from portrayal.picturefile import FileSize, ImageFile
from portrayal.store.images.remote_images import RemoteImage

__all__ = ["ReadAhead"]

_AHEAD = 8
"""Pictures that are under way or in memory, whatever the length of the list."""


class ReadAhead:
    """Reads the pictures of a list in its order while one works on the first; of files on this machine it does nothing.

    ``with ReadAhead(files) as ahead: ahead.file(files[0]).read_bytes()``
    """

    def __init__(self, files: Iterable[ImageFile | None]) -> None:
        self._left = deque(dict.fromkeys(file for file in files if isinstance(file, RemoteImage)))
        self._pool = ThreadPoolExecutor(_AHEAD) if len(self._left) > 1 else None
        self._begun: dict[RemoteImage, Future[bytes]] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> ReadAhead:
        for _ in range(_AHEAD):
            self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._left.clear()
            self._begun.clear()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    @property
    def reads(self) -> bool:
        """Whether there is anything to read."""
        return self._pool is not None

    def file(self, file: ImageFile) -> ImageFile:
        """Return a file that takes what was read ahead; one of this machine as it is."""
        return _AheadFile(file, self) if isinstance(file, RemoteImage) else file

    def take(self, file: RemoteImage) -> bytes:
        """Return the bytes of a picture, and begin with another; who asks twice waits the second time."""
        with self._lock:
            begun = self._begun.pop(file, None)
        self._begin()
        return file.read_bytes() if begun is None else begun.result()

    def _begin(self) -> None:
        with self._lock:
            if self._pool is not None and self._left:
                file = self._left.popleft()
                self._begun[file] = self._pool.submit(file.read_bytes)


@dataclass(frozen=True, slots=True)
class _AheadFile:
    """A picture that is the same as the one in the store."""

    remote: RemoteImage
    ahead: ReadAhead = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        return self.remote.name

    @property
    def stem(self) -> str:
        return self.remote.stem

    @property
    def suffix(self) -> str:
        return self.remote.suffix

    def is_file(self) -> bool:
        return self.remote.is_file()

    def stat(self) -> FileSize:
        return self.remote.stat()

    def read_bytes(self) -> bytes:
        return self.ahead.take(self.remote)

    def __str__(self) -> str:
        return str(self.remote)

    def __fspath__(self) -> str:
        return self.remote.__fspath__()
