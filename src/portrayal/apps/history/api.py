"""The history of a model in Python: releases, changes as rows, sentences, a page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows, finite
from portrayal.apps.history.changes import Change
from portrayal.apps.history.history import ReleaseHistory
from portrayal.apps.history.history_page import render_history
from portrayal.apps.history.release_rows import read_releases
from portrayal.errors import InputError
from portrayal.language.translation import known_language, speaking
from portrayal.reports.comparisons.matching import Topic, is_share
from portrayal.reports.comparisons.words.difference_words import verdict_words
from portrayal.reports.text.notes import naming
from portrayal.store.files import write_atomic
from portrayal.terminal import from_here

__all__ = ["History"]

_NUMBERS = ("value", "earlier_value", "difference", "low", "high", "p", "p_corrected", "detectable")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("model", "release", "earlier", "against", *Topic._fields)),
        *((name, pa.float64()) for name in _NUMBERS),
        *((name, pa.int64()) for name in ("n", "earlier_n", "missing", "earlier_missing")),
        ("verdict", pa.string()),
        ("words", pa.string()),
        ("missing_could_change", pa.bool_()),
    ]
)


class History(Rows):
    """The same suite over releases of a model; its rows are all changes, the first release first.

    Parameters
    ----------
    folders
        Measured studies, one for each release, or a folder of them.
    order
        ``"given"``: as given, folders within a folder by name; ``"date"``: by when they were measured.
    models
        Only these; without any those that two releases have, or the only one of each.
    margin
        Changes of shares up to this are of no concern; without it ``tolerance`` of the last study.
    language
        Of the words: ``"en"`` or ``"de"``.

    ``against`` of a row is ``previous``, ``first`` or ``both``. ``p_corrected`` is corrected for all numbers and all
    releases. ``sentences`` are the answer in words, ``not_compared`` says what was not compared, and why.
    """

    def __init__(
        self,
        folders: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        order: Literal["given", "date"] = "given",
        models: str | Sequence[str] = (),
        margin: float | None = None,
        language: str = "en",
    ) -> None:
        if order not in ("given", "date"):
            raise InputError(f"order: 'given' or 'date', not {order!r}")
        if margin is not None and not 0 < margin < 1:
            raise InputError(f"margin: a share between 0 and 1, such as 0.1 for 10 points (got {margin})")
        paths = [folders] if isinstance(folders, str | os.PathLike) else folders
        chosen = [models] if isinstance(models, str) else models
        read = read_releases([Path(path) for path in paths], by_date=order == "date", models=chosen)
        self._history = ReleaseHistory(read, read.margin if margin is None else margin)
        names = [release.name for release in read.releases]
        with speaking(known_language(language)), naming(read.attributes):
            rows = [
                _row(change, names, self._history.margin) for look in self._history.looks for change in look.changes
            ]
            self.sentences = self._history.sentences()
            self.summary = self._history.summary()
            self.not_compared = self._history.not_compared()
        super().__init__(pa.Table.from_pylist(rows, _SCHEMA))

    @property
    def releases(self) -> list[dict[str, str]]:
        """The releases in order: name, folder, and when each was measured."""
        return [
            {"name": release.name, "folder": str(release.folder), "measured": release.measured.isoformat()}
            for release in self._history.read.releases
        ]

    def numbers(self) -> list[dict[str, Any]]:
        """Return every number of every release with its interval."""
        names = [release.name for release in self._history.read.releases]
        return [
            {
                "model": series.model,
                "release": names[place],
                **series.topic._asdict(),
                "value": row.value,
                "low": row.low,
                "high": row.high,
                "n": row.n,
                "missing": row.missing,
            }
            for series in self._history.series
            for place, row in enumerate(series.rows)
            if row is not None
        ]

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain data, as ``portrayal history --json`` prints it."""
        return {
            "releases": self.releases,
            "sentences": self.sentences,
            "summary": self.summary,
            "not_compared": self.not_compared,
            "changes": self.to_arrow().to_pylist(),
            "numbers": self.numbers(),
        }

    def save(self, path: str | os.PathLike[str], *, language: str = "") -> Path:
        """Write the page, in ``en`` or ``de``, and return its path; without a language in that of the last report."""
        page = Path(path)
        write_atomic(page, render_history(self._history, language).encode())
        return from_here(page)


def _row(change: Change, names: Sequence[str], margin: float) -> dict[str, Any]:
    each = change.difference
    later, earlier = each.one, each.other
    numbers = (later.value, earlier.value, each.value, each.low, each.high, each.p, each.adjusted, each.detectable)
    against = "both" if change.previous and change.first else "previous" if change.previous else "first"
    return {
        "model": change.model,
        "release": names[change.release],
        "earlier": names[change.earlier],
        "against": against,
        **change.topic._asdict(),
        **{name: finite(number) for name, number in zip(_NUMBERS, numbers, strict=True)},
        "n": later.n,
        "earlier_n": earlier.n,
        "missing": later.missing,
        "earlier_missing": earlier.missing,
        "verdict": each.verdict.value,
        "words": verdict_words(each, margin),
        # How far missing images would move a score nobody knows.
        "missing_could_change": None if not is_share(later) and later.missing + earlier.missing else each.unsettled,
    }
