"""What is told about a folder of images before they come in: what is passed over, kept, or not known."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from portrayal.records import FoundImage
from portrayal.study.importing.folders.file_names import by_words, counts, named_file
from portrayal.study.importing.folders.folder_names import can_be_model
from portrayal.study.importing.folders.image_files import ending, is_picture_name, is_read, other_files, passed_over
from portrayal.study.importing.folders.manifest import MANIFEST_NAME
from portrayal.study.importing.folders.plain_folders import NAMES, NEEDS, TREE
from portrayal.study.importing.folders.walk import plain_name
from portrayal.study.importing.heic import COMMAND, HEIC_ENDINGS
from portrayal.study.importing.import_images import unknown_prompts
from portrayal.study.importing.import_rows import known_prompts, match_prompt
from portrayal.study.study import OpenStudy

__all__ = ["folder_remarks", "numbers_remarks", "some", "unread_remarks", "unused_remarks"]

_SHOWN = 5
"""Names that a line tells."""


def folder_remarks(study: OpenStudy, folder: Path, files: Sequence[FoundImage], layout: str) -> Iterator[str]:
    """Yield a line for each kind of thing that whoever gave the folder may not expect."""
    if ignored := other_files(files):
        yield f"ignored, as they are no images: {some([path.name for path in ignored])}"
    yield from unread_remarks(folder, files, layout)
    if outside := [path for path in passed_over(folder, files) if not is_picture_name(path)]:
        yield f"ignored, as the layout {layout} has no place for them: {some(_from(folder, outside))}"
    if kept := sorted({name for file in files for name in file.about}):
        yield f"kept with the images, in the table imports: the columns {some(kept)}"
    yield from unused_remarks(folder, files, layout)
    yield from numbers_remarks(folder, files, layout)
    yield from _merged_folders(files, layout)
    yield from _merged_prompts(study, files)
    if unknown := unknown_prompts(study, files):
        yield f"prompts that the suite does not have: {some([repr(text) for text in unknown])}"


def _merged_folders(files: Sequence[FoundImage], layout: str) -> Iterator[str]:
    """Yield which folders of one model a layout takes for the same prompt."""
    folders: dict[tuple[str, str], list[str]] = defaultdict(list)
    for file in files:
        if layout not in NEEDS and not file.listed:
            folders[file.model, file.prompt.text].append(plain_name(file.path.parent.name))
    for (_, text), names in folders.items():
        if len(set(names)) > 1:
            shown = some([repr(name) for name in names])
            yield f"counted as one prompt, {text!r}: the folders {shown}; to keep them apart: layout {TREE}"


def unused_remarks(folder: Path, files: Sequence[FoundImage], layout: str) -> Iterator[str]:
    """Yield which folders a plain layout takes nothing from, but for days and numbers: their images are merged."""
    names: list[str] = []
    for file in files:
        if layout in NEEDS and is_picture_name(file.path) and file.path.is_relative_to(folder):
            steps = map(plain_name, file.path.relative_to(folder).parts[:-1])
            names += [name for name in steps if can_be_model(name) and name not in (file.model, file.prompt.text)]
    if names:
        shown = some([repr(name) for name in sorted(set(names))])
        yield f"not kept apart, as the layout {layout} takes nothing from their names: images in the folders {shown}"


def numbers_remarks(_: Path, files: Sequence[FoundImage], layout: str) -> Iterator[str]:
    """Yield which numbers at the ends of files' names were taken for counters, and which for parts of prompts."""
    if layout != NAMES:
        return
    counted, kept = [], []
    for text, group in by_words(named_file(file.path.stem) for file in files).items():
        numbers = sorted({file.number for file in group if file.number is not None})
        if len(numbers) > 1 and counts(group):
            counted.append(f"{text!r} ({numbers[0]} to {numbers[-1]})")
        elif numbers and not counts(group):
            kept += [repr(f"{text} {number}") for number in numbers]
    if counted:
        yield f"taken for counters, not for a part of the prompt: numbers at the end of names, as of {some(counted)}"
    if kept:
        yield (
            f"taken for a part of the prompt, as they do not count up: the numbers at the end of {some(kept)}; if "
            f"these are counters or seeds, list the files in {MANIFEST_NAME}"
        )


def _merged_prompts(study: OpenStudy, files: Sequence[FoundImage]) -> Iterator[str]:
    """Yield which prompts of the images are the same prompt of the suite."""
    known, texts = known_prompts(study), dict[str, list[str]]()
    for text in dict.fromkeys(file.prompt.text for file in files):
        if (prompt := match_prompt(known, text)) is not None:
            texts.setdefault(prompt.text, []).append(text)
    for meant, others in texts.items():
        if len(others) > 1:
            shown = some([repr(text) for text in others])
            yield f"counted as one prompt of the suite, {meant!r}: {shown}, which differ only after a comma or in case"


def unread_remarks(folder: Path, files: Sequence[FoundImage], layout: str) -> Iterator[str]:
    """Yield a line about images that are not read: of formats that are not, or where the layout has no place."""
    if unread := [file.path for file in files if is_picture_name(file.path) and not is_read(file.path)]:
        heic = any(ending(path) in HEIC_ENDINGS for path in unread)
        remedy = f"; to read HEIC: {COMMAND}" if heic else ""
        yield f"not read: {_counted(unread)}, which count as missing: {some(_from(folder, unread))}{remedy}"
    if outside := [path for path in passed_over(folder, files) if is_picture_name(path)]:
        listed = any(file.listed for file in files)
        why = "the list does not name them" if listed else f"the layout {layout} has no place for them"
        yield f"not read, as {why}: {_counted(outside)}: {some(_from(folder, outside))}"


def _counted(paths: Sequence[Path]) -> str:
    """Return how many images there are, by their endings.

    >>> _counted([Path("a.HEIC"), Path("b.heic"), Path("c.png")])
    '3 images (2 .heic, 1 .png)'
    """
    kinds = ", ".join(f"{number:,} .{name}" for name, number in Counter(map(ending, paths)).most_common())
    return f"{len(paths):,} image{'' if len(paths) == 1 else 's'} ({kinds})"


def _from(folder: Path, paths: Sequence[Path]) -> list[str]:
    return [str(path.relative_to(folder)) if path.is_relative_to(folder) else str(path) for path in paths]


def some(names: Sequence[str]) -> str:
    """Return the first names, each once, and how many more there are.

    >>> some(list("abcdefg"))
    'a, b, c, d, e and 2 more'
    """
    known = list(dict.fromkeys(names))
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return ", ".join(known[:_SHOWN]) + more
