"""The report of an atlas: a page, and all its models as a CSV file for each protocol."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from portrayal.apps.atlas.evaluations.analysis import row_order
from portrayal.apps.atlas.evaluations.atlas_summary import summary
from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.apps.atlas.evaluations.normalised import compare_models
from portrayal.apps.atlas.folder.atlas_store import AtlasStore
from portrayal.apps.atlas.report.atlas_compare import comparison_files
from portrayal.apps.atlas.report.atlas_page import render_atlas
from portrayal.csvfile import csv_text
from portrayal.store.files import storage_errors, write_atomic

__all__ = ["write_report"]

_PLAIN = ("model", "version", "category", "scheduler", "created", "likes", "downloads", "popularity", "images")


def write_report(
    store: AtlasStore, score: str = "", language: str = "en", *, compare: Sequence[str] = (), by: Sequence[str] = ()
) -> Path:
    """Write ``report/index.html`` and the tables beside it, and return the page's path.

    The models that ``compare`` names are set side by side, by the protocols whose names hold a text of ``by``.
    """
    rows = store.read()
    data = summary(rows, score)
    folder = store.folder / "report"
    chosen = compare_models(rows, compare, by) if compare or by else None
    beside = comparison_files(chosen, language) if chosen else {}
    tables = {}
    for number, section in enumerate(data.sections, start=1):
        tables[section.protocol] = f"models-{number}-{_plain(section.title)}.csv"
        beside[tables[section.protocol]] = _csv(section.columns, row_order(section.columns, section.score).tolist())
    for file, text in beside.items():
        write_atomic(folder / file, text.encode())
    page = folder / "index.html"
    files = [file for file in beside if file not in tables.values()]
    text = render_atlas(
        data,
        language,
        title=store.folder.resolve().name,
        files=tables,
        chosen=(chosen, files) if chosen else None,
    )
    write_atomic(page, text.encode())
    with storage_errors(folder):
        for stale in {*folder.glob("models-*.csv"), *folder.glob("compare*")} - {folder / file for file in beside}:
            stale.unlink()
    return page


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60] or "all"


def _csv(columns: Columns, order: Sequence[int]) -> str:
    """Return all rows of a protocol, in an order."""
    lines = []
    for place in order:
        row, info, liked = columns.evaluations[place], columns.infos[place], float(columns.popularity[place])
        about = (row.model, int(columns.version[place]), info.category, info.scheduler, info.created)
        known = (info.likes, info.downloads, None if math.isnan(liked) else liked, row.images)
        scores = [row.scores.get(name) for name in columns.names]
        numbers = [getattr(score, end, None) for score in scores for end in ("value", "low", "high")]
        lines.append([*about, *known, *numbers, row.run, row.source])
    header = [*_PLAIN, *(name + end for name in columns.names for end in ("", "_low", "_high")), "run", "source"]
    return csv_text(header, lines)
