"""The report of an atlas: a page, and all its models as a CSV file for each protocol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from portrayal.apps.atlas.evaluations.atlas_summary import model_rows, summary
from portrayal.apps.atlas.evaluations.columns import Columns, protocols
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
    beside: dict[str, str] = {}
    if compare or by:
        chosen = compare_models(rows, compare, by).data()
        beside = comparison_files(chosen, language)
        data["chosen"] = {**chosen, "files": list(beside)}
    titles = {section["protocol"]: section["title"] for section in data["sections"]}
    files = {
        name: f"models-{number}-{_plain(titles[name])}.csv" for number, name in enumerate(protocols(rows), start=1)
    }
    for section in data["sections"]:
        section["file"] = files[section["protocol"]]
    for name, file in files.items():
        write_atomic(folder / file, _csv(model_rows(Columns.of(rows, name), score)).encode())
    for file, text in beside.items():
        write_atomic(folder / file, text.encode())
    page = folder / "index.html"
    write_atomic(page, render_atlas(data, language, title=store.folder.resolve().name).encode())
    with storage_errors(folder):
        kept = {folder / file for file in (*files.values(), *beside)}
        for stale in {*folder.glob("models-*.csv"), *folder.glob("compare*")} - kept:
            stale.unlink()
    return page


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60] or "all"


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    listed = list(rows)
    names = list(dict.fromkeys(name for row in listed for name in row["scores"]))
    lines = []
    for row in listed:
        scores = [number for name in names for number in row["scores"].get(name, (None, None, None))]
        lines.append([*(row[name] for name in _PLAIN), *scores, row["run"], row["source"]])
    header = [*_PLAIN, *(name + end for name in names for end in ("", "_low", "_high")), "run", "source"]
    return csv_text(header, lines)
