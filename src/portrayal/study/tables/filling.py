"""Columns that are filled batch by batch, without ever lying in memory twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["FilledColumns"]


class FilledColumns:
    """Arrays by name with room for as many rows as there can be; room that is never filled takes no memory.

    >>> columns = FilledColumns(100, {"n": np.int32})
    >>> columns.add({"n": np.array([1, 2])})
    >>> columns.take("n")
    array([1, 2], dtype=int32)
    """

    def __init__(self, room: int, types: Mapping[str, Any]) -> None:
        self._size = 0
        self._columns: dict[str, NDArray[Any]] = {name: np.empty(room, dtype=type_) for name, type_ in types.items()}

    def add(self, rows: Mapping[str, NDArray[Any]]) -> None:
        """Add rows, which have all of the columns."""
        for name, column in self._columns.items():
            column[self._size : self._size + len(rows[name])] = rows[name]
            end = self._size + len(rows[name])
        self._size = end

    def __len__(self) -> int:
        return self._size

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name][: self._size]

    def take(self, name: str) -> NDArray[Any]:
        """Return a column for the last time: its memory is free once the caller is done with it."""
        return self._columns.pop(name)[: self._size]
