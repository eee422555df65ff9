"""A folder of images: looked at before anything is brought in, so that a wrong one changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.records import FoundImage
from portrayal.study.importing.files import passed_over
from portrayal.study.importing.images import import_images
from portrayal.study.importing.layouts import read_layout
from portrayal.study.importing.remarks import folder_remarks
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["CheckedFolder", "check_folder", "import_folder"]

_UNPLACED = "ignored: outside the layout"


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """What a folder holds, how many files its layout has no place for, and what a user should know of it."""

    found: Sequence[FoundImage]
    unplaced: int
    remarks: tuple[str, ...]


def check_folder(
    study: OpenStudy, folder: Path, layout: str, manifest: Path | None = None, *, outside: bool = False
) -> CheckedFolder:
    """Return what is to be brought in from a folder in which images lie as ``layout`` has it.

    ``outside`` allows files that a list or a link leads to and that lie elsewhere.
    """
    found = read_layout(layout, folder, manifest, outside=outside)
    unplaced = passed_over(folder, found)
    return CheckedFolder(found, len(unplaced), tuple(folder_remarks(study, folder, found, layout)))


def import_folder(study: OpenStudy, checked: CheckedFolder, control: RunControl) -> Counter[str]:
    """Bring the images in; return how many of what."""
    return import_images(study, checked.found, control) + Counter({_UNPLACED: checked.unplaced})
