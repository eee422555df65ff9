"""Makes batches on a GPU: JPEG files decoded there, PNG rows unpacked there, all of them shrunk there."""

from __future__ import annotations

import functools
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal.vision.decoding import DecodedFile
from portrayal.vision.gpu.unfilter import can_unfilter, unfilter_on_gpu
from portrayal.vision.preprocessing import Preprocessing

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["GpuPreprocessor"]

_SIZES = 512
"""Sizes of pictures whose matrices are kept: about a megabyte each at 1024 pixels."""


@functools.cache
def _decodes_jpeg() -> bool:
    """Return whether torchvision is there to decode JPEG files on the GPU, in a build that knows how."""
    try:
        from torchvision.io import decode_jpeg

        return bool(decode_jpeg)
    except Exception:  # a torchvision that does not fit its torch fails in every way
        return False


class GpuPreprocessor:
    """Prepares batches on ``device`` beside the model's own work there; may be used by several threads at a time."""

    def __init__(self, preprocessing: Preprocessing, device: str) -> None:
        import torch

        self.preprocessing = preprocessing
        self.device = torch.device(device)
        self.decodes, self.unpacks = _decodes_jpeg(), can_unfilter(device)
        self._own = threading.local()
        self._weights: dict[tuple[int, int], tuple[Tensor, Tensor]] = {}

    def prepare(self, count: int, fill: Callable[[Tensor], None]) -> tuple[Tensor, Any]:
        """Return a batch of ``count`` pictures (0 to 255) that ``fill`` fills in, and the event to wait for."""
        import torch

        if not hasattr(self._own, "stream"):
            self._own.stream = torch.cuda.Stream(self.device)
        with torch.cuda.stream(self._own.stream), torch.inference_mode():
            batch = torch.zeros(count, 3, *self.preprocessing.crop, dtype=torch.float16, device=self.device)
            fill(batch)
            done = torch.cuda.Event()
            done.record(self._own.stream)
        return batch, done

    def decode(self, files: Sequence[bytearray]) -> list[Tensor | None]:
        """Return the pixels (3, height, width) of JPEG files; None for one that the GPU cannot decode."""
        import torch
        from torchvision.io import ImageReadMode, decode_jpeg

        raw = [torch.frombuffer(data, dtype=torch.uint8) for data in files]
        try:
            pictures: list[Tensor | None] = decode_jpeg(raw, mode=ImageReadMode.RGB, device=self.device)
        except RuntimeError:
            return [None] if len(files) == 1 else [one for data in files for one in self.decode([data])]
        return pictures

    def shrink_into(self, batch: Tensor, pictures: dict[int, Tensor]) -> None:
        """Shrink pictures (3, height, width) and put them into their places of the batch, those of one size at once."""
        import torch

        for size, places in _by_size((place, tuple(one.shape[-2:])) for place, one in pictures.items()):
            self._put(batch, places, torch.stack([pictures[place] for place in places]), size)

    def unpack_into(self, batch: Tensor, files: dict[int, DecodedFile]) -> None:
        """Turn PNG rows into pixels, shrink them and put them into their places of the batch."""
        for size, places in _by_size((place, file.size) for place, file in files.items()):
            pixels = unfilter_on_gpu(self._sent([files[place] for place in places]), *size)
            self._put(batch, places, pixels.permute(0, 3, 1, 2), size)

    def copy_into(self, batch: Tensor, files: dict[int, DecodedFile]) -> None:
        """Put pixels that are as the model wants them into their places of the batch."""
        import torch

        pixels = self._sent(list(files.values())).view(len(files), *self.preprocessing.crop, 3).permute(0, 3, 1, 2)
        batch[torch.tensor(list(files), device=self.device)] = pixels.to(torch.float16)

    def _put(self, batch: Tensor, places: Sequence[int], pixels: Tensor, size: tuple[int, int]) -> None:
        import torch

        tall, wide = self._matrices(size)
        shrunk = (tall @ (pixels.to(torch.float16) @ wide)).clamp_(0, 255)
        if len(places) == batch.shape[0]:
            batch.copy_(shrunk)
        else:
            batch[torch.tensor(places, device=self.device)] = shrunk

    def _sent(self, files: Sequence[DecodedFile]) -> Tensor:
        import torch

        rows = [np.asarray(file.pixels).reshape(-1) for file in files]
        # Pinned memory travels beside the model's work; it is kept for the next batch by torch.
        pinned = torch.empty(len(rows), rows[0].size, dtype=torch.uint8, pin_memory=self.device.type == "cuda")
        for place, row in zip(pinned.numpy(), rows, strict=True):
            np.copyto(place, row)
        return pinned.to(self.device, non_blocking=True)

    def _matrices(self, size: tuple[int, int]) -> tuple[Tensor, Tensor]:
        import torch

        if size not in self._weights:
            if len(self._weights) >= _SIZES:
                torch.cuda.synchronize(self.device)  # nothing may use what is freed
                self._weights.clear()
            height, width = size
            tall, wide = (
                torch.from_numpy(np.ascontiguousarray(one)) for one in self.preprocessing.matrices(width, height)
            )
            # In 16 bits, whole numbers up to 2048 are exact: pixels are, and weights keep three digits.
            self._weights[size] = (
                tall.to(self.device, torch.float16),
                wide.T.contiguous().to(self.device, torch.float16),
            )
        return self._weights[size]


def _by_size(sizes: Iterator[tuple[int, Any]]) -> list[tuple[tuple[int, int], list[int]]]:
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, size in sizes:
        groups[size].append(place)
    return list(groups.items())
