"""A report of what was chosen: numbers of other attributes stay in the tables, and the page says so."""

from __future__ import annotations

from dataclasses import replace

from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.text.words import known
from portrayal.study.config import ReportConfig
from portrayal.study.report_choice import GALLERY

__all__ = ["as_chosen", "shows_pictures"]


def shows_pictures(config: ReportConfig) -> bool:
    """Return whether the page has a gallery: rows and sentences lead to pictures in it."""
    return not config.sections or GALLERY in config.sections


def as_chosen(data: ReportData, config: ReportConfig) -> ReportData:
    """Return what the page shows of chosen attributes; numbers that are about no attribute are shown too."""
    if not config.attributes:
        return replace(data, sections=config.sections)
    unchosen = [name for name in data.attributes if name not in config.attributes]
    measured = {_attribute(row) for row in data.measurements if known(row.value) is not None}
    return replace(
        data,
        measurements=[row for row in data.measurements if _attribute(row) not in unchosen],
        chosen=config.attributes,
        left_out=[name for name in unchosen if name in measured],
        sections=config.sections,
    )


def _attribute(row: Measurement) -> str:
    """Return the attribute of a row; of two people in a picture each has one."""
    return row.attribute.rpartition(".")[2]
