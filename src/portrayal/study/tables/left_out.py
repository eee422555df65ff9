"""Pictures that somebody leaves out, each with a reason: they count as missing, and the report says why.

``left_out.csv`` lies beside study.toml, with the columns ``image``, the 64 digits of a picture's name, and ``reason``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.csvfile import csv_text, iter_csv
from portrayal.errors import InputError
from portrayal.records import reason_text
from portrayal.store.checksums.handed_files import check_handed, write_handed
from portrayal.store.tables.keys import Keys, key_numbers

__all__ = ["LEFT_OUT_NAME", "LeftOutKeys", "left_out_label", "read_left_out", "write_left_out"]

LEFT_OUT_NAME = "left_out.csv"
LONGEST_REASON = 200
_IMAGE = re.compile(r"[0-9a-f]{64}", re.ASCII)


def read_left_out(study: Path) -> Mapping[str, str]:
    """Return the reasons by picture; none where there is no such file."""
    path = study / LEFT_OUT_NAME
    if not path.exists():
        return {}
    check_handed(path)
    reasons: dict[str, str] = {}
    for row in iter_csv(path, ["image", "reason"]):
        if not _IMAGE.fullmatch(row["image"]):
            raise InputError(f"{row.where}: {row['image']!r:.80} names no picture; give the 64 digits of its name")
        reasons[row["image"]] = _reason(row.where, row["reason"])
    return reasons


def write_left_out(study: Path, reasons: Mapping[str, str]) -> None:
    """Write which pictures are left out, instead of those before; with none the file goes."""
    path = study / LEFT_OUT_NAME
    rows = [(image, _reason(str(path), reason)) for image, reason in reasons.items()]
    if rows:
        write_handed(path, csv_text(("image", "reason"), rows).encode())
    else:
        path.unlink(missing_ok=True)


def left_out_label(reason: str) -> str:
    """Return what a report counts such pictures under.

    >>> left_out_label("shows a real person")
    'left_out: shows a real person'
    """
    return reason_text("left_out", reason)


class LeftOutKeys:
    """The pictures that somebody left out, as keys, with what they count under."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        keys = key_numbers(pa.array(list(reasons), pa.string()))
        self.names = [left_out_label(reason) for reason in reasons.values()]
        self._order = np.argsort(keys)
        self._keys = keys[self._order]

    def among(self, images: Keys, made: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], list[str]]:
        """Return which of the made pictures are left out, and what each of those counts under."""
        if not len(self._keys):
            return np.zeros(len(images), dtype=bool), []
        place = np.minimum(np.searchsorted(self._keys, images), len(self._keys) - 1)
        out = made & (self._keys[place] == images)
        return out, [self.names[at] for at in self._order[place[out]]]


def _reason(where: str, text: str) -> str:
    reason = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if not reason:
        raise InputError(f"{where}: a picture is left out for a reason; write it down")
    if len(reason) > LONGEST_REASON:
        raise InputError(f"{where}: a reason has at most {LONGEST_REASON} characters")
    return reason
