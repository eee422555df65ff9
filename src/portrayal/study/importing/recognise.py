"""Which layout a folder of images has: the one that has a place for most of the files in it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import InputError, PortrayalError
from portrayal.records import FoundImage
from portrayal.study.importing.files import IMAGE_ENDINGS
from portrayal.study.importing.layouts import LAYOUTS, MANIFEST, read_layout
from portrayal.study.importing.manifest import MANIFEST_NAME

__all__ = ["FoundFolder", "recognise"]

_LISTS = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class FoundFolder:
    """A folder of images, how they lie in it, and the list of them where it is not the usual file."""

    folder: Path
    layout: str
    found: Sequence[FoundImage]
    manifest: Path | None = None
    outside: bool = False

    @property
    def images(self) -> int:
        """How many of the files are images by their names, and there."""
        return sum(_is_image(file.path) for file in self.found)

    @property
    def models(self) -> int:
        """Of how many models."""
        return len({file.model for file in self.found})

    @property
    def prompts(self) -> int:
        """Of how many prompts."""
        return len({file.prompt.id for file in self.found})


def recognise(folder: Path, *, outside: bool = False) -> FoundFolder:
    """Return the layout that fits, of those that are registered; a list of the images counts before all others."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; --images takes the folder that holds the images")
    if os.path.lexists(folder / MANIFEST_NAME):  # whatever is wrong with it is to be told
        return FoundFolder(folder, MANIFEST, read_layout(MANIFEST, folder, outside=outside), outside=outside)
    ways: list[tuple[str, Path | None]] = [(layout, None) for layout in LAYOUTS.entries() if layout != MANIFEST]
    ways += [(MANIFEST, path) for path in sorted(folder.iterdir()) if path.suffix.lower() in _LISTS]
    fitting, problems = [], []
    for layout, path in ways:
        try:
            found = read_layout(layout, folder, path, outside=outside)
            fitting.append(FoundFolder(folder, layout, found, path, outside))
        except PortrayalError as error:
            problems.append(f"{layout}: {error}")
    if not fitting:
        raise InputError(_unknown(folder, problems))
    return max(fitting, key=lambda own: own.images)


def _unknown(folder: Path, problems: Sequence[str]) -> str:
    images = sum(_is_image(path) for path in folder.rglob("*"))
    here = "there are no images in it" if not images else f"{images} images lie in it, and no layout fits"
    advice = (
        f"lay them out as MODEL/PROMPT/FILE, or list them in {MANIFEST_NAME} with the columns path, model and prompt"
    )
    return f"{folder}: {here} ({'; '.join(problems)}); {advice}"


def _is_image(path: Path) -> bool:
    return path.suffix.lower().lstrip(".") in IMAGE_ENDINGS and os.path.lexists(path)
