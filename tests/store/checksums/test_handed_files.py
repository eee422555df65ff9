"""Files that people may edit: an edit is theirs, a flipped bit is damage."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import DamagedError
from portrayal.store.checksums.handed_files import check_handed, write_handed

TEXT = b"model_a,model_b,vote\none,other,0\n"


def flip(path: Path, rng: random.Random) -> None:
    """Flip a bit as a failing disk does: nobody writes, so the file keeps its time."""
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    data = bytearray(path.read_bytes())
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)
    os.utime(path, ns=times)


def test_every_flipped_bit_is_found(tmp_path: Path) -> None:
    path, rng = tmp_path / "votes.csv", random.Random(1)
    for _ in range(100):
        write_handed(path, TEXT)
        check_handed(path)
        flip(path, rng)
        with pytest.raises(DamagedError, match=r"votes\.csv: the file is damaged: nobody edited it"):
            check_handed(path)


def test_what_somebody_edited_or_brought_is_theirs(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    write_handed(path, TEXT)
    path.write_bytes(TEXT.replace(b",0", b",1"))
    os.utime(path, ns=(0, 1))
    check_handed(path)
    other = tmp_path / "other.csv"
    other.write_bytes(TEXT)
    check_handed(other)
    check_handed(tmp_path / "none.csv")
    check_handed(Path("\0"))


def test_damage_beside_a_file_is_named_too(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    write_handed(path, TEXT)
    flip(tmp_path / ".votes.csv.crc", random.Random(2))
    with pytest.raises(DamagedError, match=r"\.votes\.csv\.crc: the file is damaged; delete it"):
        check_handed(path)


@pytest.mark.parametrize("command", ["agreement", "consensus", "compare", "decisions", "rate"])
def test_commands_name_a_damaged_file(tmp_path: Path, cli: Callable[..., Any], command: str) -> None:
    sheet, edges, votes, rng = tmp_path / "Ann.csv", tmp_path / "edges.csv", tmp_path / "votes.csv", random.Random(3)
    assert cli("graph", "annotate", sheet).returncode == 0
    write_handed(edges, b"source,type,target\noccupation:CEO,dominant_in,race:white\n")
    write_handed(votes, TEXT)
    out = ("--out", tmp_path / "out.csv")
    words: dict[str, tuple[object, ...]] = {
        "agreement": ("graph", "agreement", sheet, sheet.with_name("Bob.csv")),
        "consensus": ("graph", "consensus", sheet, *out),
        "compare": ("graph", "compare", edges, edges),
        "decisions": ("graph", "consensus", sheet, "--decisions", edges, *out),
        "rate": ("arena", "rate", votes),
    }
    damaged = {"compare": edges, "decisions": edges, "rate": votes}.get(command, sheet)
    flip(damaged, rng)
    ran = cli(*words[command])
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert f"{damaged}: the file is damaged: nobody edited it" in ran.stderr
