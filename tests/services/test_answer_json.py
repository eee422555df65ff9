from __future__ import annotations

import json
import math

import pytest

from portrayal.services.answer_json import read_json


@pytest.mark.parametrize(
    "value", [{"data": [{"b64_json": "iVBO", "é": None}]}, [], 3, -1.5, "a\ud83d", {"a": "\\ud800"}]
)
def test_json_is_read(value: object) -> None:
    assert read_json(json.dumps(value).encode()) == value


def test_numbers_that_json_does_not_have_are_read_as_servers_mean_them() -> None:
    found = read_json(b'{"is_changed": [NaN, Infinity]}')["is_changed"]
    assert math.isnan(found[0])
    assert found[1] == math.inf


@pytest.mark.parametrize(
    "body",
    [
        b"", b"<html>", b"{", b'{"a": 1} x', b"\xff", b'"\xff"', b"[" * 100_000, b'{"a":' * 100_000, b"9" * 100_000,
        b"[{}" + b",{}" * 300_000 + b"]", b"[" * 5000 + b'"\\ud800"' + b"]" * 5000, '"é"'.encode("utf-16"),
    ],
    ids=range(12),
)  # fmt: skip
def test_what_is_no_json_or_far_too_much_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(body)


def test_a_picture_is_one_value() -> None:
    assert len(read_json(b'{"b64_json": "' + b"A" * 10_000_000 + b'"}')["b64_json"]) == 10_000_000
