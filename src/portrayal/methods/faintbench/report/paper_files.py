"""The paper's tables as files beside the page: LaTeX to print, CSV and JSON to compute with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portrayal.csvfile import csv_text
from portrayal.methods.bias_scores.report.benchmark_rows import benches, variants
from portrayal.methods.faintbench.report.paper_latex import Caption, latex_index, latex_table
from portrayal.methods.faintbench.report.paper_tables import PaperTable, folder_names, paper_tables
from portrayal.methods.faintbench.suite.options import NAME
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.text.notes import plain_adjustment, plain_notes
from portrayal.reports.text.words import known

__all__ = ["PaperFiles", "paper_files", "paper_folders"]

COLUMNS = ("row", "model", "value", "corrected", "low", "high", "n", "missing", "note")


@dataclass(frozen=True, slots=True)
class PaperFiles:
    """Where the tables of one annotator lie, as addresses relative to the page, and what they are."""

    annotator: str
    folder: str
    tables: Sequence[PaperTable]


def paper_folders(data: ReportData) -> list[PaperFiles]:
    """Return one folder of tables for each annotator that FAIntbench was scored with."""
    scored = benches(data, NAME)
    names = folder_names([bench.annotator for bench in scored])
    return [PaperFiles(bench.annotator, f"{NAME}/{names[bench.annotator]}", paper_tables(bench)) for bench in scored]


def paper_files(data: ReportData) -> dict[str, str]:
    """Return every file by its path beside the page; none without rows of FAIntbench."""
    return {path: text for files in paper_folders(data) for path, text in _files(data, files).items()}


def _files(data: ReportData, files: PaperFiles) -> dict[str, str]:
    label = files.folder.rpartition("/")[2]
    adjusted = [plain_adjustment(one) for one in data.adjusted.get(NAME, ())]
    caption = Caption(files.annotator, label, _profile(data), ", ".join(variants(data, NAME)), adjusted)
    written = {"tables.tex": latex_index(files.tables, caption), "tables.json": _json(data, files)}
    for table in files.tables:
        written[f"{table.name}.tex"] = latex_table(table, caption)
        written[f"{table.name}.csv"] = _csv(table)
    return {f"{files.folder}/{name}": text for name, text in written.items()}


def _profile(data: ReportData) -> str:
    return data.settings.get(NAME, {}).get("profile", "")


def _csv(table: PaperTable) -> str:
    rows = (
        [row.label, model, *_cell(cell).values()]
        for row in table.rows
        for model, cell in zip(table.models, row.cells, strict=True)
    )
    return csv_text(COLUMNS, rows)


def _cell(cell: Measurement | None) -> dict[str, Any]:
    if cell is None:
        numbers = dict.fromkeys(("value", "corrected", "low", "high"))
        return {**numbers, "n": 0, "missing": 0, "note": "not measured in this study"}
    numbers = {name: known(getattr(cell, name)) for name in ("value", "corrected", "low", "high")}
    return {**numbers, "n": cell.n, "missing": cell.missing, "note": plain_notes(cell.notes)}


def _json(data: ReportData, files: PaperFiles) -> str:
    content = {
        "benchmark": "FAIntbench",
        "annotator": files.annotator,
        "profile": _profile(data),
        "variant": ", ".join(variants(data, NAME)),
        "interval": 0.95,
        "adjusted": [plain_adjustment(one) for one in data.adjusted.get(NAME, ())],
        "tables": [_json_table(table) for table in files.tables],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _json_table(table: PaperTable) -> dict[str, Any]:
    rows = [
        {
            "row": row.label,
            "metric": row.metric,
            "attribute": row.attribute,
            "level": row.place.level,
            "item": row.place.item,
            "cells": [{"model": model, **_cell(cell)} for model, cell in zip(table.models, row.cells, strict=True)],
        }
        for row in table.rows
    ]
    return {"number": table.number, "title": table.title, "rows": rows}
