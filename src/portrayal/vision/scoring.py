"""The stream: files in, scores out, while the next files are decoded and the next batch is under way on the GPU."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.errors import PortrayalError
from portrayal.vision.decoding import DecodeMode
from portrayal.vision.gpu.preprocessor import GpuPreprocessor
from portrayal.vision.gpu.reader import GpuBatchReader
from portrayal.vision.network import Network
from portrayal.vision.reader import Batch, BatchReader, Paths

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BatchScores", "Scorer"]

_AHEAD, _AHEAD_HERE = 6, 2
"""Batches decoded ahead of a GPU, and ahead of a model on the CPU, which decodes them itself."""
_UNDER_WAY = 3
"""Batches handed to the GPU before the first result is asked for."""


@dataclass(frozen=True, slots=True)
class BatchScores:
    """Logits (files, texts) of one batch, and for each file why it has none, else an empty text."""

    logits: NDArray[np.float32]
    reasons: Sequence[str]


class Scorer:
    """Scores files against texts, ``batch`` files at a time."""

    def __init__(self, network: Network, *, fast: bool, batch: int) -> None:
        self.network, self.batch, self.fast = network, batch, fast
        self.on_gpu = network.device.startswith("cuda")
        prepares = fast and self.on_gpu and network.preprocessing.multiplies
        self._gpu = GpuPreprocessor(network.preprocessing, network.device) if prepares else None

    def read(self, batches: Iterator[Paths], workers: int) -> Iterator[Batch]:
        """Yield batches of files ready for the model, decoded by ``workers`` processes; 0: by this one."""
        mode: DecodeMode = "quick" if self.fast else "exact"
        chosen = (
            GpuBatchReader(self._gpu, workers) if self._gpu else BatchReader(self.network.preprocessing, mode, workers)
        )
        with contextlib.closing(chosen) as reader:
            yield from reader.read(batches, _AHEAD if self.on_gpu else _AHEAD_HERE)

    def run(self, batches: Iterator[Paths], workers: int) -> Iterator[BatchScores]:
        """Yield the scores of each batch of files, in order."""
        waiting: deque[_Launched] = deque()
        for batch in self.read(batches, workers):
            waiting.append(self._launch(batch))
            if len(waiting) >= (_UNDER_WAY if self.on_gpu else 1):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _launch(self, batch: Batch) -> _Launched:
        import torch

        if batch.ready is not None:
            stream = torch.cuda.current_stream(batch.pixels.device)
            stream.wait_event(batch.ready)
            batch.pixels.record_stream(stream)
        try:
            logits = self.network.score(self._padded(batch.pixels))[: len(batch.reasons)]
        except torch.OutOfMemoryError:
            raise PortrayalError(
                f"{self.network.part}: the card has too little memory for {self.batch} images at a time; "
                f"set options.batch = {max(1, self.batch // 2)}"
            ) from None
        if not self.on_gpu:
            return _Launched(logits, None, batch.reasons)
        copied = torch.empty(logits.shape, dtype=logits.dtype, pin_memory=True)
        copied.copy_(logits, non_blocking=True)
        done = torch.cuda.Event()
        done.record()
        return _Launched(copied, done, batch.reasons)

    def _padded(self, pixels: Any) -> Any:
        """Return a full batch on a GPU, where the compiled program knows one size only."""
        import torch

        lack = self.batch - pixels.shape[0]
        if lack <= 0 or not self.on_gpu:
            return pixels
        return torch.cat([pixels, pixels.new_zeros(lack, *pixels.shape[1:])])


@dataclass(frozen=True, slots=True)
class _Launched:
    logits: Any
    done: Any
    reasons: Sequence[str]

    def result(self) -> BatchScores:
        if self.done is not None:
            self.done.synchronize()
        return BatchScores(self.logits.numpy(), self.reasons)
