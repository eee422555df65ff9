"""Sums on their way from one process to another: without the plan, which both have, and without what is still zero."""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence.design import Plan
from portrayal.evidence.need import Need, Sums

__all__ = ["pack", "unpack"]

_BLOCK = 4096
"""Bytes looked at together: of the cells of a study, one part of its tables speaks of few."""


def pack(sums: Sequence[Sums[Any]], plan: Plan, needs: Sequence[Need[Any]]) -> bytes:
    """Return the sums as bytes, for whoever has the same plan and needs."""
    file = io.BytesIO()
    _Packer(file, _shared(plan, needs)).dump(list(sums))
    return file.getvalue()


def unpack(data: bytes, plan: Plan, needs: Sequence[Need[Any]]) -> list[Sums[Any]]:
    """Return the sums that were packed."""
    sums: list[Sums[Any]] = _Unpacker(io.BytesIO(data), _shared(plan, needs)).load()
    return sums


def _shared(plan: Plan, needs: Sequence[Need[Any]]) -> list[object]:
    """Return what is referred to by its place: both sides must come to the same order."""
    return [plan, *needs, *plan.compared.values()]


class _Packer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, shared: Sequence[object]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._places = {id(item): place for place, item in enumerate(shared)}

    def persistent_id(self, item: object) -> int | None:
        return self._places.get(id(item))

    def reducer_override(self, item: object) -> Any:
        if type(item) is not np.ndarray or item.nbytes <= _BLOCK or item.dtype.hasobject:
            return NotImplemented
        whole = np.ascontiguousarray(item).view(np.uint8).reshape(-1)
        full = len(whole) // _BLOCK * _BLOCK
        blocks = whole[:full].reshape(-1, _BLOCK)
        used = np.flatnonzero(blocks.view(np.uint64).any(axis=1))
        if 2 * len(used) > len(blocks):
            return NotImplemented
        return _filled, (item.shape, item.dtype, used, blocks[used].tobytes(), whole[full:].tobytes())


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, shared: Sequence[object]) -> None:
        super().__init__(file)
        self._shared = shared

    def persistent_load(self, place: int) -> object:
        return self._shared[place]


def _filled(
    shape: tuple[int, ...], dtype: np.dtype[Any], used: NDArray[np.int64], blocks: bytes, rest: bytes
) -> NDArray[Any]:
    """Return the array whose blocks are these, and else zero."""
    array = np.zeros(shape, dtype)
    whole = array.view(np.uint8).reshape(-1)
    full = len(whole) - len(rest)
    whole[:full].reshape(-1, _BLOCK)[used] = np.frombuffer(blocks, np.uint8).reshape(-1, _BLOCK)
    whole[full:] = np.frombuffer(rest, np.uint8)
    return array
