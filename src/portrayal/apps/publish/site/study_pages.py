"""The pages of one study on the site: its report as it is, and its findings and pictures with permalinks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portrayal.api.rows.findings import Findings
from portrayal.records import content_id
from portrayal.reports.data import ReportData
from portrayal.reports.gallery.embedded_pictures import MAGIC
from portrayal.reports.page import render_pages, report_files, report_pages
from portrayal.store.files import write_atomic
from portrayal.study.report.gather_data import OWN_TABLES
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import export_tables

__all__ = ["FindingShown", "PictureShown", "findings_shown", "pictures_shown", "write_report"]

_ABOUT = ("kind", "model", "other", "method", "metric", "annotator", "attribute", "group", "level", "item")
_ASKED = ("reference", "language", "variant")


@dataclass(frozen=True, slots=True)
class FindingShown:
    """A finding with the name that it keeps when its numbers change."""

    anchor: str
    whose: str
    sentence: str
    basis: str
    cautions: Sequence[str]


@dataclass(frozen=True, slots=True)
class PictureShown:
    """A picture with its permalink, a small copy without anything else that its file held."""

    anchor: str
    file: str
    prompt: str
    model: str
    language: str


def write_report(study: OpenStudy, data: ReportData, folder: Path) -> None:
    """Write the report and the files it links to."""
    names = study.workspace.own_tables.names()
    if names:
        export_tables(study, folder / OWN_TABLES, "csv", names)
    for name, text in {**report_files(data), **report_pages(data), **render_pages(data)}.items():
        write_atomic(folder / name, text.encode())


def findings_shown(data: ReportData) -> list[FindingShown]:
    """Return the sentences of the report's first screen, in its order."""
    seen: Counter[str] = Counter()
    shown = []
    for row in Findings(data).to_arrow().to_pylist():
        anchor = f"f-{_name(row)}"
        seen[anchor] += 1
        again = f"-{seen[anchor]}" if seen[anchor] > 1 else ""
        # On the report these stand below a heading with the model and what they are about.
        whose = [row["model"], row["about"]] if row["kind"] in ("deviation", "verdict") else []
        shown.append(
            FindingShown(anchor + again, ", ".join(filter(None, whose)), row["sentence"], row["basis"], row["cautions"])
        )
    return shown


def _name(row: Mapping[str, Any]) -> str:
    about = [row[name] or "" for name in (*_ABOUT, *_ASKED)]
    # A verdict is about a model alone, and several sentences may be: what else tells them apart is their subject.
    return content_id(*about, "" if row["metric"] else row["about"] or "")[:12]


def pictures_shown(data: ReportData, folder: Path) -> list[PictureShown]:
    """Write the pictures that the report shows, small and each once, and return them."""
    shown: dict[str, PictureShown] = {}
    for picture in data.pictures:
        ending = next((kind for start, kind in MAGIC if picture.thumbnail.startswith(start)), "")
        if not picture.image or not ending or picture.image in shown:
            continue
        file = f"pictures/{picture.image[:16]}.{ending}"
        write_atomic(folder / file, picture.thumbnail)
        shown[picture.image] = PictureShown(
            f"p-{picture.image[:16]}", file, picture.prompt, picture.generator, picture.language
        )
    return list(shown.values())
