"""Sums that come out the same however they are split up and in whatever order their parts are added.

Adding floating point numbers rounds, and where it rounds depends on the order. Here nothing is rounded before the end:
a number is cut into whole pieces on fixed grids, and whole numbers add up exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from portrayal.stats.intervals import Array

__all__ = ["ExactSums", "Ints", "split", "take_piece"]

Ints = NDArray[np.int64]

_DIGITS = 53
_LOW = 27
"""A number's 53 binary digits are cut into 26 high and 27 low ones."""
_GRID = 8
"""Pieces lie on grids 8 binary places apart. A piece has at most 35 digits, so 2^28 of them fit into a whole number."""


@dataclass(frozen=True, slots=True)
class ExactSums:
    """Sums of any finite numbers, one for each of ``size`` cells. ``pieces`` maps a grid to whole numbers by cell."""

    size: int
    pieces: dict[int, Ints] = field(default_factory=dict)

    def add(self, cells: Ints, values: Array) -> None:
        """Add each value to its cell."""
        mantissa, exponent = np.frexp(values)
        digits = np.ldexp(mantissa, _DIGITS).astype(np.int64)
        place = exponent.astype(np.int64) - _DIGITS
        high = digits >> _LOW
        self._add(cells, high, place + _LOW)
        self._add(cells, digits - (high << _LOW), place)

    def merge(self, other: ExactSums) -> None:
        """Add what another has added up."""
        for grid, numbers in other.pieces.items():
            self._of(grid)[:] += numbers

    def totals(self) -> Array:
        """Return the sums, each rounded once."""
        grids = sorted(grid for grid, numbers in self.pieces.items() if numbers.any())
        if not grids:
            return np.zeros(self.size)
        whole = [0] * self.size
        for grid in grids:
            shift = _GRID * (grid - grids[0])
            for cell in np.flatnonzero(self.pieces[grid]).tolist():
                whole[cell] += int(self.pieces[grid][cell]) << shift
        unit = Fraction(2) ** (_GRID * grids[0])
        return np.array([float(number * unit) if number else 0.0 for number in whole])

    def _add(self, cells: Ints, numbers: Ints, places: Ints) -> None:
        grids = places // _GRID
        shifted = numbers << (places - grids * _GRID)
        for grid in np.unique(grids[numbers != 0]).tolist():
            mine = grids == grid
            np.add.at(self._of(grid), cells[mine], shifted[mine])

    def _of(self, grid: int) -> Ints:
        return self.pieces.setdefault(grid, np.zeros(self.size, dtype=np.int64))


def split(numbers: Array, grids: Mapping[str, int]) -> dict[str, Array]:
    """Cut numbers into pieces on the grids named, each given by its binary places; what is left over is dropped.

    Sums of such pieces, and of their products, are exact in floating point as long as they need no more than 53 digits.

    >>> {name: float(piece[0]) for name, piece in split(np.array([0.7]), {"high": 1, "low": 4}).items()}
    {'high': 0.5, 'low': 0.1875}
    """
    rest = np.array(numbers, dtype=float)
    pieces = {name: np.empty_like(rest) for name in grids}
    for name, places in grids.items():
        take_piece(rest, places, pieces[name])
    return pieces


def take_piece(rest: Array, places: int, piece: Array) -> None:
    """Put into ``piece`` what lies on a grid of so many binary places, and leave in ``rest`` what does not."""
    scale = 2.0**places
    np.multiply(rest, scale, out=piece)
    np.rint(piece, out=piece)
    piece /= scale
    rest -= piece
