"""Files that are almost right: samples of text formats, damaged in ways that people, programs and attackers do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

TOKENS = [
    b"",
    b" ",
    b"\n",
    b"\r",
    b"\t",
    b"\0",
    b"\x1b[2J",
    b'"',
    b"'",
    b"`",
    b",",
    b";",
    b":",
    b"=",
    b"#",
    b"\\",
    b"/",
    b"..",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[",
    b"]]",
    b"(",
    b"<",
    b">",
    b"&",
    b"%00",
    b"../../etc/passwd",
    b"/dev/zero",
    b"~",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\xe2\x80\xae",
    b"\xe2\x80\xa8",
    b"\\ud800",
    b"\\u0000",
    b"null",
    b"true",
    b"false",
    b"NaN",
    b"-Infinity",
    b"inf",
    b"nan",
    b"1e999",
    b"-1e999",
    b"1e308",
    b"5e-324",
    b"-0",
    b"-1",
    b"0",
    b"0x",
    b"1_000",
    b"9223372036854775808",
    b"1" * 400,
    b"7" * 5000,
    b"[" * 200,
    b'{"a":' * 200,
    b"a." * 300,
    b"a" * 70000,
    b"=cmd|' /C calc'!A0",
    b"{term}",
    b"{a_term}",
    b"{",
    b"{0.__class__}",
    b"%s",
    b"*",
    b"?",
    b"<!ENTITY x SYSTEM 'file:///'>",
    "é".encode(),
    "ſ".encode(),
    "İ".encode(),
    "漢字".encode(),
    "😀".encode(),
    "１".encode(),
    "²".encode(),
    "\u00a0".encode(),
]
_NUMBER = re.compile(rb"-?[0-9]+(\.[0-9]+)?")
_WORD = re.compile(rb"[A-Za-z_]+")
_MOST = 200_000


@pytest.fixture(scope="session")
def damaged() -> Callable[[bytes, random.Random], bytes]:
    """Return what makes a sample wrong in one to four ways; now and then in none."""
    return _damaged


def _damaged(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4])):
        data = rng.choice(_WAYS)(data, rng)[:_MOST]
    return data


def _insert(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(TOKENS) + data[place:]


def _replace_number(data: bytes, rng: random.Random) -> bytes:
    return _replace(data, rng, _NUMBER, rng.choice(TOKENS))


def _replace_word(data: bytes, rng: random.Random) -> bytes:
    return _replace(data, rng, _WORD, rng.choice([*TOKENS, *_WORD.findall(data)]))


def _replace(data: bytes, rng: random.Random, what: re.Pattern[bytes], by: bytes) -> bytes:
    found = list(what.finditer(data))
    if not found:
        return data
    start, end = rng.choice(found).span()
    return data[:start] + by + data[end:]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _leave_out(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.randrange(1, 30) :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start : start + rng.randrange(1, 80)] * rng.choice([2, 2, 3, 50]) + data[start:]


def _flip(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def _move_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def _repeat_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines, rng.choice(lines)]) if lines else data


_WAYS = (
    _insert, _insert, _replace_number, _replace_number, _replace_word, _replace_word, _cut, _leave_out, _repeat, _flip,
    _move_lines, _repeat_line,
)  # fmt: skip
