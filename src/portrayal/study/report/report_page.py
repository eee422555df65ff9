"""Report: everything the study found, on one page that can be deleted and made again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from portrayal.reports.page import render_pages, report_files, report_pages
from portrayal.reports.section import SECTIONS
from portrayal.store.files import TEMPORARY, storage_errors, write_atomic
from portrayal.store.own_files import check_subfolders
from portrayal.study.annotate.kept_images import require_store
from portrayal.study.measure.measure_study import measure
from portrayal.study.report.gather_data import OWN_TABLES, gather
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.study.tables.exporting import export_tables

__all__ = ["report"]

_LEFT = re.compile(rf"{re.escape(TEMPORARY)}[0-9a-f]{{16}}-")
"""How names of half-written files begin; another file of a similar name is somebody else's."""


def report(study: OpenStudy, control: RunControl) -> Path:
    """Write ``report/index.html``, its summary and the files it links to, and return the page's path."""
    path = study.root / "report" / "index.html"
    require_store(study)
    if not study.workspace.tables["measurements"].current():
        measure(study, control)  # an older version wrote them, whose notes were sentences
    check_subfolders(path.parent)
    _clean(path.parent)
    control.progress.start("report", 1)
    data = gather(study)
    files = {**report_files(data), **report_pages(data)}
    _write_files(path.parent, files, _write_own_tables(study, path.parent))
    for name, text in reversed(render_pages(data).items()):  # the page last: what it links to is there by then
        write_atomic(path.with_name(name), text.encode())
    control.progress.advance(1)
    control.progress.finish()
    return path


def _clean(folder: Path) -> None:
    """Remove what a report that was killed left half-written; the study's lock keeps other reports away."""
    with storage_errors(folder):
        for path in folder.rglob(f"{TEMPORARY}*") if folder.is_dir() else ():
            if _LEFT.match(path.name) and path.is_file() and not path.is_symlink():
                path.unlink(missing_ok=True)


def _write_own_tables(study: OpenStudy, folder: Path) -> list[Path]:
    """Write the tables that methods brought beside the page, and return the files."""
    names = study.workspace.own_tables.names()
    return export_tables(study, folder / OWN_TABLES, "csv", names) if names else []


def _write_files(folder: Path, files: Mapping[str, str], others: Sequence[Path]) -> None:
    """Write the files beside the page and remove those of an earlier report that this one does not have."""
    written = {*others, *(folder / name for name in files)}
    for name, text in files.items():
        write_atomic(folder / name, text.encode())
    with storage_errors(folder):
        # Only what a report writes: whatever else someone keeps beside the page is theirs.
        owned = [pattern for name in SECTIONS.entries() for pattern in SECTIONS.load(name)().owned]
        for pattern in [*owned, f"{OWN_TABLES}/*.csv"]:
            for stale in sorted(set(folder.glob(pattern)) - written):
                stale.unlink()
            for parent in list(PurePath(pattern).parents)[:-1]:
                for place in folder.glob(str(parent)):
                    if not any(place.iterdir()):
                        place.rmdir()
