"""What pictures are called in an image store: ``ab/<sha256>.<ext>``, after their bytes."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from portrayal.errors import DamagedError
from portrayal.picturefile import ImageFile

__all__ = ["check_image", "damaged", "image_name", "promised"]

_ENDING = re.compile(r"[A-Za-z0-9]{0,8}")
_NAME = re.compile(r"[0-9a-f]{64}")


def image_name(where: str, image: str, ext: str) -> str:
    """Return what a picture is called in the store at ``where``; names come from tables, perhaps somebody else's.

    Raises
    ------
    DamagedError
        It is no name of a picture, and could lead anywhere.
    """
    if not (_NAME.fullmatch(image) and _ENDING.fullmatch(ext)):
        shown = f"{image[:80]}.{ext[:20]}"
        raise DamagedError(
            f"{where}: the tables name an image {shown!r}, and no image is called so; "
            "'portrayal verify' on the study says what to do"
        )
    return f"{image[:2]}/{image}.{ext}"


def promised(file: ImageFile) -> str:
    """Return the SHA-256 that a file of an image store must have, nothing for any other file."""
    name = file.stem
    if not _NAME.fullmatch(name):
        return ""
    # Only stores give out files that are no paths.
    return name if not isinstance(file, Path) or file.parent.name == name[:2] else ""


def check_image(file: ImageFile, data: bytes | bytearray) -> None:
    """Raise an error when a file of an image store holds other bytes than its name promises."""
    name = promised(file)
    if name and hashlib.sha256(data).hexdigest() != name:
        raise damaged(f"{file}: the image is damaged: its bytes are not those that were stored")


def damaged(what: str) -> DamagedError:
    """Return the error about a picture that is not what was stored."""
    return DamagedError(f"{what}; put a copy back, or delete it: then it counts as missing")
