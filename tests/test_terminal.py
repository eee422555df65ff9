"""What others wrote prints, and does nothing else."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from portrayal.terminal import from_here, printable, say, say_json, say_table, say_text, tell

HOSTILE = "m\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202egnp\u2028x\x7f\u061c\u200e\u200f\udce9"


def test_commands_to_a_terminal_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = r"m\u001b]0;owned\u0007\u001b[2J\u009b31m\u000d\u202egnp\u2028x\u007f\u061c\u200e\u200f\udce9"
    assert printable(HOSTILE) == shown
    say(HOSTILE)
    tell(HOSTILE)
    say_table(("model\n", "n"), [(HOSTILE, "1"), ("two\nlines\tand a tab", "2")])
    out, err = capsys.readouterr()
    assert err == f"{shown}\n"
    width = len(shown)
    assert out.splitlines() == [
        shown,
        f"{'model' + chr(92) + 'u000a':{width}}  n",
        f"{shown}  1",
        f"{'two' + chr(92) + 'u000alines' + chr(92) + 'u0009and a tab':{width}}  2",
    ]


def test_json_says_the_same_without_them(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"model": HOSTILE, "über": ["a\nb"]})
    out = capsys.readouterr().out
    assert json.loads(out) == {"model": HOSTILE, "über": ["a\nb"]}
    assert printable(out) == out
    assert "über" in out


def test_a_name_that_is_not_utf_8_can_be_printed() -> None:
    printable(os.fsdecode(b"caf\xe9.csv")).encode()


def test_a_line_stays_one_whatever_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    say("report: a\nmeasurements: 7", "two\tcells")
    tell("a\nb")
    say_text("two\nlines")
    out, err = capsys.readouterr()
    assert out == "report: a\\u000ameasurements: 7\ntwo\tcells\ntwo\nlines\n"
    assert err == "a\\u000ab\n"


def test_a_path_is_short_where_it_lies_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert from_here(tmp_path / "study/report") == Path("study/report")
    assert from_here(tmp_path.parent / "other") == tmp_path.parent / "other"
