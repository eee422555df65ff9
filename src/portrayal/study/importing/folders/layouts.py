"""How images lie in folders: who drew which file, for which prompt.

Layouts of other projects are registered. ``manifest`` is a CSV of paths, see its module;
plain folders are read by ``plain_folders``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from portrayal.bundles import BundleRegistry
from portrayal.errors import InputError
from portrayal.records import FoundImage
from portrayal.registry import Entry
from portrayal.study.importing.folders.image_files import ENDINGS, ending, is_read
from portrayal.study.importing.folders.manifest import read_manifest
from portrayal.study.importing.folders.plain_folders import (
    FLAT,
    MODELS,
    NAMES,
    NEEDS,
    PROMPTS,
    TAKES,
    TREE,
    lacking,
    read_folders,
)
from portrayal.study.importing.folders.walk import check_inside, leads_up
from portrayal.study.importing.heic import COMMAND, HEIC_ENDINGS

__all__ = ["LAYOUTS", "MANIFEST", "LayoutReader", "check_folder_there", "read_layout"]

LayoutReader = Callable[[Path], Iterator[FoundImage]]
"""What a registry entry points to: from a folder to its images, in a fixed order; it opens none of them."""

MANIFEST = "manifest"
_FOLDERS: Mapping[str, str] = {
    TREE: "model/prompt/image.png",
    PROMPTS: "prompt/image.png, all of one --model",
    MODELS: "model/image.png, all of one --prompt",
    FLAT: "images of one --model and one --prompt, at any depth",
    NAMES: "images named after their prompts, at any depth, in folders of models or of one --model",
}
_READER = "portrayal.study.importing.folders.plain_folders:read_folders"
LAYOUTS: BundleRegistry[LayoutReader] = BundleRegistry(
    "layout",
    "layouts",
    {
        MANIFEST: Entry("portrayal.study.importing.folders.manifest:read_manifest", "a CSV of paths"),
        **{name: Entry(_READER, summary) for name, summary in _FOLDERS.items()},
    },
)


def read_layout(
    layout: str,
    folder: Path,
    manifest: Path | None = None,
    *,
    outside: bool = False,
    model: str = "",
    prompt: str = "",
) -> list[FoundImage]:
    """Return what ``folder`` holds, in a fixed order; no file is opened yet.

    ``model`` and ``prompt`` hold for all images where the layout does not say them. Files that a list or a link leads
    to and that lie elsewhere are refused, unless ``outside`` allows them: who made the folder could else have any
    picture of this machine copied into the study.
    """
    check_folder_there(folder)
    if manifest is not None and layout != MANIFEST:
        raise InputError(f"--manifest goes with --layout manifest, not with {layout}")
    read = _reader(layout, manifest, model, prompt)
    try:
        files = [file for file in read(folder) if file.listed or not leads_up(file.path.parent)]
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None
    if not files:
        raise InputError(f"{folder}: no files laid out as {layout!r} found here; see: portrayal import --help")
    if not outside:
        check_inside(folder, [file.path for file in files])
    _check_any(folder, files)
    _check_meanings(folder, files)
    return files


def check_folder_there(folder: Path) -> None:
    """Refuse what is no folder."""
    if folder.is_file():
        raise InputError(f"{folder}: a file; --images takes the folder that holds the images (unpack an archive first)")
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; --images takes the folder that holds the images")


def _reader(layout: str, manifest: Path | None, model: str, prompt: str) -> LayoutReader:
    """Return what reads a layout, with what was told once for all images; what is lacking, or too much, is refused."""
    if layout == MANIFEST:
        return partial(read_manifest, manifest=manifest, model=model, prompt=prompt)
    for name, value in (("model", model), ("prompt", prompt)):
        if name in lacking(layout, model, prompt):
            example = "NAME" if name == "model" else "TEXT"
            raise InputError(
                f"the layout {layout!r} ({_FOLDERS[layout]}) needs a {name}: add --{name} {example} (in study.toml and "
                f"in Python: {name})"
            )
        if value and name not in TAKES.get(layout, ()):
            fitting = ", ".join([*(fits for fits, taken in TAKES.items() if name in taken), MANIFEST])
            raise InputError(f"--{name} goes with the layouts {fitting}; in {layout!r} each image has its own")
    if layout in NEEDS:
        return partial(read_folders, layout=layout, model=model, prompt=prompt)
    return LAYOUTS.load(layout)


def _check_any(folder: Path, files: Sequence[FoundImage]) -> None:
    """Refuse a folder that is surely the wrong one; single bad files are recorded later."""
    if not any(is_read(file.path) for file in files):
        if heic := sum(ending(file.path) in HEIC_ENDINGS for file in files):
            raise InputError(f"{folder}: {heic} images here are HEIC, and no other is here; to read them: {COMMAND}")
        known = ", ".join(sorted({ends for endings in ENDINGS.values() for ends in endings}))
        raise InputError(f"{folder}: none of the {len(files)} files here is an image (they end in {known})")
    if not any(os.path.lexists(file.path) for file in files):
        raise InputError(
            f"{folder}: none of the {len(files)} files listed is here, such as {files[0].path}; check --images"
        )


def _check_meanings(folder: Path, files: Sequence[FoundImage]) -> None:
    """Refuse a prompt that means two things: one of them would be forgotten."""
    first: dict[str, FoundImage] = {}
    for file in files:
        other = first.setdefault(file.prompt.id, file)
        for name in ("term", "category", "variant", "language"):
            one, two = getattr(other.prompt, name), getattr(file.prompt, name)
            if one and two and one != two:
                sides = f"{one!r} with {other.path.name} and {two!r} with {file.path.name}"
                said = f"the prompt {file.prompt.text!r} has the {name} {sides}; a prompt has one {name}"
                raise InputError(f"{folder}: {said}")
