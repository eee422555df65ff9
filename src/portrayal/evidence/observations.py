"""From rows of the observations table to images as one annotator described them.

Rows of one image by one annotator stand together in the table, since they are written together. Batches are put
together until there are enough, for the table may consist of many small ones; the last image waits for its other rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa

from portrayal.evidence.described_images import NONE, Described, ObservationRows
from portrayal.records import PERSON, known_reasons
from portrayal.stats.exact import Ints
from portrayal.store.tables.layout import key_column, keys_of

__all__ = ["COLUMNS", "ENCODED", "TEXT", "ObservationReader"]

COLUMNS = (key_column("image"), "annotator", "subject", "attribute", "mass", "value", "reason")
ENCODED = ("image", "annotator", "attribute", "reason")
TEXT = "text"
"""One more column, encoded too, for who needs the words that annotators wrote."""


class ObservationReader:
    """Reads batches of observations; rows of annotators not named are left out, and so are texts not in the batches."""

    def __init__(self, annotators: Collection[str], size: int) -> None:
        self.annotators = annotators
        self.size = size
        # Names become numbers, the same in every batch.
        self._numbers = {name: number for number, name in enumerate([PERSON, *known_reasons()])}
        self._texts: dict[str, int] = {}
        self._spelled: list[str] = []
        self._rows = 0

    @property
    def names(self) -> Sequence[str]:
        """What numbers stand for: attributes, reasons and annotators met so far."""
        return list(self._numbers)

    def images(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Described]:
        """Yield images by annotator, those of about ``size`` rows at a time."""
        waiting: list[ObservationRows] = []
        for batch in batches:
            waiting.append(self._read(batch))
            if sum(len(rows.key) for rows in waiting) >= self.size:
                rows = ObservationRows.joined(waiting)
                others = np.flatnonzero(rows.key != rows.key[-1])
                cut = int(others[-1]) + 1 if len(others) else 0
                yield from self._by_annotator(rows.take(slice(cut)))
                waiting = [rows.take(slice(cut, None))]
        if waiting:
            yield from self._by_annotator(ObservationRows.joined(waiting))

    def _read(self, batch: pa.RecordBatch) -> ObservationRows:
        annotator, attribute, reason = (self._codes(batch[name]) for name in ("annotator", "attribute", "reason"))
        mass = batch["mass"]
        ends = mass.offsets.to_numpy().astype(np.int64)
        size = np.where(np.asarray(mass.is_valid()), np.diff(ends), 0)
        masses = mass.values.slice(ends[0], ends[-1] - ends[0]).to_numpy(zero_copy_only=False)
        value = batch["value"].to_numpy(zero_copy_only=False)
        key, subject = keys_of(batch, "image"), _filled(batch["subject"])
        start, text = ends[:-1] - ends[0], self._text_numbers(batch)
        position = np.arange(self._rows, self._rows + batch.num_rows)
        self._rows += batch.num_rows
        return ObservationRows(
            key,
            annotator,
            subject,
            attribute=attribute,
            reason=reason,
            value=value,
            start=start,
            size=size,
            text=text,
            position=position,
            masses=masses,
        )

    def _text_numbers(self, batch: pa.RecordBatch) -> Ints:
        if TEXT not in batch.schema.names:
            return np.full(batch.num_rows, NONE)
        column = batch[TEXT]
        numbers = []
        for text in column.dictionary.to_pylist():
            number = self._texts.setdefault(text, len(self._texts))
            if number == len(self._spelled):
                self._spelled.append(text)
            numbers.append(number)
        return np.array([*numbers, NONE])[_filled(column.indices)]

    def _codes(self, array: pa.DictionaryArray) -> Ints:
        numbers = [self._numbers.setdefault(name, len(self._numbers)) for name in array.dictionary.to_pylist()]
        return np.array([*numbers, NONE])[_filled(array.indices)]

    def _by_annotator(self, rows: ObservationRows) -> Iterator[Described]:
        names = self.names
        for code in np.flatnonzero(np.bincount(rows.annotator + 1, minlength=1)[1:]).tolist():
            if names[code] in self.annotators:
                yield Described(names[code], rows.take(rows.annotator == code), names, self._spelled)


def _filled(array: pa.Array) -> Ints:
    return np.asarray(array.fill_null(NONE).to_numpy(zero_copy_only=False), dtype=np.int64)
