"""Thousands of damaged files of every text format that is read: each is used, or refused in one line.

``formats.py`` has the formats and their readers.
"""

from __future__ import annotations

import contextlib
import os
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.attack.formats import FORMATS, sample

from portrayal.errors import PortrayalError

pytestmark = pytest.mark.slow

FILES = int(os.environ.get("FUZZED_FILES", "100"))
"""Of each format. 2,000 take a minute and a half of a quiet core; docs/reliability.md has what came of them."""


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_file_is_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.png").touch()
    (tmp_path / "0.png").touch()
    (tmp_path / name).write_bytes(sample(name))
    assert FORMATS[name](tmp_path / name) is not None


FUZZED = sorted(path for path in (Path(__file__).parent / "samples" / "fuzzed").glob("*/*"))


@pytest.mark.parametrize("kept", FUZZED, ids=lambda kept: f"{kept.parent.name} {kept.name}")
def test_a_file_that_fuzzing_made_up_is_used_or_refused_in_one_line(kept: Path, tmp_path: Path) -> None:
    path = tmp_path / kept.parent.name
    path.write_bytes(kept.read_bytes())
    with contextlib.suppress(PortrayalError):
        FORMATS[kept.parent.name](path)


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_file_is_used_or_refused_in_one_line(
    name: str, tmp_path: Path, damaged: Callable[[bytes, random.Random], bytes]
) -> None:
    whole, path = sample(name), tmp_path / name
    (tmp_path / "a.png").touch()
    (tmp_path / "0.png").touch()
    rng = random.Random(zlib.crc32(name.encode()))
    refused = 0
    for number in range(FILES):
        data = damaged(whole, rng)
        path.write_bytes(data)
        try:
            FORMATS[name](path)
        except PortrayalError:
            refused += 1
        except Exception as error:
            raise AssertionError(f"file {number}: {data[:2000]!r}") from error
    assert FILES / 10 < refused < FILES
