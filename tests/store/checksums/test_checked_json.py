"""Small files of Portrayal's own: what is read is what was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.errors import DamagedError
from portrayal.store.checksums.checked_json import read_checked_json, write_checked_json

ADVICE = "make it again"


@given(st.dictionaries(st.text().filter(lambda name: name != "checksum"), st.text() | st.integers() | st.none()))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, said: dict[str, object]) -> None:
    path = tmp_path_factory.mktemp("said") / "said.json"
    write_checked_json(path, said)
    assert read_checked_json(path, (), ADVICE) == said


def test_every_flipped_bit_is_found(tmp_path: Path) -> None:
    path = tmp_path / "said.json"
    write_checked_json(path, {"a": [1, 2], "b": "ü"})
    before = path.read_bytes()
    for place in range(len(before)):
        for bit in range(8):
            data = bytearray(before)
            data[place] ^= 1 << bit
            path.write_bytes(data)
            with pytest.raises(DamagedError, match=r"said\.json: the file is damaged; make it again"):
                read_checked_json(path, ("a", "b"), ADVICE)


def test_one_of_an_older_version_has_the_members_that_it_had(tmp_path: Path) -> None:
    path = tmp_path / "said.json"
    path.write_text(json.dumps({"a": 1}))
    assert read_checked_json(path, ("a", "b"), ADVICE) == {"a": 1}
    with pytest.raises(DamagedError):
        read_checked_json(path, ("b",), ADVICE)
    assert read_checked_json(path) == {"a": 1}
    with pytest.raises(FileNotFoundError):
        read_checked_json(tmp_path / "none.json", (), ADVICE)
