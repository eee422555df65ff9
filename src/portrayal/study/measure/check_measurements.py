"""What methods yield, looked at before it is stored: a wrong row would be printed as if somebody had measured it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from portrayal.errors import StudyError, did_you_mean
from portrayal.methods.base import OwnTable
from portrayal.records import Measurement, Note
from portrayal.reports.text.notes import note_codes, note_words
from portrayal.study.parts.error_line import shown

__all__ = ["checked_measurements"]

_TEXTS = (
    "metric", "generator", "annotator", "attribute", "group", "level", "item", "reference", "language", "variant",
    "prompt_set",
)  # fmt: skip
_NUMBERS = ("value", "low", "high", "target", "planted", "drawn", "corrected", "worth", "like_low", "like_high")
_COUNTS = ("n", "missing", "prompts")
_ENDS = (("low", "high"), ("like_low", "like_high"))
_MOST = 2**53
"""Whole numbers beyond it are no floats, and Arrow takes none of them."""
_ROUNDING = {"rel_tol": 1e-9, "abs_tol": 1e-12}


def checked_measurements(method: str, given: Any) -> Iterator[Measurement | OwnTable]:
    """Yield what the method of that name gives, or say in one line what is wrong with a row.

    An interval need not hold the value: it may be around a corrected one. Ends that are equal but for rounding are
    taken. What has no number has None, and a lower end may come without an upper one.
    """
    if not isinstance(given, Iterable):
        raise StudyError(f"method {method}: measure gave {shown(given)}; yield Measurement(self.name, metric, …)")
    codes, worded = note_codes(), set[Note]()
    for row in given:
        if isinstance(row, Measurement):
            if wrong := _wrong(row, method, codes, worded):
                raise StudyError(f"method {method}, metric {shown(row.metric)}: {wrong}")
        elif not isinstance(row, OwnTable):
            metric = f", metric {shown(row['metric'])}" if isinstance(row, Mapping) and "metric" in row else ""
            raise StudyError(
                f"method {method}{metric}: it gave {shown(row)}; give Measurement(self.name, metric, generator, …) or "
                "OwnTable(name, rows)"
            )
        yield row


def _wrong(row: Measurement, method: str, codes: Collection[str], worded: set[Note]) -> str:
    """Return what is wrong with a row; nothing if it can be stored and shown."""
    if row.method != method:
        return f"its row is of the method {shown(row.method)}; give self.name"
    for name in _TEXTS:
        if not isinstance(text := getattr(row, name), str):
            return f"{name} is {shown(text)}; give a text"
    for name in _NUMBERS:
        if (number := getattr(row, name)) is not None and not _is_number(number):
            return f"{name} is {shown(number)}; give a finite number, or None where there is none"
    for name in _COUNTS:
        if not _is_count(count := getattr(row, name)):
            return f"{name} is {shown(count)}; give a whole number, 0 or more"
    for low, high in _ENDS:
        lower, upper = getattr(row, low), getattr(row, high)
        if None not in (lower, upper) and lower > upper and not math.isclose(lower, upper, **_ROUNDING):
            return f"{low} {shown(lower)} is above {high} {shown(upper)}; give the ends of the interval in their order"
    return next(filter(None, (_wrong_note(note, codes, worded) for note in row.notes)), "")


def _is_number(number: object) -> bool:
    if not isinstance(number, float | int | np.floating | np.integer) or isinstance(number, bool):
        return False
    return math.isfinite(number) if isinstance(number, float | np.floating) else abs(int(number)) <= _MOST


def _is_count(count: object) -> bool:
    return isinstance(count, int | np.integer) and not isinstance(count, bool) and 0 <= int(count) <= _MOST


def _wrong_note(note: object, codes: Collection[str], worded: set[Note]) -> str:
    """Return what is wrong with a note; ``worded`` remembers those in order, for many rows carry the same."""
    if not isinstance(note, Note) or not isinstance(note.code, str):
        return f"its notes hold {shown(note)}; give Note(code) or Note.of(code, …)"
    if note.code not in codes:
        near = did_you_mean(note.code, codes).partition("; known:")[0]
        return f"no note has the code {shown(note.code)}{near or '; name its words in notes of the bundle'}"
    if not _are_texts(note.values):
        return f"the note {note.code!r} has the values {shown(note.values)}; give texts with Note.of(code, name=text)"
    if note not in worded:
        try:
            note_words(note)
        except ValueError:
            return f"the note {note.code!r} has the values {shown(note.values)}; give numbers where its words count"
        worded.add(note)
    return ""


def _are_texts(values: object) -> bool:
    return isinstance(values, tuple) and all(
        isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(word, str) for word in pair) for pair in values
    )
