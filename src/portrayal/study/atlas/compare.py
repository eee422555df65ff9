"""Chosen models side by side, as files: a table, bars, and a picture of the three scores at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from portrayal.csvfile import csv_text
from portrayal.reports.atlas_compare import comparison_pictures, comparison_table

__all__ = ["comparison_files"]

_NAME = "compare"


def comparison_files(chosen: Mapping[str, Any], language: str = "en") -> dict[str, str]:
    """Return the files by name, the table as CSV and the pictures as SVG; ``chosen`` is plain data."""
    pictures = {f"{_NAME}-{name}.svg": svg for name, svg in comparison_pictures(chosen, language).items()}
    return {f"{_NAME}.csv": csv_text(*comparison_table(chosen)), **pictures}
