"""What a Parquet file says of itself in Thrift's compact form: as much as is needed before anybody unpacks it.

Arrow says where a column begins. How large its pages become when they are unpacked stands before each of them, and how
deep the columns are nested at the beginning of the footer, which Arrow would follow until its stack is full.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["DATA", "DICTIONARY", "Page", "count_schema_elements", "read_page"]

DATA, _INDEX, DICTIONARY, DATA_V2 = range(4)
_STOP, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 0, 3, 4, 5, 6, 7, 8, 9, 10, 12
_WIDTHS = {1: 0, 2: 0, _BYTE: 1, _DOUBLE: 8}
_DEEPEST = 8
_DETAILS = {5: DATA, 7: DICTIONARY, 8: DATA_V2}
"""The field that says more of a page, by its number."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: of which kind it is, how its values are packed, how many, and how many bytes it and its header take."""

    kind: int
    encoding: int
    values: int
    unpacked: int
    packed: int
    header: int


class _Reader:
    """Reads from the beginning of ``data``; an ``IndexError`` when it ends too early, else a ``ValueError``."""

    def __init__(self, data: bytes) -> None:
        self._data, self.place = data, 0

    def byte(self) -> int:
        self.place += 1
        return self._data[self.place - 1]

    def number(self) -> int:
        """Return an unsigned number of at most 64 bits."""
        value = shift = 0
        while shift < 70:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        raise ValueError("a number of more than 64 bits")

    def signed(self) -> int:
        """Return a number that may be negative."""
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def fields(self, take: Callable[[int, int], bool], deep: int = 0) -> None:
        """Go through a structure; ``take`` reads the value of a field, by its number and type, or leaves it."""
        number = 0
        while (head := self.byte()) & 0x0F != _STOP:
            number = number + (head >> 4) if head >> 4 else self.signed()
            if not take(number, head & 0x0F):
                self.skip(head & 0x0F, deep)

    def list_head(self) -> tuple[int, int]:
        """Return how many elements a list has, and their type."""
        head = self.byte()
        return (head >> 4 if head >> 4 < 15 else self.number()), head & 0x0F

    def skip(self, kind: int, deep: int = 0) -> None:
        """Pass over a value."""
        if deep > _DEEPEST:
            raise ValueError("nested too deep")
        if kind in _WIDTHS:
            self.place += _WIDTHS[kind]
        elif kind in (_I16, _I32, _I64):
            self.number()
        elif kind == _BINARY:
            length = self.number()
            self.place += length
        elif kind in (_LIST, _SET):
            count, inner = self.list_head()
            for _ in range(count):
                self.skip(inner if inner not in (1, 2) else _BYTE, deep + 1)
        elif kind == _STRUCT:
            self.fields(lambda _, __: False, deep + 1)
        else:
            raise ValueError("a type that Parquet has not")


def read_page(data: bytes) -> Page:
    """Return what the header of a page says, at the beginning of ``data``."""
    reader, said, details = _Reader(data), dict[int, int](), dict[int, int]()

    def detail(number: int, kind: int) -> bool:
        if kind == _I32:
            details[number] = reader.signed()
        return kind == _I32

    def field(number: int, kind: int) -> bool:
        if kind == _I32:
            said[number] = reader.signed()
        elif kind == _STRUCT and _DETAILS.get(number) == said.get(1):
            reader.fields(detail)
        else:
            return False
        return True

    reader.fields(field)
    kind = said[1]
    encoding = details.get(4 if kind == DATA_V2 else 2, 0)
    counts = (details.get(1, 0), said[2], said[3])
    if min(counts) < 0:
        raise ValueError("a number below 0")
    if reader.place > len(data):
        raise IndexError
    return Page(DATA if kind == DATA_V2 else kind, encoding, *counts, reader.place)


def count_schema_elements(footer: bytes) -> int:
    """Return how many columns and groups of columns a footer names; whoever writes Parquet says it in this order."""
    reader, found = _Reader(footer), list[int]()

    def field(number: int, kind: int) -> bool:
        if number == 2 and kind == _LIST and not found:
            found.append(reader.list_head()[0])
            raise StopIteration
        if number != 1 or kind != _I32:
            raise ValueError("its footer begins otherwise")
        return False

    try:
        reader.fields(field)
    except StopIteration:
        return found[0]
    except IndexError:
        pass
    raise ValueError("its footer names no columns")
