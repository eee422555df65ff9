"""A huge object is read member by member, and gives what reading it whole gives."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portrayal import jsonfile as reader
from portrayal.errors import InputError
from portrayal.jsonfile import parse_json, read_json, read_members

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@given(
    data=st.dictionaries(st.text(), st.dictionaries(st.text(), VALUES, max_size=4), max_size=5),
    chunk=st.integers(1, 40),
    indent=st.none() | st.integers(0, 3),
    ascii_only=st.booleans(),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=150)
def test_it_gives_what_reading_it_whole_gives(
    tmp_path: Path, data: dict[str, Any], chunk: int, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=ascii_only)
    path = tmp_path / "a.json"
    path.write_bytes(text.encode("utf-8", "replace"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "CHUNK", chunk)
        found = list(read_members(path))
    assert found == list(json.loads(path.read_bytes()).items())


def test_an_empty_object_has_no_members(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(" { } \n")
    assert list(read_members(path)) == []


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}')
    assert list(read_members(path)) == [("a", 1)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", ":1: not valid JSON: { is expected"),
        (b"[1]", ":1: not valid JSON: { is expected"),
        (b'{"a": 1', ":1: not valid JSON: , or } is expected"),
        (b'{"a": 1,\n', ":2: not valid JSON: a name in double quotes is expected"),
        (b'{"a": 1,}', ":1: not valid JSON: a name in double quotes is expected"),
        (b"{1: 1}", ":1: not valid JSON: a name in double quotes is expected"),
        (b'{"a" 1}', ":1: not valid JSON: : is expected"),
        (b'{"a": 1}\n\n{', ":3: not valid JSON: something follows the object"),
        (b'{"a": {"b": 1}, "c": {"d":\n\n {"e" 5}}}', ":3: not valid JSON: expecting ':' delimiter"),
        (b'{"a": {"b": "cut', ":1: not valid JSON: unterminated string"),
        (b'{"a": ' + b"[" * 200_000, ":1: not valid JSON: "),
        (b'{"a": ' + b"7" * 5_000 + b"}", ":1: not valid JSON: "),
        (b'{"caf\xe9": 1}', ": not UTF-8"),
    ],
)
@pytest.mark.parametrize("chunk", [3, 2**20])
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, data: bytes, said: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "CHUNK", chunk)
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(read_members(path))
    assert str(caught.value).startswith(f"{path}{said}")


def test_a_path_that_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json: no such file"):
        list(read_members(tmp_path / "gone.json"))
    with pytest.raises(InputError, match="is a folder"):
        list(read_members(tmp_path))


def test_a_mistake_early_in_a_large_file_is_found_without_reading_on(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": {"b": oops}}' + " " * 40_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="expecting value"):
            list(read_members(path))
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "CHUNK", 2**16)
    path = tmp_path / "a.json"
    member = json.dumps({f"image_{number}": {"gender": {"man": 0.5, "woman": 0.5}} for number in range(200)})
    path.write_text("{" + ",".join(f'"prompt {number}": {member}' for number in range(400)) + "}")
    assert path.stat().st_size > 3_000_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_members(path)) == 400
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_name_that_stands_twice_in_a_member_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a nurse":\n{"image_1": 1, "image_2": 2, "image_1": 3}}')
    with pytest.raises(InputError) as caught:
        list(read_members(path))
    assert str(caught.value) == f"{path}:2: 'image_1' stands twice in one object; keep one"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,\n}', r"a\.json:[12]: not valid JSON: "),
        ("[" * 100_000, r"a\.json: not valid JSON: objects or lists lie more than 50 deep"),
        ("[" * 60 + "]" * 60, r"a\.json: not valid JSON: objects or lists lie more than 50 deep"),
        ("[" + "7" * 5_000 + "]", r"a\.json: not valid JSON: a whole number has 5000 digits, more than 300"),
        ('{"a": NaN}', r"a\.json: not valid JSON: the number NaN is none of JSON"),
        ('["\\ud83d"]', r"a\.json: not valid JSON: half of a surrogate pair"),
        ('[{"a": 1, "a": 2}]', r"a\.json: 'a' stands twice in one object"),
    ],
    ids=["cut", "endless", "deep", "digits", "nan", "surrogate", "twice"],
)
def test_what_would_break_its_reader_is_one_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        parse_json(text, "a.json")
    path = tmp_path / "a.json"
    path.write_text(f'{{"member": {text}}}')
    with pytest.raises(InputError, match=r"a\.json"):
        list(read_members(path))


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": [1, -2.5, "\\ud83d\\ude00"]}')
    assert read_json(tmp_path / "a.json") == {"a": [1, -2.5, "\U0001f600"]}


def test_what_is_no_number_becomes_what_is_asked_for() -> None:
    assert parse_json("[NaN, 1]", "a.json", lambda _: None) == [None, 1]


@pytest.mark.slow
def test_one_of_very_many_names_that_stands_twice_is_found_at_once() -> None:
    """Looking for each name among all others would take an hour."""
    names = [*range(300_000), 299_999]
    with pytest.raises(InputError, match="'299999' stands twice"):
        parse_json("{" + ",".join(f'"{name}":0' for name in names) + "}", "file")
