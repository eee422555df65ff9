from __future__ import annotations

import os
import re
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from portrayal.errors import DamagedError, InputError
from portrayal.store.tables.parquet_file import check_file, has_checksum, read_whole, write_parquet

SCHEMA = pa.schema([("n", pa.int64()), ("word", pa.string())])
ROWS = pa.table({"n": [1, 2, 3], "word": ["a", "b", None]}, schema=SCHEMA)


def test_the_name_ends_in_the_checksum_of_the_whole_file(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "part", SCHEMA, [ROWS, ROWS], 2)
    assert path.name == f"part.{zlib.crc32(path.read_bytes()):08x}.parquet"
    assert list(tmp_path.iterdir()) == [path]
    assert pq.read_table(path).equals(pa.concat_tables([ROWS, ROWS]))
    assert has_checksum(path)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "part.0123abcd.parquet"
    os.mkfifo(path)
    with pytest.raises(InputError, match="is a pipe, a file is needed"):
        check_file(path)


@pytest.mark.slow
def test_any_bit_that_is_another_is_found(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "part", SCHEMA, [ROWS], 2)
    whole = path.read_bytes()
    for bit in range(0, 8 * len(whole), 11):  # 11 and 8 share no divisor: every bit of a byte has its turn
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        with pytest.raises(DamagedError, match=r"part\..*the file is damaged.*portrayal verify"):
            check_file(path)
    path.write_bytes(whole)
    check_file(path)


@pytest.mark.parametrize("change", [lambda data: b"", lambda data: data[:-1], lambda data: data + b"\0"])
def test_a_file_that_is_cut_off_or_grown_is_found(tmp_path: Path, change: object) -> None:
    assert callable(change)
    path = write_parquet(tmp_path / "part", SCHEMA, [ROWS], 2)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(DamagedError):
        check_file(path)


def test_a_file_without_a_checksum_is_read_as_it_is_and_one_line_when_it_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "00000000-00000000.parquet"
    pq.write_table(ROWS, path)
    assert not has_checksum(path)
    read_whole(path)
    check_file(path)
    path.write_bytes(path.read_bytes()[:-9])
    for read in (check_file, read_whole):
        with pytest.raises(DamagedError, match=re.escape(str(path))) as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_nothing_is_committed_when_asked_not_to(tmp_path: Path) -> None:
    def refuse() -> None:
        raise RuntimeError("not now")

    with pytest.raises(RuntimeError, match="not now"):
        write_parquet(tmp_path / "part", SCHEMA, [ROWS], 2, refuse)
    assert list(tmp_path.iterdir()) == []
