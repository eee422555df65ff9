"""BiasPainter's measurements, found by what they are about, and the rows of its own tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from portrayal.methods.biaspainter.editing import NULL
from portrayal.records import Measurement
from portrayal.reports.data import ReportData

__all__ = ["BIASPAINTER", "KEEPING", "ROLES", "Looked", "Row", "looked"]

BIASPAINTER = "biaspainter"
ROLES = ("gender", "age", "tone")
KEEPING = ("same_face", "not_done")
"""Metrics of annotators that compare an edit with its seed."""
Row = Mapping[str, Any]
_EARLIER = {"model_bias": "model_word_bias", "topic_bias": "topic_word_bias"}
"""What metrics of studies were called that an earlier version measured."""


@dataclass(frozen=True)
class Looked:
    """What one annotator saw of the edits of all editors; ``attributes`` maps roles to names of attributes.

    ``words`` and ``nothing`` are the rows of the table of words: those of words, and those of edits that ask for
    nothing.
    """

    annotator: str
    editors: Sequence[str]
    attributes: Mapping[str, str]
    rows: Sequence[Measurement]
    words: Sequence[Row]
    edits: Sequence[Row]
    nothing: Sequence[Row] = ()
    error_rate: float = 0.05
    by: str = ""
    """What tells names of charts and tables from those of other annotators; empty: there is only one."""

    @cached_property
    def _by_place(self) -> Mapping[tuple[str, ...], Measurement]:
        return {(r.metric, r.generator, r.attribute, r.item, r.variant, r.group): r for r in self.rows}

    def get(
        self, metric: str, editor: str, role: str, item: str = "", topic: str = "", group: str = ""
    ) -> Measurement | None:
        """Return a number."""
        return self._by_place.get((metric, editor, self.attributes.get(role, ""), item, topic, group))

    def items(self, metric: str, role: str) -> list[tuple[str, str]]:
        """Return what the numbers of a kind are about, each with its topic, in their order."""
        mine = [row for row in self.rows if row.metric == metric and row.attribute == self.attributes[role]]
        return list(dict.fromkeys((row.item, row.variant) for row in mine))

    @cached_property
    def _by_word(self) -> Mapping[tuple[str, str, str], Sequence[Row]]:
        by_word: dict[tuple[str, str, str], list[Row]] = {}
        for row in self.edits:
            if not row["instruction"]:
                word = "" if row["topic"] == NULL else row["word"]
                by_word.setdefault((row["generator"], row["topic"], word), []).append(row)
        return by_word

    def edits_with(self, word: Row) -> Sequence[Row]:
        """Return the edits with a word as it stands, without a further instruction."""
        return self._by_word.get((word["generator"], word["topic"], word["word"]), ())

    def null_edits(self, editor: str) -> Sequence[Row]:
        """Return the edits of an editor that ask for nothing."""
        return self._by_word.get((editor, NULL, ""), ())

    @cached_property
    def roles(self) -> list[str]:
        """The attributes of which anything could be compared."""
        told = {row.attribute for row in self.rows if row.metric == "word_bias" and row.value is not None}
        return [role for role in ROLES if self.attributes[role] in told]

    @cached_property
    def instructions(self) -> list[str]:
        """The extra instructions that were compared."""
        return list(dict.fromkeys(row.group for row in self.rows if row.metric == "mitigation_size"))

    @property
    def relative(self) -> bool:
        """Whether there are edits that ask for nothing."""
        return any(row.metric == "word_bias_relative" for row in self.rows)


def looked(data: ReportData) -> list[Looked]:
    """Return what each annotator saw."""
    rows = [_renamed(row) for row in data.rows(BIASPAINTER) if row.metric not in KEEPING]
    settings = data.settings.get(BIASPAINTER, {})
    attributes = {role: settings.get(role, role) for role in ROLES}
    tables = [data.own_rows.get(f"{BIASPAINTER}.{name}", ()) for name in ("words", "edits")]
    rate, names = float(settings.get("error_rate", "0.05")), dict.fromkeys(row.annotator for row in rows)
    return [
        replace(_of(name, attributes, rows, tables), error_rate=rate, by=f" {name}" if len(names) > 1 else "")
        for name in names
    ]


def _renamed(row: Measurement) -> Measurement:
    return replace(row, metric=_EARLIER[row.metric]) if row.metric in _EARLIER else row


def _of(
    annotator: str, attributes: Mapping[str, str], rows: Sequence[Measurement], tables: Sequence[Sequence[Row]]
) -> Looked:
    mine = [row for row in rows if row.annotator == annotator]
    every, edits = ([row for row in table if row["annotator"] == annotator] for table in tables)
    words, nothing = ([row for row in every if (row["topic"] == NULL) is null] for null in (False, True))
    editors = list(dict.fromkeys(row.generator for row in mine))
    return Looked(annotator, editors, attributes, mine, words, edits=edits, nothing=nothing)
