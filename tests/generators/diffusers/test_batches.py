"""With a memory that is counted instead of measured: no GPU is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import ConfigError
from portrayal.generators.diffusers.batches import LARGEST, Batches, ItemFailure

pytestmark = pytest.mark.slow


@dataclass
class FakeMemory:
    """A GPU on which a batch needs ``fixed`` bytes and ``each`` for every image."""

    total: int
    fixed: int
    each: int
    drawn: list[int] = field(default_factory=list)
    released: int = 0
    recovered: int = 0
    _peak: int = 0

    def start(self) -> None:
        self._peak = 0

    def peak(self) -> int:
        return self._peak

    def free(self) -> int:
        return self.total

    def release(self) -> None:
        self.released += 1

    def recover(self) -> None:
        assert self.released == self.recovered + 1  # memory first
        self.recovered += 1

    def draw(self, items: Sequence[int]) -> list[str]:
        self.drawn.append(len(items))
        needed = self.fixed + self.each * len(items)
        if needed > self.total:
            raise torch.OutOfMemoryError("CUDA out of memory")
        self._peak = max(self._peak, needed)
        return [f"image {item}" for item in items]


def drawn(memory: FakeMemory, size: int | None, *counts: int) -> list[str | ItemFailure]:
    batches = Batches(memory.draw, memory.recover, size, memory)
    results = [result for count in counts for result in batches.run(range(count))]
    assert memory.drawn
    return results


@pytest.mark.parametrize(
    ("memory", "counts", "expected"),
    [
        # 80 % of 100 hold 12 and nine times 7 more.
        (FakeMemory(total=100, fixed=5, each=7), [40], [1, 2, 10, 10, 10, 7]),
        # What the first needs for itself counts once, but the second is taken for a quarter of the first at least.
        (FakeMemory(total=100, fixed=30, each=1), [40], [1, 2, 8, 8, 8, 8, 5]),
        # Two would not fit into the share.
        (FakeMemory(total=100, fixed=0, each=45), [3], [1, 1, 1]),
        (FakeMemory(total=10**6, fixed=0, each=1), [100], [1, 2, 32, 32, 32, 1]),
        # Single jobs teach nothing about two.
        (FakeMemory(total=100, fixed=5, each=7), [1, 1, 1, 2, 9], [1, 1, 1, 2, 9]),
    ],
)
def test_the_size_is_found_by_one_and_two_images(memory: FakeMemory, counts: list[int], expected: list[int]) -> None:
    assert len(drawn(memory, None, *counts)) == sum(counts)
    assert memory.drawn == expected


def test_a_size_that_was_chosen_is_kept() -> None:
    memory = FakeMemory(total=100, fixed=0, each=1)
    drawn(memory, 4, 10)
    assert memory.drawn == [4, 4, 2]


def test_out_of_memory_halves_and_is_remembered() -> None:
    memory = FakeMemory(total=30, fixed=0, each=10)
    assert drawn(memory, 16, 8, 4)[0] == "image 0"
    assert memory.drawn == [8, 4, 2, 2, 2, 2, 2, 2]
    assert memory.recovered == 2


@pytest.mark.parametrize(
    ("error", "sizes"),
    [
        (torch.OutOfMemoryError("CUDA out of memory."), [4, 2, 2]),
        (RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"), [4, 2, 2]),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"), [4, 2, 2]),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory"), [4, 2, 2]),
        (MemoryError(), [4, 2, 2]),
        (RuntimeError("shapes do not match"), [4, 1, 1, 1, 1]),
    ],
)
def test_how_a_lack_of_memory_is_said(error: Exception, sizes: list[int]) -> None:
    seen = list[int]()

    def work(items: Sequence[int]) -> list[int]:
        seen.append(len(items))
        if len(items) > 2:
            raise error
        return list(items)

    assert list(Batches(work, lambda: None, 4, None).run(range(4))) == [0, 1, 2, 3]
    assert seen == sizes


def test_an_image_that_does_not_fit_alone_is_a_problem() -> None:
    memory = FakeMemory(total=30, fixed=0, each=40)
    results = drawn(memory, 2, 2)
    assert [result.reason for result in results if isinstance(result, ItemFailure)] == ["out_of_memory"] * 2


def test_errors_of_the_user_pass_through() -> None:
    def refuse(items: Sequence[int]) -> list[str]:
        raise ConfigError("no")

    with pytest.raises(ConfigError):
        list(Batches(refuse, lambda: None, 2, None).run([1, 2]))


@given(
    total=st.integers(1, 200),
    fixed=st.integers(0, 50),
    each=st.integers(1, 60),
    size=st.none() | st.integers(1, 40),
    counts=st.lists(st.integers(0, 50), min_size=1, max_size=4),
)
def test_every_item_has_one_result_in_order(
    total: int, fixed: int, each: int, size: int | None, counts: list[int]
) -> None:
    memory = FakeMemory(total, fixed, each)
    batches = Batches(memory.draw, memory.recover, size, memory)
    for count in counts:
        results = list(batches.run(range(count)))
        assert len(results) == count
        if fixed + each <= total:
            assert results == [f"image {item}" for item in range(count)]
        else:
            assert all(isinstance(result, ItemFailure) for result in results)
    assert max(memory.drawn, default=1) <= max(LARGEST, size or 0)
