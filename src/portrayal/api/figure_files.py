"""A report's charts and tables, written to files for papers and slides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from portrayal.api.plot import FORMS, Plot
from portrayal.errors import InputError, did_you_mean
from portrayal.reports.figures.figure_files import report_figures
from portrayal.store.files import write_atomic
from portrayal.store.own_files import check_outside
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.report.gather_data import gather
from portrayal.study.study import OpenStudy

__all__ = ["write_figures"]


def write_figures(study: OpenStudy, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Write every chart in each of the formats, and every table as LaTeX, CSV and Markdown; return the files."""
    for name in formats:
        if name not in FORMS:
            raise InputError(f"charts are written as {', '.join(FORMS)}, not {name!r}{did_you_mean(name, FORMS)}")
    check_outside(study.root, folder)
    measured = study.workspace.tables["measurements"]
    if not measured.count() or not measured.current():
        raise nothing_measured(study)
    figures = report_figures(gather(study))
    # Drawn before anything is written: an extra that is missing leaves no half of the files behind.
    drawn = {
        folder / f"{path}.{name}": Plot(svg).drawn(name) for path, svg in figures.pictures.items() for name in formats
    }
    files = drawn | {folder / path: text.encode() for path, text in figures.tables.items()}
    for path, content in files.items():
        write_atomic(path, content)
    return list(files)
