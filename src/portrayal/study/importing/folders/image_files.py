"""Which files of a folder are meant: images, whatever is wrong with them, and not what else lies beside them."""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import UnidentifiedImageError

from portrayal.picturefile import open_picture
from portrayal.records import FoundImage
from portrayal.study.importing.heic import HEIC_ENDINGS, can_read_heic

__all__ = ["ENDINGS", "IMAGE_ENDINGS", "ending", "is_meant", "is_picture_name", "is_read", "other_files", "passed_over"]

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "PNG": ("png",),
    "JPEG": ("jpg", "jpeg", "jfif", "jpe"),
    "MPO": ("jpg", "jpeg", "jfif", "jpe"),  # cameras and telephones put several views into one JPEG file
    "WEBP": ("webp",),
    "GIF": ("gif",),
    "BMP": ("bmp",),
    "TIFF": ("tif", "tiff"),
    "AVIF": ("avif",),
}
"""What Pillow calls a format, and how its files end."""
IMAGE_ENDINGS = frozenset(ending for endings in ENDINGS.values() for ending in endings)
_RAW_ENDINGS = ("dng", "cr2", "cr3", "nef", "arw", "raf", "orf", "rw2")
_UNREAD_ENDINGS = frozenset({*HEIC_ENDINGS, *_RAW_ENDINGS, "jp2", "j2k", "jxl", "psd", "svg", "tga", "exr"})
"""Images of formats that are not read, HEIC where its package is missing: each is a failure, and no file that happens
to lie there."""


def ending(path: Path) -> str:
    """Return how a file's name ends, small and without the dot."""
    return path.suffix.lower().lstrip(".")


def is_read(path: Path) -> bool:
    """Return whether a file is by its name an image of a format that is read."""
    ends = ending(path)
    return ends in IMAGE_ENDINGS or (ends in HEIC_ENDINGS and can_read_heic())


def is_picture_name(path: Path) -> bool:
    """Return whether a file is by its name an image, of a format that is read or of another."""
    return ending(path) in IMAGE_ENDINGS | _UNREAD_ENDINGS


def other_files(files: Sequence[FoundImage]) -> list[Path]:
    """Return the files that neither by their names nor by their bytes are images, such as ``Thumbs.db`` and notes.

    A file that a list names is always meant. So is what is no file, such as a link to nothing or a pipe.
    """
    return [file.path for file in files if not file.listed and not is_meant(file.path)]


def passed_over(folder: Path, files: Sequence[FoundImage]) -> list[Path]:
    """Return the files of a folder that its layout has no place for, such as notes beside the folders of prompts.

    Where a list names files, these are images that lie beside some of them and are not named; what else lies there is
    nobody's business. Names that begin with a dot are passed over in silence.
    """
    known = {Path(os.path.normpath(file.path)) for file in files}
    if any(file.listed for file in files):
        places = {path.parent for path in known}
        others = [path for place in places if place.is_dir() for path in place.iterdir() if is_picture_name(path)]
    else:
        others = [Path(os.path.normpath(path)) for path in folder.rglob("*")]
    others = [path for path in others if path not in known and not path.is_dir()]
    return sorted(path for path in others if not _is_hidden(path, Path(os.path.normpath(folder))))


def _is_hidden(path: Path, folder: Path) -> bool:
    steps = path.relative_to(folder).parts if path.is_relative_to(folder) else (path.name,)
    return any(step.startswith(".") and step != ".." for step in steps)


def is_meant(path: Path) -> bool:
    """Return whether a file is an image by its name or its bytes, or nothing that could be looked at."""
    if is_picture_name(path):
        return True
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # opening a pipe would wait for ever
            return True
        if not about.st_size:  # or one of the kernel's files, which may never end
            return False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with open_picture(path):
                return True
    except UnidentifiedImageError:
        return False
    except Exception:
        return True  # reading it will say what is wrong
