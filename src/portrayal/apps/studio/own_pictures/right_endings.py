"""Names of pictures put right: browsers and services save pictures under endings that are not those of their format."""

from __future__ import annotations

import contextlib
import warnings
from pathlib import Path

from portrayal.picturefile import open_picture
from portrayal.study.importing.folders.image_files import ENDINGS, ending, is_picture_name

__all__ = ["put_endings_right"]


def put_endings_right(folder: Path) -> int:
    """Give each picture the ending of its format, and return how many had another.

    Where a list names pictures, names stay: it would not find them. A file that is no picture stays as it is, and is
    said to be none when it comes in.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    if not all(map(is_picture_name, files)):
        return 0
    return sum(_put_right(path) for path in files)


def _put_right(path: Path) -> bool:
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with open_picture(path) as picture:
            right = ENDINGS.get(picture.format or "", ())
        if right and ending(path) not in right:
            renamed = path.with_suffix(f".{right[0]}")
            if not renamed.exists():
                path.rename(renamed)
                return True
    return False
