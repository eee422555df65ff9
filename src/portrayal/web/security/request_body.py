"""What a request may send: one small form, soon; or, where files are asked for, many bytes that keep coming."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from portrayal.web.uploads.multipart import boundary_of

__all__ = ["MOST_BYTES", "MOST_FIELDS", "MOST_SECONDS", "BodyLimits", "Refuse", "read_form"]

Refuse = Callable[[Scope, int, str], Response]
"""Makes the answer to a refused request from its status and the reason in words."""

MOST_BYTES = 16 * 1024
MOST_FIELDS = 64
MOST_SECONDS = 10.0
FORM = "application/x-www-form-urlencoded"

_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})


class _Refused(Exception):  # noqa: N818 - an answer, not a failure
    """A request that gets an answer without reaching the application."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class BodyLimits:
    """ASGI middleware that reads a request's body, which must be a small form, before the application sees it.

    413 for a body over ``most_bytes``, whether or not it says its length; 408 when it is not there in ``seconds``; 415
    for anything but an URL-encoded form. The connection is closed then: what else comes over it is not wanted.
    ``refuse`` makes the answers; without it they are plain text. Addresses in ``uploads`` take a form with files, of as
    many bytes as they say, and read it themselves as it comes: 413 and 408 are raised where more is read.
    """

    def __init__(
        self,
        app: ASGIApp,
        refuse: Refuse | None = None,
        *,
        most_bytes: int = MOST_BYTES,
        seconds: float = MOST_SECONDS,
        uploads: Mapping[str, int] | None = None,
    ) -> None:
        self.app = app
        self.most_bytes = most_bytes
        self.seconds = seconds
        self._refuse = refuse or _in_plain_text
        self._uploads = uploads or {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        upload = self._uploads.get(scope["path"]) if scope["method"] == "POST" else None
        try:
            if upload is not None:
                _check_headers(headers, upload, _is_upload)
                await self.app(scope, self._counted(receive, upload), send)
                return
            if has_body or scope["method"] in _BODY_METHODS:
                _check_headers(headers, self.most_bytes, _is_form)
            body = await self._read(receive) if has_body else b""
        except _Refused as refused:
            answer = self._refuse(scope, refused.status, refused.words)
            answer.headers["Connection"] = "close"
            await answer(scope, receive, send)
            return
        if body is not None:  # else the client has gone, and nobody waits for an answer
            await self.app(scope, _replay(body, receive), send)

    def _counted(self, receive: Receive, most_bytes: int) -> Receive:
        """Return a ``receive`` that ends when too much came, or nothing for too long."""
        left, ended = most_bytes, False

        async def counted() -> Message:
            nonlocal left, ended
            try:
                async with asyncio.timeout(None if ended else self.seconds):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, headers={"Connection": "close"}) from None
            left -= len(message.get("body", b""))
            ended = not message.get("more_body", False)
            if left < 0:
                raise HTTPException(413, headers={"Connection": "close"})
            return message

        return counted

    async def _read(self, receive: Receive) -> bytes | None:
        body = bytearray()
        try:
            async with asyncio.timeout(self.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > self.most_bytes:
                        raise _Refused(413, "The request is too large.")
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            raise _Refused(408, "The request took too long to arrive.") from None


def _in_plain_text(scope: Scope, status: int, words: str) -> Response:  # noqa: ARG001 - others look at the scope
    return PlainTextResponse(words, status)


def _check_headers(headers: Headers, most_bytes: int, fits: Callable[[str], bool]) -> None:
    length = headers.get("content-length", "0")
    if "content-length" in headers and "transfer-encoding" in headers:
        # A proxy may believe the one and we the other: then the rest of the body would pass for a request.
        raise _Refused(400, "The request has two lengths.")
    if not (length.isascii() and length.isdigit()):
        raise _Refused(400, "Content-Length is not a number.")
    if len(length) > 18 or int(length) > most_bytes:
        raise _Refused(413, "The request is too large.")
    kinds = headers.getlist("content-type")
    if len(kinds) != 1 or not fits(kinds[0]) or headers.get("content-encoding", "identity") != "identity":
        raise _Refused(415, f"Only {FORM if fits is _is_form else 'a form with files'} is understood.")


def _is_form(content_type: str) -> bool:
    kind, _, options = content_type.partition(";")
    charset = options.strip().lower().replace('"', "")
    return kind.strip().lower() == FORM and charset in ("", "charset=utf-8")


def _is_upload(content_type: str) -> bool:
    return boundary_of(content_type) is not None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that hands the body over once, and then what the server says: that the client has gone."""
    handed_over = False

    async def replay() -> Message:
        nonlocal handed_over
        if handed_over:
            return await receive()
        handed_over = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def read_form(request: Request, most_fields: int = MOST_FIELDS) -> Mapping[str, str]:
    """Return a form's fields; 400 for one that no page of ours sends.

    That is: too many fields, a field twice, bytes that are not UTF-8, or a NUL, which PostgreSQL cannot store.
    """
    try:
        text = (await request.body()).decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=most_fields)
    except ValueError:
        raise HTTPException(400, "The form cannot be read.") from None
    fields = dict(pairs)
    if len(fields) < len(pairs) or any("\0" in key + value for key, value in pairs):
        raise HTTPException(400, "The form cannot be read.")
    return fields
