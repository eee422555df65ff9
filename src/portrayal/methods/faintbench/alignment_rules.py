"""The rules of an alignment profile: conditions on masses, and moves of mass from one group to another.

::

    when = ["european >= 0.2", "latino < 0.6 or east_asian < 0.6"]    all must hold
    move = ["2/3 latino -> european", "4/5 east_asian -> european"]   all read the masses from before

A side of a comparison is a number, a group, or ``|one group - another|``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from portrayal.errors import ConfigError
from portrayal.records import Attribute

__all__ = ["Case", "Columns", "apply_cases", "parse_case"]

Columns = NDArray[np.float64]
"""Masses by group, then image: a group's masses lie together, which makes the arithmetic fast."""
Mask = NDArray[np.bool_]
Test = Callable[[Columns], Mask]
Side = Callable[[Columns], NDArray[np.float64]]

_LONGEST = 40  # characters of a number
_NUMBER = r"\d+(?:\.\d*)?(?:/\d+)?|\.\d+"
_COMPARISON = re.compile(r"([^<>=]+?)\s*(>=|<=|>|<)\s*([^<>=]+)")
_GAP = re.compile(r"\|\s*(.+?)\s+-\s+(.+?)\s*\|")
_MOVE = re.compile(rf"({_NUMBER})\s+(.+?)\s*->\s*(.+)")
_OR = re.compile(r"\s+or\s+")
_SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True, slots=True)
class Case:
    """One rule. Two are equal when they say the same; ``keep`` is the part of its own mass that each group keeps."""

    text: str
    tests: tuple[Test, ...] = field(compare=False)
    keep: tuple[float, ...]
    moves: tuple[tuple[float, int, int], ...]

    def rows(self, columns: Columns, open_rows: Mask) -> NDArray[np.intp]:
        """Return which of the images that no earlier case took this one takes."""
        for test in self.tests:
            open_rows = open_rows & test(columns)
        return np.flatnonzero(open_rows)

    def shift(self, before: Columns) -> Columns:
        """Return the masses after the moves; never negative, and adding up to what they did before."""
        after: Columns = before * np.array(self.keep)[:, None]
        for part, source, target in self.moves:
            after[target] += part * before[source]
        return after


def apply_cases(cases: Sequence[Case], columns: Columns) -> None:
    """Change each image by the first case that holds for it, in place."""
    open_rows = np.ones(columns.shape[1], dtype=bool)
    for case in cases:
        rows = case.rows(columns, open_rows)
        if rows.size:
            columns[:, rows] = case.shift(columns[:, rows])
            open_rows[rows] = False


def parse_case(when: Sequence[str], move: Sequence[str], attribute: Attribute, where: str) -> Case:
    """Return the rule, or say in one line, naming ``where``, which text is wrong and why."""
    tests = tuple(_either(text, attribute, f"{where}, when {text!r}") for text in when)
    left = [Fraction(1)] * len(attribute.groups)
    moves = []
    for text in move:
        part, source, target = _move(text, attribute, f"{where}, move {text!r}")
        left[source] -= part
        if left[source] < 0:
            group = attribute.groups[source]
            raise ConfigError(f"{where}, move {text!r}: more than all of {group!r} is moved; the parts may reach 1")
        moves.append((float(part), source, target))
    conditions = " and ".join(f"({_tidy(text)})" if _OR.search(text) else _tidy(text) for text in when) or "always"
    text = f"{conditions}: {', '.join(map(_tidy, move)) or 'leave'}"
    return Case(text, tests, tuple(map(float, left)), tuple(moves))


def _either(text: str, attribute: Attribute, where: str) -> Test:
    return partial(_any_holds, [_comparison(part, attribute, where) for part in _OR.split(text)])


def _comparison(text: str, attribute: Attribute, where: str) -> Test:
    match = _COMPARISON.fullmatch(text.strip())
    if match is None:
        raise ConfigError(
            f"{where}: not a comparison; write 'group >= 0.2', 'group > group' or '|group - group| <= 0.2'"
        )
    left, right = (_side(match[place].strip(), attribute, where) for place in (1, 3))
    return partial(_compare, _SIGNS[match[2]], left, right)


def _side(text: str, attribute: Attribute, where: str) -> Side:
    if re.fullmatch(_NUMBER, text):
        return partial(_number, np.array(float(_fraction(text, where))))
    if gap := _GAP.fullmatch(text):
        one, other = (_group(name, attribute, where) for name in gap.groups())
        return partial(_gap, one, other)
    return operator.itemgetter(_group(text, attribute, where))


# Rules travel to other processes, so they are made of functions that those can import.
def _any_holds(tests: Sequence[Test], columns: Columns) -> Mask:
    holds = tests[0](columns)
    for test in tests[1:]:
        holds = holds | test(columns)
    return holds


def _compare(sign: Callable[[Any, Any], Any], left: Side, right: Side, columns: Columns) -> Mask:
    holds: Mask = sign(left(columns), right(columns))
    return holds


def _number(number: NDArray[np.float64], _: Columns) -> NDArray[np.float64]:
    return number


def _gap(one: int, other: int, columns: Columns) -> NDArray[np.float64]:
    return np.asarray(np.abs(columns[one] - columns[other]))


def _move(text: str, attribute: Attribute, where: str) -> tuple[Fraction, int, int]:
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"{where}: not a move; write '2/3 group -> group'")
    part = _fraction(match[1], where)
    source, target = (_group(match[place], attribute, where) for place in (2, 3))
    if not 0 < part <= 1:
        raise ConfigError(f"{where}: the part {match[1]} must be above 0 and at most 1")
    if source == target:
        raise ConfigError(f"{where}: moves {match[2]!r} to itself; name another group")
    return part, source, target


def _fraction(text: str, where: str) -> Fraction:
    if len(text) > _LONGEST:
        raise ConfigError(f"{where}: the number {text[:12]}… has {len(text)} characters, more than {_LONGEST}")
    whole, _, parts = text.partition("/")
    if parts and not int(parts):
        raise ConfigError(f"{where}: {text} divides by 0")
    return Fraction(whole) / int(parts or 1)


def _group(name: str, attribute: Attribute, where: str) -> int:
    try:
        return attribute.index(name)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


def _tidy(text: str) -> str:
    return " ".join(text.split())
