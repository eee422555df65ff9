"""Forms with files: the same parts however the bytes come, and 400 for what no browser sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.exceptions import HTTPException

from portrayal.web.uploads.multipart import MOST_HEAD_BYTES, MultipartForm, boundary_of

Part = tuple[str, str | None, bytes]
AWKWARD = [b"", b"\r\n", b"--x", b"\r\n--", b"\r\n--x1", b"x" * 100, b"\r\n\r\n", b"\r", b"\r\n--y--\r\n", b"\0\xff"]


def body_of(parts: Sequence[Part], boundary: str = "xyz") -> bytes:
    text = b""
    for name, file, content in parts:
        about = f'form-data; name="{name}"' + ("" if file is None else f'; filename="{file}"')
        kind = "" if file is None else "Content-Type: image/png\r\n"
        text += f"--{boundary}\r\nContent-Disposition: {about}\r\n{kind}\r\n".encode() + content + b"\r\n"
    return text + f"--{boundary}--\r\n".encode()


async def pieces(body: bytes, sizes: Sequence[int]) -> AsyncIterator[bytes]:
    place, number = 0, 0
    while place < len(body):
        size = sizes[number % len(sizes)]
        yield body[place : place + size]
        place, number = place + size, number + 1


def read(body: bytes, boundary: bytes = b"xyz", sizes: Sequence[int] = (7,), keep: bool = True) -> list[Part]:
    async def reading() -> list[Part]:
        found: list[Part] = []
        async for part in MultipartForm(pieces(body, sizes), boundary).parts():
            content = b"".join([piece async for piece in part.content]) if keep else b""
            found.append((part.name, part.file, content))
        return found

    return asyncio.run(reading())


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["csrf", "files", "ü"]),
            st.sampled_from([None, "", "a.png", "d/ä b.png"]),
            st.lists(st.sampled_from(AWKWARD)).map(b"".join),
        ),
        max_size=5,
    ),
    st.lists(st.integers(1, 60), min_size=1, max_size=4),
)
def test_parts_come_out_as_they_went_in_however_the_bytes_come(parts: list[Part], sizes: list[int]) -> None:
    assert read(body_of(parts, "xyz"), b"xyz", sizes) == parts
    assert [part[:2] for part in read(body_of(parts), b"xyz", sizes, keep=False)] == [part[:2] for part in parts]


def test_what_a_real_client_sends_is_understood() -> None:
    request = httpx2.Request("POST", "http://a/", data={"csrf": "1"}, files={"files": ('a "b".png', b"\x89PNG")})
    boundary = boundary_of(request.headers["content-type"])
    assert boundary
    assert read(request.read(), boundary) == [("csrf", None, b"1"), ("files", 'a "b".png', b"\x89PNG")]


GOOD = body_of([("a", None, b"1")])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"hello",
        GOOD[:-6],
        GOOD[:30],
        b"before" + GOOD,
        GOOD.replace(b"--xyz\r\n", b"--xyz??"),
        GOOD.replace(b"form-data", b"attachment"),
        GOOD.replace(b"Content-Disposition", b"Content-Nothing"),
        GOOD.replace(b'name="a"', b'name="\0"'),
        GOOD.replace(b'name="a"', b'name="\xff"'),
        GOOD.replace(b'name="a"', b'name="' + b"a" * 2 * MOST_HEAD_BYTES + b'"'),
    ],
)
def test_what_no_browser_sends_is_refused(body: bytes) -> None:
    with pytest.raises(HTTPException) as refused:
        read(body)
    assert refused.value.status_code == 400


@pytest.mark.parametrize(
    ("kind", "boundary"),
    [
        ("multipart/form-data; boundary=xyz", b"xyz"),
        ('Multipart/Form-Data; boundary="x y"', None),
        ("multipart/form-data", None),
        ("multipart/mixed; boundary=xyz", None),
        ("multipart/form-data; boundary=" + "x" * 71, None),
        ("application/x-www-form-urlencoded", None),
    ],
)
def test_the_kind_of_a_form_says_its_boundary(kind: str, boundary: Any) -> None:
    assert boundary_of(kind) == boundary
