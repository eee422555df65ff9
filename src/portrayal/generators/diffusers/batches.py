"""As many images at a time as fit into memory, and fewer when they do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from portrayal.errors import PortrayalError

__all__ = ["LARGEST", "Batches", "CudaMemory", "ItemFailure", "Memory"]

LARGEST = 32
"""More at a time is hardly faster on any GPU, and costs more when it is interrupted."""

_SHARE = 0.8
"""Of the free memory; the rest is for what cannot be foreseen, such as fragments and other programs."""

_MARKS = ("out of memory", "alloc_failed", "can't allocate memory")

T = TypeVar("T")
R = TypeVar("R")


class Memory(Protocol):
    """What is known about the memory that images are drawn in, in bytes."""

    def start(self) -> None:
        """Forget the peak so far."""
        ...

    def peak(self) -> int:
        """Return how much more than at the start was in use at a time."""
        ...

    def free(self) -> int:
        """Return how much this process could still take."""
        ...

    def release(self) -> None:
        """Give back what is only kept for later."""
        ...


class CudaMemory:
    """The memory of one GPU."""

    def __init__(self, device: str) -> None:
        import torch

        self._cuda: Any = torch.cuda
        self._device = torch.device(device)
        self._before = 0

    def start(self) -> None:
        """Forget the peak so far."""
        self._cuda.reset_peak_memory_stats(self._device)
        self._before = self._cuda.memory_allocated(self._device)

    def peak(self) -> int:
        """Return how much more than at the start was in use at a time."""
        return int(self._cuda.max_memory_allocated(self._device)) - self._before

    def free(self) -> int:
        """Return what nobody has, and what this process has and does not use."""
        kept = self._cuda.memory_reserved(self._device) - self._cuda.memory_allocated(self._device)
        return int(self._cuda.mem_get_info(self._device)[0] + kept)

    def release(self) -> None:
        """Give unused blocks back to the GPU."""
        self._cuda.empty_cache()


@dataclass(frozen=True, slots=True)
class ItemFailure:
    """Why there is no result for one item."""

    reason: str
    detail: str


_TOO_LARGE = ItemFailure("out_of_memory", "one image alone does not fit; draw smaller ones, or with another dtype")


class Batches(Generic[T, R]):
    """Works through items in batches: of ``size``, or of as many as the memory of a first and a second try allow.

    When a batch does not fit it is halved, and no later one is larger. What breaks a batch in another way is tried
    item by item, so that one item costs only itself. ``recover`` is called after each that broke.
    """

    def __init__(
        self,
        work: Callable[[Sequence[T]], Sequence[R]],
        recover: Callable[[], None],
        size: int | None,
        memory: Memory | None,
    ) -> None:
        self.size = size or 1
        self._work, self._recover, self._memory = work, recover, memory
        self._probing = size is None and memory is not None
        self._alone: int | None = None

    def run(self, items: Sequence[T]) -> Iterator[R | ItemFailure]:
        """Yield one result per item, in order."""
        done = 0
        while done < len(items):
            some = items[done : done + self.size]
            results = self._attempt(some)
            if results is not None:
                yield from results
                done += len(some)
            elif len(some) > 1:
                self.size, self._probing = (len(some) + 1) // 2, False
            else:
                yield _TOO_LARGE
                done += 1

    def _attempt(self, some: Sequence[T]) -> list[R | ItemFailure] | None:
        """Return the results, or None when memory does not suffice."""
        if self._memory is not None and self._probing:
            self._memory.start()
        try:
            results: list[R | ItemFailure] = list(self._work(some))
        except PortrayalError:
            raise
        except Exception as error:
            problem = None if _is_out_of_memory(error) else f"{type(error).__name__}: {error}"
        else:
            self._learn(len(some))
            return results
        # Out of the except block, as an exception holds on to everything that was being computed.
        if self._memory is not None:
            self._memory.release()
        self._recover()
        if problem is None:
            return None
        if len(some) == 1:
            return [ItemFailure("generator_error", problem)]
        return [result for item in some for result in self._attempt([item]) or [_TOO_LARGE]]

    def _learn(self, count: int) -> None:
        """From the peaks of one and of two images tell how many fit."""
        if self._memory is None or not self._probing:
            return
        peak, room = self._memory.peak(), int(_SHARE * self._memory.free())
        if count == 1 and self._alone is None:
            self._alone = peak
            self.size = 2 if 2 * peak <= room else 1
            self._probing = self.size == 2
        elif count == 2 and self._alone is not None:
            # Never less than a quarter of the first: weights may have been unpacked for it, once for all.
            more = max(peak - self._alone, self._alone // 4, 1)
            self.size = max(1, min(LARGEST, 1 + (room - self._alone) // more))
            self._probing = False


def _is_out_of_memory(error: Exception) -> bool:
    import torch

    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    # Apple's GPUs, the CPU and the libraries for matrices say it in words only.
    return isinstance(error, RuntimeError) and any(mark in str(error).lower() for mark in _MARKS)
