"""A folder of images: looked at before anything is brought in, so that a wrong one changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.records import FoundImage
from portrayal.study.importing.files import other_files, passed_over
from portrayal.study.importing.images import import_images, unknown_prompts
from portrayal.study.importing.layouts import read_layout
from portrayal.study.run_control import RunControl
from portrayal.study.study import Study

__all__ = ["CheckedFolder", "check_folder", "import_folder"]

_SHOWN = 5
"""Names that a line tells."""
_UNPLACED = "ignored: outside the layout"


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """What a folder holds, how many files its layout has no place for, and what a user should know of it."""

    found: Sequence[FoundImage]
    unplaced: int
    remarks: tuple[str, ...]


def check_folder(
    study: Study, folder: Path, layout: str, manifest: Path | None = None, *, outside: bool = False
) -> CheckedFolder:
    """Return what is to be brought in from a folder in which images lie as ``layout`` has it.

    ``outside`` allows files that a list or a link leads to and that lie elsewhere.
    """
    found = read_layout(layout, folder, manifest, outside=outside)
    unplaced = passed_over(folder, found)
    remarks = []
    if ignored := other_files(found):
        remarks.append(f"ignored, as they are no images: {_some([path.name for path in ignored])}")
    if unplaced:
        names = [str(path.relative_to(folder)) for path in unplaced]
        remarks.append(f"ignored, as the layout {layout} has no place for them: {_some(names)}")
    if unknown := unknown_prompts(study, found):
        remarks.append(f"prompts that the suite does not have: {_some([repr(text) for text in unknown])}")
    return CheckedFolder(found, len(unplaced), tuple(remarks))


def import_folder(study: Study, checked: CheckedFolder, control: RunControl) -> Counter[str]:
    """Bring the images in; return how many of what."""
    return import_images(study, checked.found, control) + Counter({_UNPLACED: checked.unplaced})


def _some(names: Sequence[str]) -> str:
    """Return the first names, each once, and how many more there are."""
    known = list(dict.fromkeys(names))
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more
