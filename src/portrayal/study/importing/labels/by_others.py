"""What others saw in a study's images: a sheet goes out to people, and labels and results come back in.

Both doors, commands and Python, use these; each says what is remarked in its own way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from portrayal.study.importing.labels.import_labels import check_labels, import_labels
from portrayal.study.importing.labels.imported_annotator import add_annotator, imported_annotator, labelling_annotator
from portrayal.study.importing.labels.label_sheet import Sample, write_sheet
from portrayal.study.importing.results import RESULTS, check_results, import_results
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["Remark", "Work", "checked_labels", "checked_results", "write_label_sheet"]

Remark = Callable[[str], None]
Work = Callable[[RunControl], Counter[str]]
"""What is left to do when all that was given is checked, under the study's lock."""


def write_label_sheet(study: OpenStudy, path: Path, annotator: str, sample: Sample, remark: Remark) -> int:
    """Write a sheet for people to fill in, and return how many images it asks about; see that they can be imported."""
    labels = labelling_annotator(study, annotator)
    count, worth = write_sheet(study, path, labels, sample)
    if worth:
        remark(f"label these {count} next: {worth}")
    if added := add_annotator(study, labels):
        remark(added)
    return count


def checked_labels(study: OpenStudy, path: Path, annotator: str, remark: Remark) -> Work:
    """Read a sheet to its end, and return what imports it."""
    labels = labelling_annotator(study, annotator)
    checked = check_labels(study, path, labels)
    if added := add_annotator(study, labels):
        remark(added)
    return lambda _: import_labels(study, checked)


def checked_results(study: OpenStudy, reader: str, path: Path, model: str, annotator: str) -> Work:
    """Read a file of results to its end, and return what imports it."""
    RESULTS.load(reader)  # says what was meant, before anything else is looked at
    checked = check_results(study, reader, path, model, imported_annotator(study, annotator))
    return lambda control: import_results(study, checked, control)
