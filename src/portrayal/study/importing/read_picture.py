"""A picture that somebody brings, read and decoded; what is wrong with it is the outcome."""

from __future__ import annotations

import errno
import stat
import warnings
from pathlib import Path

from PIL import Image

from portrayal.errors import InputError, StorageError
from portrayal.inputfile import read_bytes, sha256
from portrayal.picturefile import TooLargeError, open_picture, seen_size
from portrayal.records import Failed, Made, plain_text
from portrayal.study.importing.folders.image_files import ENDINGS, IMAGE_ENDINGS, ending, is_picture_name, is_read
from portrayal.study.importing.heic import COMMAND, HEIC_ENDINGS, can_read_heic, holds_heic, png_of_heic

__all__ = ["UNREAD", "file_content", "read_picture"]

MOST_BYTES = 200_000_000
UNREAD = "unread_format"
"""The reason of an image whose format is not read."""
_DISK = (errno.EIO, errno.ESTALE, errno.ETIMEDOUT)
"""Errors of a disk that may give the file the next time: they say nothing about the picture."""


def file_content(path: Path) -> str:
    """Return the digest of a file, or its name when there is nothing to digest."""
    try:
        if path.stat().st_size <= MOST_BYTES:
            return sha256(path)
    except (InputError, OSError, ValueError) as error:
        _check_disk(path, error)  # of all else reading it will say what is wrong
    return plain_text(str(path.absolute()))


def read_picture(job: str, path: Path) -> Made | Failed:
    """Return the picture in a file as the answer to a job, or why there is none."""
    name = plain_text(str(path))
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            return Failed(job, "missing_file", f"{name}: not a file")
        if about.st_size > MOST_BYTES:
            return Failed(job, "file_too_large", f"{name}: over {MOST_BYTES // 1_000_000} MB")
        data = read_bytes(path, MOST_BYTES)
    except InputError as error:
        _check_disk(path, error)
        return Failed(job, "missing_file", plain_text(str(error)))
    except OSError as error:
        _check_disk(path, error)
        return Failed(job, "missing_file", f"{name}: {error.strerror}")
    except ValueError as error:
        return Failed(job, "missing_file", f"{name}: no file can have that name: {error}")
    return _decode(job, name, data)


def _check_disk(path: Path, error: Exception) -> None:
    """Raise an error when it was the disk that failed: else the picture would count as missing, and for ever."""
    cause = error if isinstance(error, OSError) else error.__context__
    if isinstance(cause, OSError) and cause.errno in _DISK:
        raise StorageError(
            f"{path}: the disk does not give this file: {cause.strerror}; run again, or take the file out of the folder"
        ) from None


def _decode(job: str, name: str, data: bytes) -> Made | Failed:
    ends = ending(Path(name))
    if ends in HEIC_ENDINGS and not can_read_heic():
        return Failed(job, UNREAD, f"{name}: HEIC is read once pillow-heif is here: {COMMAND}")
    if not is_read(Path(name)):
        reason = UNREAD if is_picture_name(Path(name)) else "not_an_image"
        return Failed(job, reason, f"{name}: images end in {', '.join(sorted(IMAGE_ENDINGS))}")
    if ends != "avif" and holds_heic(data) and ends not in HEIC_ENDINGS:
        return Failed(job, "wrong_extension", f"{name}: the file holds HEIC; rename it")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # damaged files make decoders warn; what matters is recorded below
            if ends in HEIC_ENDINGS and holds_heic(data):
                picture, width, height = png_of_heic(data)
                return Made(job, picture, "png", width, height, versions="imported")
            return _opened(job, name, data)
    except TooLargeError as error:
        return Failed(job, "decompression_bomb", f"{name}: {error}")
    except Image.DecompressionBombError:
        return Failed(job, "decompression_bomb", name)
    except Exception as error:  # decoders answer damaged files with whatever went wrong inside them
        reason = "truncated_image" if "truncated" in str(error).lower() else "unreadable_image"
        return Failed(job, reason, f"{name}: {type(error).__name__}")


def _opened(job: str, name: str, data: bytes) -> Made | Failed:
    with open_picture(data) as picture:
        kind = picture.format or ""
        if ending(Path(name)) not in ENDINGS.get(kind, ()):
            return Failed(job, "wrong_extension", f"{name}: the file holds {kind}; rename it")
        picture.load()
        return Made(job, data, ENDINGS[kind][0], *seen_size(picture), versions="imported")
