"""A folder of images: looked at before anything is brought in, so that a wrong one changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.records import FoundImage
from portrayal.study.importing.folders.image_files import passed_over
from portrayal.study.importing.folders.recognise import FoundFolder
from portrayal.study.importing.import_images import import_images
from portrayal.study.importing.remarks import folder_remarks
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["CheckedFolder", "check_folder", "import_folder"]

_UNPLACED = "ignored: outside the layout"


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """What a folder holds, how many files its layout has no place for, and what a user should know of it."""

    files: Sequence[FoundImage]
    unplaced: int
    remarks: tuple[str, ...]


def check_folder(study: OpenStudy, images: FoundFolder) -> CheckedFolder:
    """Return what is to be brought in from a folder, and what to say of it."""
    unplaced = [] if images.is_listed else passed_over(images.folder, images.files)
    remarks = folder_remarks(study, images.folder, images.files, images.layout)
    return CheckedFolder(images.files, len(unplaced), tuple(remarks))


def import_folder(study: OpenStudy, checked: CheckedFolder, control: RunControl) -> Counter[str]:
    """Bring the images in; return how many of what."""
    return import_images(study, checked.files, control) + Counter({_UNPLACED: checked.unplaced})
