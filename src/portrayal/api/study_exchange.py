"""What goes out of a study: its tables, and whether its files are whole."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from portrayal.api.progress import show_progress
from portrayal.api.study_imports import StudyImports
from portrayal.study.exporting import export_tables
from portrayal.study.run_control import RunControl, Silent
from portrayal.study.verify import Verified, verify

__all__ = ["StudyExchange"]


class StudyExchange(StudyImports):
    """The part of :class:`portrayal.Study` that deals with others: programs that read its tables, and its files."""

    def export(
        self, folder: str | os.PathLike[str], *, format: str = "csv", tables: str | Sequence[str] = ()
    ) -> list[Path]:
        """Write the study's tables to files for other programs, and return their paths.

        Parameters
        ----------
        folder
            Where to write them, as ``NAME.csv``. Files of these names are replaced.
        format
            ``csv``, ``jsonl`` or ``parquet``.
        tables
            Only these: ``measurements`` and other tables of the study, ``METHOD.NAME`` for a method's own, ``images``
            for what was perceived in each image.
        """
        names = [tables] if isinstance(tables, str) else tables
        return export_tables(self._read(), Path(folder), format, names)

    def verify(self, *, progress: bool = True) -> Verified:
        """Check all tables and images against their checksums; nothing is changed.

        Returns how many files were looked at and, in ``damage``, those that are damaged, each with what to do.
        """
        with show_progress() if progress else nullcontext(Silent()) as shown:
            return verify(self._open(), RunControl(shown))
