"""Which layout a folder of images has: the one that has a place for most of the files in it.

Folders that do not say who drew their images, or by which prompt, need an answer to that; what is lacking is said.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import InputError, PortrayalError
from portrayal.records import FoundImage
from portrayal.study.importing.folders.folder_names import can_be_model, can_be_prompt, counts_up, meaningful
from portrayal.study.importing.folders.image_files import is_picture_name
from portrayal.study.importing.folders.layouts import LAYOUTS, MANIFEST, check_folder_there, read_layout
from portrayal.study.importing.folders.manifest import MANIFEST_NAME
from portrayal.study.importing.folders.plain_folders import FLAT, MODELS, NEEDS, PROMPTS, TREE
from portrayal.study.importing.folders.shape import FolderShape, no_images, shape_of
from portrayal.study.importing.folders.walk import check_inside, files_below, leads_up, plain_name

__all__ = ["FoundFolder", "GivenFolder", "UnnamedError", "recognise"]

_LISTS = (".csv", ".tsv")
_SHOWN = 2


class UnnamedError(InputError):
    """A folder that does not say who drew its images, or by which prompt.

    ``shape`` is how they lie in it; None where a list of them says all but the model.
    """

    def __init__(self, message: str, shape: FolderShape | None = None) -> None:
        super().__init__(message)
        self.shape = shape


@dataclass(frozen=True, slots=True)
class FoundFolder:
    """A folder of images, how they lie in it, and the list of them where it is not the usual file.

    ``model`` and ``prompt`` are what was told of all images.
    """

    folder: Path
    layout: str
    files: Sequence[FoundImage]
    manifest: Path | None = None
    outside: bool = False
    model: str = ""
    prompt: str = ""

    @property
    def images(self) -> int:
        """How many of the files are images by their names, and there."""
        return len(self._images())

    @property
    def models(self) -> list[str]:
        """Whose images they are."""
        return list(dict.fromkeys(file.model for file in self._images()))

    @property
    def prompts(self) -> list[str]:
        """What they were asked with."""
        return list(dict.fromkeys(file.prompt.text for file in self._images()))

    @property
    def is_listed(self) -> bool:
        """Whether a file of the folder names the images."""
        return any(file.listed for file in self.files)

    def _images(self) -> list[FoundImage]:
        return [file for file in self.files if is_picture_name(file.path) and os.path.lexists(file.path)]


@dataclass(frozen=True, slots=True)
class GivenFolder:
    """What is said of a folder of images; an empty ``layout`` is to be found out."""

    images: Path
    layout: str = ""
    manifest: Path | None = None
    outside: bool = False
    model: str = ""
    prompt: str = ""

    def read(self) -> FoundFolder:
        """Look at the folder; no image is opened."""
        if not self.layout and self.manifest is None:
            return recognise(self.images, outside=self.outside, model=self.model, prompt=self.prompt)
        layout = self.layout or MANIFEST
        files = read_layout(
            layout, self.images, self.manifest, outside=self.outside, model=self.model, prompt=self.prompt
        )
        return FoundFolder(
            self.images,
            layout,
            files,
            manifest=self.manifest,
            outside=self.outside,
            model=self.model,
            prompt=self.prompt,
        )


def recognise(folder: Path, *, outside: bool = False, model: str = "", prompt: str = "") -> FoundFolder:
    """Return the layout that fits, of those that are registered; a list of the images counts before all others.

    Raises
    ------
    UnnamedError
        When the images lie in plain folders, and a model or a prompt must be told.
    """
    check_folder_there(folder)
    if os.path.lexists(folder / MANIFEST_NAME):  # whatever is wrong with it is to be told
        files = read_layout(MANIFEST, folder, outside=outside, model=model, prompt=prompt)
        return FoundFolder(folder, MANIFEST, files, manifest=None, outside=outside, model=model, prompt=prompt)
    fitting, problems = [], []
    for layout, path in _ways(folder, model, prompt):
        try:
            files = read_layout(layout, folder, path, outside=outside, model=model, prompt=prompt)
            one = FoundFolder(folder, layout, files, manifest=path, outside=outside, model=model, prompt=prompt)
            if one.is_listed or _means_something(one):
                fitting.append(one)
        except PortrayalError as error:
            if path:
                problems.append(str(error))
    shape = shape_of(folder)
    best = max(fitting, key=lambda one: one.images, default=None)
    if best is not None and (best.is_listed or best.images >= max(1, shape.direct, shape.in_folders)):
        _refuse_names(best)
        return best
    if not model and (path := _list_without_models(folder, prompt, outside=outside)):
        raise UnnamedError(f"{path}: lists the images, and nothing says which model drew them; add --model NAME")
    if not outside:
        _check_links(folder)
    raise _lacking(folder, shape, problems, model, prompt)


def _check_links(folder: Path) -> None:
    """Refuse links out of a folder that no layout fits: they may be why, and what to tell of it comes after that."""
    check_inside(folder, [path for path in files_below(folder) if not leads_up(path.parent)])


def _refuse_names(best: FoundFolder) -> None:
    """Refuse to merge what a tree names itself, because a model or a prompt was told that the images do not need."""
    told, outer = ("model", "models") if best.layout == PROMPTS else ("prompt", "prompts")
    inner = [names for file in best.files if (names := _two_names(best, file))]
    if best.layout not in (PROMPTS, MODELS) or 2 * len(inner) <= best.images:
        return
    shown = ", ".join(dict.fromkeys(repr("/".join(names)) for names in inner[:_SHOWN]))
    which = "outer" if best.layout == PROMPTS else "inner"
    other = "the outer folders are prompts and " if best.layout == PROMPTS else ""
    raise InputError(
        f"{best.folder}: images lie as model/prompt/image ({shown}), so the folder names {outer} itself, the {which} "
        f"ones; leave --{told} out, or add --layout {best.layout} if {other}the inner folders mean nothing"
    )


def _two_names(best: FoundFolder, file: FoundImage) -> Sequence[str] | None:
    """Return the two folders of an image that a tree would take for its model and its prompt."""
    if not is_picture_name(file.path) or file.listed:
        return None
    names = meaningful([plain_name(step) for step in file.path.relative_to(best.folder).parts[:-1]], 2)
    return names if names and can_be_prompt(names[1]) and not any(map(counts_up, names)) else None


def _list_without_models(folder: Path, prompt: str, *, outside: bool) -> Path | None:
    """Return the list that could be used if only the model were told."""
    for layout, path in _ways(folder, "any", prompt):
        if path:
            with contextlib.suppress(PortrayalError):
                read_layout(layout, folder, path, outside=outside, model="any", prompt=prompt)
                return path
    return None


def _ways(folder: Path, model: str, prompt: str) -> Iterator[tuple[str, Path | None]]:
    """Yield the layouts that could be meant, and the list of each; what is told of all images excludes some."""
    if model and prompt:
        yield FLAT, None
    elif model:
        yield PROMPTS, None
    elif prompt:
        yield MODELS, None
    else:
        yield TREE, None
        yield from ((layout, None) for layout in LAYOUTS.entries() if layout != MANIFEST and layout not in NEEDS)
    yield from ((MANIFEST, path) for path in sorted(folder.iterdir()) if path.suffix.lower() in _LISTS)


def _means_something(one: FoundFolder) -> bool:
    """Return whether folders are named after prompts and models, and not after days or by numbers."""
    models = [] if one.model else one.models
    prompts = [] if one.prompt else one.prompts
    return all(map(can_be_model, models)) and all(map(can_be_prompt, prompts))


def _lacking(folder: Path, shape: FolderShape, lists: Sequence[str], model: str, prompt: str) -> InputError:
    """Return the error that says what to tell, or that there are no images."""
    if not shape.readable:
        return InputError(no_images(folder, shape))
    said = f"{folder}: {shape.words(model, prompt)}; add {shape.advice(model, prompt)}"
    return UnnamedError(f"{said} (a list of them cannot be used: {lists[0]})" if lists else said, shape)
