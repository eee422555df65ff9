"""Which files of a study go into an archive: what others need to check it, to report it and to go on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from portrayal.errors import StudyError
from portrayal.store.files import TEMPORARY, storage_errors
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.own_files import check_own
from portrayal.study.config import CONFIG_NAME
from portrayal.study.study import OpenStudy
from portrayal.tomlfile import texts_in

__all__ = ["members", "named_elsewhere"]

_KEPT = ("tables", "images")
"""Not ``report``, which is made again, and not ``arena``, where raters' votes wait to be exported."""
_PARTS = {"suite", "imports", "generators", "annotators", "methods"}
_LONGEST = 4096


def members(study: OpenStudy) -> list[str]:
    """Return the paths of the files in a study, those that study.toml names included, in their order."""
    root = study.root
    if not isinstance(study.workspace.images, ImageFolder):
        raise StudyError(f"{root}: its images are not in its folder, so one file cannot hold them; copy them there")
    paths = {CONFIG_NAME}
    for name in _KEPT:
        paths.update(_within(root, root / name))
    for place in _named(study):
        if _inside(place, root):
            paths.update(_within(root, place) if place.is_dir() else [_relative(place, root)])
    return sorted(paths)


def named_elsewhere(study: OpenStudy) -> list[str]:
    """Return the names of files and folders in study.toml that are not in the study's folder, and exist here."""
    root = study.root
    return sorted({os.path.relpath(place, root) for place in _named(study) if not _inside(place, root)})


def _named(study: OpenStudy) -> Iterator[Path]:
    """Yield what texts in study.toml name, where something is there."""
    for text in texts_in(study.config.model_dump(mode="json", include=_PARTS)):
        if text and len(text) <= _LONGEST and text.isprintable() and "://" not in text and text.strip("./\\"):
            place = study.root / os.path.expanduser(text)  # noqa: PTH111 - that of Path breaks on a user who is not there
            if os.path.exists(place) and place.resolve() != study.root.resolve():  # noqa: PTH110 - and on a long name
                yield place


def _inside(place: Path, root: Path) -> bool:
    """Return whether a place is the study's own; what is hidden stays at home."""
    there, top = place.resolve(), root.resolve()
    return there.is_relative_to(top) and not any(part.startswith(".") for part in there.relative_to(top).parts)


def _relative(place: Path, root: Path) -> str:
    return place.resolve().relative_to(root.resolve()).as_posix()


def _within(root: Path, folder: Path) -> Iterator[str]:
    with storage_errors(folder):
        for place, folders, files in os.walk(folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in (*folders, *files):
                check_own(Path(place, name))
            yield from (_relative(Path(place, name), root) for name in files if not name.startswith((TEMPORARY, ".")))
