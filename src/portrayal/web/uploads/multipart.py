"""A form with files, ``multipart/form-data`` as browsers send it: part after part, as the bytes come."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

from starlette.exceptions import HTTPException

__all__ = ["FormPart", "MultipartForm", "boundary_of"]

MOST_HEAD_BYTES = 8 * 1024
"""Of what a part says about itself; a path in a folder that was dropped is in it."""
_KIND = re.compile(r'multipart/form-data;\s*boundary="?([0-9A-Za-z\'()+_,./:=?-]{1,70})"?\s*', re.ASCII | re.IGNORECASE)
_ABOUT = re.compile(r'form-data;\s*name="([^"]*)"(?:;\s*filename="([^"]*)")?', re.IGNORECASE)
_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class FormPart:
    """A field or a file. ``file`` is the name of a file as the browser says it, None of a field."""

    name: str
    file: str | None
    content: AsyncIterator[bytes]


def boundary_of(content_type: str) -> bytes | None:
    """Return what parts the parts of a form with files; None: it is no such form."""
    found = _KIND.fullmatch(content_type)
    return found[1].encode() if found else None


class MultipartForm:
    """Reads a body once, from its beginning to its end; 400 where it is not what a browser sends."""

    def __init__(self, body: AsyncIterator[bytes], boundary: bytes) -> None:
        self._body = body
        self._line = b"\r\n--" + boundary
        self._read = b"\r\n"  # so that the first part begins like all others
        self._ended = False

    async def parts(self) -> AsyncIterator[FormPart]:
        """Yield part after part; what of its content was not read is passed over."""
        async for _ in self._until(self._line):
            raise _unreadable()
        while not await self._is_last():
            name, file = _about(await self._head())
            content = self._until(self._line)
            yield FormPart(name, file, content)
            async for _ in content:
                pass

    async def _is_last(self) -> bool:
        while len(self._read) < 2:
            await self._more()
        mark, self._read = self._read[:2], self._read[2:]
        if mark not in (b"--", b"\r\n"):
            raise _unreadable()
        return mark == b"--"

    async def _head(self) -> bytes:
        while (end := self._read.find(_END)) < 0:
            if len(self._read) > MOST_HEAD_BYTES:
                raise _unreadable()
            await self._more()
        head, self._read = self._read[:end], self._read[end + len(_END) :]
        return head

    async def _until(self, mark: bytes) -> AsyncIterator[bytes]:
        """Yield what comes before a mark, and leave what comes after it."""
        while (end := self._read.find(mark)) < 0:
            sure = len(self._read) - len(mark) + 1
            if sure > 0:
                piece, self._read = self._read[:sure], self._read[sure:]
                yield piece
            await self._more()
        piece, self._read = self._read[:end], self._read[end + len(mark) :]
        if piece:
            yield piece

    async def _more(self) -> None:
        piece = await anext(self._body, None)
        if piece is None:
            raise _unreadable()
        self._read += piece


def _about(head: bytes) -> tuple[str, str | None]:
    """Return the name of a part and of its file."""
    try:
        lines = head.decode("utf-8").split("\r\n")
    except UnicodeDecodeError:
        raise _unreadable() from None
    said = [value.strip() for line in lines for key, _, value in [line.partition(":")] if _says(key)]
    found = _ABOUT.fullmatch(said[0]) if len(said) == 1 else None
    if found is None or "\0" in said[0]:
        raise _unreadable()
    # What browsers cannot write there as it is.
    plain = [None if text is None else _plain(text) for text in found.groups()]
    return plain[0] or "", plain[1]


def _says(key: str) -> bool:
    return key.strip().lower() == "content-disposition"


def _plain(text: str) -> str:
    return text.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")


def _unreadable() -> HTTPException:
    return HTTPException(400, "The form cannot be read.", {"Connection": "close"})
