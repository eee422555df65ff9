"""Answers that misbehave on the way: endless, dripping, packed too tightly, cut off, or no HTTP at all."""

from __future__ import annotations

import asyncio
import functools
import gzip
import socket
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping

__all__ = ["TIMED", "WIRE", "http"]

Wire = Callable[[asyncio.StreamWriter], Awaitable[None]]

OK = b"HTTP/1.1 200 OK\r\n"
ERROR = b"HTTP/1.1 500 Oops\r\n"
CHUNKED = b"transfer-encoding: chunked\r\n\r\n"
SPACES = b" " * 65536
CHUNK = b"10000\r\n" + SPACES + b"\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
EMPTY_BLOCK = b"\0\0\0\xff\xff"
DRIP = 0.05
BODY = b'{"data": [], "choices": []}'


@functools.cache
def _bomb(wbits: int) -> bytes:
    """Return a thousandth of what it unpacks to: the same piece again and again, each of them packed by itself."""
    packer = zlib.compressobj(9, wbits=wbits)
    zeros = bytes(2**24)
    first, next_one = (packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + next_one * 15 + b"\3\0" + _checksum(wbits, [zeros] * 16)  # before that a last block of nothing


def _checksum(wbits: int, pieces: list[bytes]) -> bytes:
    """Return what a reader compares at the end: of gzip, of zlib, and of bare deflate nothing."""
    if wbits > zlib.MAX_WBITS:
        crc = functools.reduce(lambda before, piece: zlib.crc32(piece, before), pieces, 0)
        return struct.pack("<II", crc, sum(map(len, pieces)))
    adler = functools.reduce(lambda before, piece: zlib.adler32(piece, before), pieces, 1)
    return struct.pack(">I", adler) if wbits > 0 else b""


async def http(writer: asyncio.StreamWriter, status: int, body: bytes, *headers: str) -> None:
    """Give a proper answer."""
    lines = [f"HTTP/1.1 {status} Said", f"content-length: {len(body)}", "connection: close", *headers]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
    await writer.drain()
    await asyncio.sleep(DRIP)  # before the connection is closed, so that it is not cut short


def _said(*parts: bytes | Callable[[], bytes]) -> Wire:
    """Say it and hang up."""

    async def talk(writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(part() if callable(part) else part for part in parts))
        await writer.drain()
        writer.write_eof()
        await asyncio.sleep(DRIP)

    return talk


def _then_silence(*parts: bytes) -> Wire:
    async def talk(writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(parts))
        await writer.wait_closed()

    return talk


def _for_ever(first: bytes, more: bytes, pause: float = 0.0) -> Wire:
    async def talk(writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        while True:
            writer.write(more)
            await writer.drain()
            await asyncio.sleep(pause)

    return talk


def _reset(first: bytes) -> Wire:
    async def talk(writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        await writer.drain()
        await asyncio.sleep(DRIP)
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    return talk


def _status(status: int, *headers: str) -> Wire:
    return functools.partial(http, status=status, body=b'{"error": "so"}') if not headers else _with(status, *headers)


def _with(status: int, *headers: str) -> Wire:
    async def talk(writer: asyncio.StreamWriter) -> None:
        await http(writer, status, b'{"error": {"message": "so"}}', *headers)

    return talk


TIMED: Mapping[str, Wire] = {
    "drip-status-line": _for_ever(b"HTTP/1.1 200 ", b"O", DRIP),
    "drip-header": _for_ever(OK + b"x-long: ", b"a", DRIP),
    "drip-headers": _for_ever(OK, b"x: y\r\n", DRIP),
    "drip-body": _for_ever(OK + b"content-length: 1000000\r\n\r\n", b" ", DRIP),
    "drip-body-of-an-error": _for_ever(ERROR + b"content-length: 1000000\r\n\r\n", b" ", DRIP),
    "drip-body-of-a-404": _for_ever(b"HTTP/1.1 404 No\r\n\r\n", b" ", DRIP),
    "drip-chunks": _for_ever(OK + CHUNKED, b"1\r\n \r\n", DRIP),
    "drip-size-of-a-chunk": _for_ever(OK + CHUNKED, b"0", DRIP),
    "drip-trailers": _for_ever(OK + CHUNKED + b"0\r\n", b"x: y\r\n", DRIP),
    "drip-packed": _for_ever(OK + b"content-encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10], EMPTY_BLOCK, DRIP),
    "drip-continue": _for_ever(b"", CONTINUE, DRIP),
    "drip-processing": _for_ever(b"", b"HTTP/1.1 102 Processing\r\n\r\n", DRIP),
    "drip-hints": _for_ever(b"", b"HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n", DRIP),
    "silence": _then_silence(b""),
    "silence-in-the-status-line": _then_silence(b"HTTP/1.1 20"),
    "silence-in-the-headers": _then_silence(OK, b"content-type: app"),
    "silence-after-the-headers": _then_silence(OK, b"content-length: 10\r\n\r\n"),
    "silence-in-the-body": _then_silence(OK, b"content-length: 10\r\n\r\n{"),
    "silence-in-a-chunk": _then_silence(OK, CHUNKED, b"10000\r\n "),
    "silence-after-continue": _then_silence(CONTINUE),
}
"""What would never end by itself."""

WIRE: Mapping[str, Wire] = {
    **TIMED,
    "endless-body": _for_ever(OK + b"\r\n", SPACES),
    "endless-body-of-an-error": _for_ever(ERROR + b"\r\n", SPACES),
    "endless-body-of-a-400": _for_ever(b"HTTP/1.1 400 No\r\n\r\n", SPACES),
    "endless-chunks": _for_ever(OK + CHUNKED, CHUNK),
    "endless-chunks-of-an-error": _for_ever(ERROR + CHUNKED, CHUNK),
    "endless-continue": _for_ever(b"", CONTINUE * 1000),
    "endless-header": _for_ever(OK + b"x: ", SPACES),
    "endless-headers": _for_ever(OK, b"x: y\r\n" * 1000),
    "endless-folded-header": _for_ever(OK + b"x: y\r\n", b" y\r\n" * 1000),
    "endless-empty-blocks": _for_ever(OK + b"content-encoding: deflate\r\n\r\n\x78\x9c", EMPTY_BLOCK * 10_000),
    "endless-after-packed": _for_ever(OK + b"content-encoding: gzip\r\n\r\n" + gzip.compress(BODY), SPACES),
    "endless-chunk-extension": _for_ever(OK + CHUNKED + b"1;x=", SPACES),
    "bomb-gzip": _said(OK, b"content-encoding: gzip\r\n\r\n", lambda: _bomb(31)),
    "bomb-gzip-of-an-error": _said(ERROR, b"content-encoding: gzip\r\n\r\n", lambda: _bomb(31)),
    "bomb-deflate": _said(OK, b"content-encoding: deflate\r\n\r\n", lambda: _bomb(15)),
    "bomb-bare-deflate-of-an-error": _said(ERROR, b"content-encoding: deflate\r\n\r\n", lambda: _bomb(-15)),
    "packed-twice": _said(OK, b"content-encoding: gzip, gzip\r\n\r\n", gzip.compress(gzip.compress(BODY))),
    "packed-as-br": _said(OK, b"content-encoding: br\r\n\r\n", b"\x0b\x02\x80"),
    "packed-as-zstd": _said(OK, b"content-encoding: zstd\r\n\r\n", b"\x28\xb5\x2f\xfd"),
    "packed-not-at-all": _said(OK, b"content-encoding: gzip\r\n\r\n", BODY),
    "packed-and-cut": _said(OK, b"content-encoding: gzip\r\n\r\n", gzip.compress(BODY * 999)[:40]),
    "long-header": _said(OK, b"x: ", b"a" * 2_000_000, b"\r\n\r\n"),
    "many-headers": _said(OK, b"x: y\r\n" * 100_000, b"\r\n"),
    "many-cookies": _said(OK, b"set-cookie: a=b\r\n" * 4000, b"content-length: 2\r\n\r\n{}"),
    "header-without-a-colon": _said(OK, b"nonsense\r\n\r\n{}"),
    "header-with-a-zero": _said(OK, b"x: \0\r\n\r\n{}"),
    "charset-of-a-codec": _said(b"HTTP/1.1 500 No\r\ncontent-type: text/plain; charset=zlib\r\n\r\nwords"),
    "length-too-long": _said(OK, b"content-length: 1000\r\n\r\n{}"),
    "length-too-short": _said(OK, b"content-length: 1\r\n\r\n", BODY),
    "length-negative": _said(OK, b"content-length: -1\r\n\r\n{}"),
    "length-of-words": _said(OK, b"content-length: many\r\n\r\n{}"),
    "length-beyond-numbers": _said(OK, b"content-length: ", b"9" * 5000, b"\r\n\r\n{}"),
    "length-said-twice": _said(OK, b"content-length: 2\r\ncontent-length: 3\r\n\r\n{}"),
    "length-and-chunks": _said(OK, b"content-length: 2\r\n", CHUNKED, b"2\r\n{}\r\n0\r\n\r\n"),
    "chunk-of-words": _said(OK, CHUNKED, b"many\r\n{}\r\n"),
    "chunk-beyond-numbers": _said(OK, CHUNKED, b"f" * 40, b"\r\n{}\r\n"),
    "chunk-negative": _said(OK, CHUNKED, b"-2\r\n{}\r\n"),
    "chunk-without-an-end": _said(OK, CHUNKED, b"2\r\n{}garbage"),
    "coding-unknown": _said(OK, b"transfer-encoding: gzip\r\n\r\n{}"),
    "no-status-line": _said(BODY),
    "status-of-words": _said(b"HTTP/1.1 fine\r\n\r\n{}"),
    "status-999": _said(b"HTTP/1.1 999 Hm\r\n\r\n{}"),
    "status-0": _said(b"HTTP/1.1 000 Hm\r\n\r\n{}"),
    "http-9": _said(b"HTTP/9.9 200 OK\r\n\r\n{}"),
    "http-2": _said(b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64"),
    "tls-on-a-plain-port": _said(b"\x15\x03\x01\0\x02\x02\x28"),
    "switching-protocols": _said(b"HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", bytes(999)),
    "random-bytes": _said(bytes(range(256)) * 40),
    "closed-at-once": _said(b""),
    "closed-in-the-headers": _said(OK, b"content-ty"),
    "closed-in-a-chunk": _said(OK, CHUNKED, b"10000\r\n "),
    "reset-at-once": _reset(b""),
    "reset-in-the-headers": _reset(OK),
    "reset-in-the-body": _reset(OK + b"content-length: 100\r\n\r\n{"),
    "no-content": _said(b"HTTP/1.1 204 None\r\n\r\n"),
    "not-modified": _said(b"HTTP/1.1 304 Old\r\n\r\n"),
    "html": _said(OK, b"content-type: text/html\r\n\r\n<html>"),
    "moved-without-a-place": _status(302),
    "moved-to-itself": _with(302, "location: draw"),
    "moved-for-good": _with(301, "location: https://elsewhere.invalid/"),
    "moved-to-a-get": _with(303, "location: https://elsewhere.invalid/"),
    "moved-with-the-prompt": _with(307, "location: http://169.254.169.254/latest/meta-data"),
    "moved-for-good-with-the-prompt": _with(308, "location: http://10.0.0.1/"),
    "moved-to-a-file": _with(302, "location: file:///etc/passwd"),
    "moved-to-nonsense": _with(302, "location: http://[::1"),
    "moved-to-escapes": _with(302, "location: http://\x1b[31m/"),
    "status-401": _status(401),
    "status-402": _status(402),
    "status-403": _status(403),
    "status-404": _status(404),
    "status-405": _status(405),
    "status-413": _status(413),
    "status-418": _status(418),
    "status-422": _status(422),
    "status-429": _status(429),
    "status-502": _status(502),
    "wait-for-ever": _with(429, "retry-after: inf"),
    "wait-no-number": _with(429, "retry-after: nan"),
    "wait-negative": _with(429, "retry-after: -9"),
    "wait-beyond-numbers": _with(503, f"retry-after: {'9' * 400}"),
    "wait-till-the-year-9999": _with(503, "retry-after: Fri, 31 Dec 9999 23:59:59 GMT"),
    "wait-till-no-date": _with(503, "retry-after: Fri, 99 Foo 0000 99:99:99 +9999"),
}
