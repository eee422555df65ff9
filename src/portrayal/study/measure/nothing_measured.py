"""What is said to whoever needs numbers of a study that has none."""

from __future__ import annotations

import shlex

from portrayal.errors import StudyError
from portrayal.study.study import OpenStudy
from portrayal.terminal import from_here

__all__ = ["nothing_measured"]


def nothing_measured(study: OpenStudy) -> StudyError:
    """Return the error: the study was not measured yet, or it was and no method gave a row."""
    if study.workspace.tables["measurements"].paths():
        return StudyError(f"{study.root}: measured, but no method gave a row; look at what is missing in its report")
    folder = shlex.quote(str(from_here(study.root)))
    return StudyError(
        f"{study.root}: nothing is measured yet; run: portrayal measure {folder} (in Python: study.measure())"
    )
