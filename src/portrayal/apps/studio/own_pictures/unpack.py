"""Archives of pictures, unpacked where nothing in them can do harm: however they were made, they stay in the folder."""

from __future__ import annotations

import re
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from portrayal.apps.studio.own_pictures.picture_drop import PictureDrop
from portrayal.errors import InputError
from portrayal.language.translation import t

__all__ = ["is_archive", "unpack"]

_BLOCK = 2**20
_MOST_LISTED = 20_000_000
"""Bytes of an archive's list of its files."""
_END, _TAIL = b"PK\5\6", 22 + 65_535
_LARGER, _LARGER_SIZE = b"PK\6\7", 20
"""Stands before the end of an archive whose list, or a file in it, is too large for the format's first version."""
_ENCRYPTED = 1
_KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Ways to pack that nearly all programs use; others unpack to far more, or take as much memory as they say."""
_UNPACKED, _TIMES = 200_000_000, 100
"""Bytes that an archive may unpack to, and so many more for each of its own: pictures can hardly be packed."""


def is_archive(name: str) -> bool:
    """Return whether a file is by its name an archive that is unpacked."""
    return name.lower().endswith(".zip")


def unpack(archive: Path, name: str, drop: PictureDrop) -> None:
    """Put the pictures of an archive into the drop; ``name`` is what whoever sent it calls it.

    A folder in it that is called like the archive, as some systems make one, is not a part of the paths. Links,
    encrypted files, archives in the archive and what is packed in rare ways are passed over.
    """
    try:
        _check_size(archive)
        with zipfile.ZipFile(archive) as opened:
            infos = [info for info in opened.infolist() if not info.is_dir()]
            if sum(info.file_size for info in infos) > _UNPACKED + _TIMES * archive.stat().st_size:
                raise zipfile.BadZipFile
            around = _around(infos, Path(name).stem)
            for info in infos:
                parts = drop.wants(info.filename.removeprefix(around))
                if parts is not None and _is_plain(info):
                    _copy(opened, info, drop, parts)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError):
        raise InputError(t("{name} cannot be unpacked. Unpack it, and send the folder.", name=name)) from None


def _check_size(archive: Path) -> None:
    """Refuse an archive whose list of files would fill the memory when it is read."""
    with archive.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(size - _TAIL, 0))
        tail = file.read(_TAIL)
    # Each place that could be the end counts: which of them is taken for it, programs do not agree.
    places = [found.start() for found in re.finditer(re.escape(_END), tail)]
    if not places or any(_lists_much(tail, place) for place in places):
        raise zipfile.BadZipFile


def _lists_much(tail: bytes, place: int) -> bool:
    if len(tail) < place + 16 or tail[max(place - _LARGER_SIZE, 0) : place].startswith(_LARGER):
        return True
    (listed,) = struct.unpack_from("<I", tail, place + 12)
    return bool(listed > _MOST_LISTED)


def _around(infos: list[zipfile.ZipInfo], stem: str) -> str:
    """Return the folder around all files, if the archive is called after it."""
    around = f"{stem}/"
    names = [info.filename for info in infos if not info.filename.startswith("__MACOSX/")]
    return around if names and all(name.startswith(around) for name in names) else ""


def _is_plain(info: zipfile.ZipInfo) -> bool:
    kind = stat.S_IFMT(info.external_attr >> 16)
    return kind in (0, stat.S_IFREG) and info.compress_type in _KINDS and not info.flag_bits & _ENCRYPTED


def _copy(opened: zipfile.ZipFile, info: zipfile.ZipInfo, drop: PictureDrop, parts: tuple[str, ...]) -> None:
    with opened.open(info) as source, drop.writing(parts) as file:
        while data := source.read(_BLOCK):  # no more is unpacked than is counted
            file.write(data)
