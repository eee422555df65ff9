"""Reading ahead: while the model looks at one batch, the next ones are decoded."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import PortrayalError
from portrayal.picturefile import ImageFile
from portrayal.processes import WorkerDiedError, WorkerPool, result_of
from portrayal.vision.decoding import DecodedFile, DecodeMode, decode_files, files_of
from portrayal.vision.preprocessing import Preprocessing

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Batch", "BatchReader", "Paths"]

_CHUNK = 8
"""Files that a process decodes at a time."""
_THREADS = 4

Paths = Sequence[ImageFile | None]


@dataclass(frozen=True, slots=True)
class Batch:
    """Pictures ready for the model (0 to 255), on a GPU the event to wait for, and why a file is missing."""

    pixels: Tensor
    ready: Any
    reasons: Sequence[str]


class BatchReader:
    """Decodes files in ``workers`` processes; 0 decodes them in this one."""

    def __init__(self, preprocessing: Preprocessing, mode: DecodeMode, workers: int) -> None:
        self.preprocessing, self._mode, self._workers = preprocessing, mode, workers
        self._pool: WorkerPool | None = None
        self._threads = ThreadPoolExecutor(_THREADS)
        self._assembling = ThreadPoolExecutor(2)
        self._chunks: set[_PendingChunk] = set()

    def read(self, batches: Iterator[Paths], ahead: int) -> Iterator[Batch]:
        """Yield batches in order, with ``ahead`` more of them under way."""
        waiting: deque[Future[Batch]] = deque()
        try:
            for paths in batches:
                waiting.append(self._begin(paths))
                if len(waiting) > ahead:
                    yield result_of(waiting.popleft())
            while waiting:
                yield result_of(waiting.popleft())
        except WorkerDiedError:
            raise PortrayalError(
                "a process that opens images died, perhaps for want of memory; what was done is kept: run again with "
                "fewer workers"
            ) from None

    def close(self) -> None:
        """End the processes and threads, and free what they decoded for nothing."""
        for chunk in list(self._chunks):
            chunk.future.cancel()  # else the threads that assemble would wait for what has not even begun
        for pool in (self._assembling, self._threads, self._pool):
            if pool is not None:
                pool.shutdown(wait=True, cancel_futures=True)
        for chunk in self._chunks:
            chunk.drop()

    def _begin(self, paths: Paths) -> Future[Batch]:
        """Start decoding files."""
        return self._assembling.submit(self._assemble, self.decode(paths))

    def _assemble(self, decoded: Sequence[Callable[[], DecodedFile]]) -> Batch:
        import torch

        files = [get() for get in decoded]
        pixels = np.zeros((len(files), *self.preprocessing.crop, 3), np.uint8)
        for place, file in enumerate(files):
            if file.pixels is not None:
                pixels[place] = file.pixels
        return Batch(torch.from_numpy(pixels).permute(0, 3, 1, 2), None, [file.reason for file in files])

    def decode(self, paths: Paths) -> list[Callable[[], DecodedFile]]:
        """Let processes decode files; return for each what waits for it."""
        decoders: list[Callable[[], DecodedFile]] = []
        for start in range(0, len(paths), _CHUNK):
            some = paths[start : start + _CHUNK]
            chunk = _PendingChunk(self._run(partial(decode_files, some, self.preprocessing, self._mode)), self._chunks)
            decoders += [partial(chunk.file, place) for place in range(len(some))]
        return decoders

    def _run(self, work: Callable[[], Any]) -> Future[Any]:
        if self._workers == 0:
            return self._threads.submit(work)
        if self._pool is None:
            self._pool = WorkerPool(self._workers)
        return self._pool.submit(work)


class _PendingChunk:
    """Files decoded together by a process, read when the first is asked for."""

    def __init__(self, future: Future[Any], unread: set[_PendingChunk]) -> None:
        self.future, self._unread = future, unread
        self._files: list[DecodedFile] | None = None
        unread.add(self)

    def file(self, place: int) -> DecodedFile:
        if self._files is None:
            self._unread.discard(self)
            self._files = files_of(self.future.result())
        return self._files[place]

    def drop(self) -> None:
        """Free the shared memory of what nobody asked for."""
        if self.future.done() and not self.future.cancelled() and self.future.exception() is None:
            files_of(self.future.result())
