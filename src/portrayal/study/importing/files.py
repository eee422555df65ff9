"""Which files of a folder are meant: images, whatever is wrong with them, and not what else lies beside them."""

from __future__ import annotations

import stat
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import UnidentifiedImageError

from portrayal.picturefile import open_picture
from portrayal.records import FoundImage

__all__ = ["ENDINGS", "IMAGE_ENDINGS", "other_files", "passed_over"]

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "PNG": ("png",),
    "JPEG": ("jpg", "jpeg"),
    "MPO": ("jpg", "jpeg"),  # cameras and telephones put several views into one JPEG file
    "WEBP": ("webp",),
    "GIF": ("gif",),
    "BMP": ("bmp",),
    "TIFF": ("tif", "tiff"),
    "AVIF": ("avif",),
}
"""What Pillow calls a format, and how its files end."""
IMAGE_ENDINGS = frozenset(ending for endings in ENDINGS.values() for ending in endings)
_UNREAD_ENDINGS = frozenset({"heic", "heif", "jfif", "jp2", "jxl", "psd", "svg"})
"""Images of formats that are not read: each is a failure, and no file that happens to lie there."""


def other_files(found: Sequence[FoundImage]) -> list[Path]:
    """Return the files that neither by their names nor by their bytes are images, such as ``Thumbs.db`` and notes.

    A file that a list names is always meant. So is what is no file, such as a link to nothing or a pipe.
    """
    return [file.path for file in found if not file.listed and not _is_meant(file.path)]


def passed_over(folder: Path, found: Sequence[FoundImage]) -> list[Path]:
    """Return the files of a folder that its layout has no place for, such as notes beside the folders of prompts.

    Of files that a list names, others are nobody's business; names that begin with a dot are passed over in silence.
    """
    if any(file.listed for file in found):
        return []
    known = {file.path for file in found}
    others = [path for path in folder.rglob("*") if path not in known and not path.is_dir()]
    return sorted(path for path in others if not any(part[0] == "." for part in path.relative_to(folder).parts))


def _is_meant(path: Path) -> bool:
    if path.suffix.lower().lstrip(".") in IMAGE_ENDINGS | _UNREAD_ENDINGS:
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
