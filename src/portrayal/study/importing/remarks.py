"""What is told about a folder of images before they come in: what is passed over, kept, or not known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from portrayal.records import FoundImage
from portrayal.study.importing.files import other_files, passed_over
from portrayal.study.importing.images import unknown_prompts
from portrayal.study.study import OpenStudy

__all__ = ["folder_remarks", "some"]

_SHOWN = 5
"""Names that a line tells."""


def folder_remarks(study: OpenStudy, folder: Path, found: Sequence[FoundImage], layout: str) -> Iterator[str]:
    """Yield a line for each kind of thing that whoever gave the folder may not expect."""
    if ignored := other_files(found):
        yield f"ignored, as they are no images: {some([path.name for path in ignored])}"
    if outside := passed_over(folder, found):
        names = [str(path.relative_to(folder)) for path in outside]
        yield f"ignored, as the layout {layout} has no place for them: {some(names)}"
    if kept := sorted({name for file in found for name in file.about}):
        yield f"kept with the images, in the table imports: the columns {some(kept)}"
    if unknown := unknown_prompts(study, found):
        yield f"prompts that the suite does not have: {some([repr(text) for text in unknown])}"


def some(names: Sequence[str]) -> str:
    """Return the first names, each once, and how many more there are.

    >>> some(list("abcdefg"))
    'a, b, c, d, e and 2 more'
    """
    known = list(dict.fromkeys(names))
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more
