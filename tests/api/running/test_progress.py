"""Progress goes to standard error: lines in a log, a bar with counts and a rate on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.api.running.progress import Log

HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"


def on_terminal(*arguments: object, **variables: str) -> tuple[int, str]:
    """Run the installed command on a terminal of 100 columns; return its exit code and what was drawn."""
    ours, theirs = pty.openpty()
    words = [str(Path(sys.executable).with_name("portrayal")), *map(str, arguments)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", **variables}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        drawn = b""
        while chunk := read(ours):
            drawn += chunk
        process.wait()
    os.close(ours)
    return process.returncode, drawn.decode()


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # what Linux says when the other side has closed
        return b""


def plain(drawn: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn)


@pytest.mark.slow
def test_a_log_gets_one_line_per_stage(
    cli: Callable[..., subprocess.CompletedProcess[str]], make_study: Callable[..., Path]
) -> None:
    ran = cli("run", make_study())
    expected = [
        r"plan: 6 of 6, [\d.]+/s, [\d.]+ s",
        r"generate simulated@1: 6 of 6, [\d.]+/s, [\d.]+ s",
        r"annotate simulated@1: 6 of 6, [\d.]+/s, [\d.]+ s",
        r"measure: (\d+) of \1, [\d.]+/s, [\d.]+ s",
        r"report: 1 of 1, [\d.]+/s, [\d.]+ s",
    ]
    for line, pattern in zip(ran.stderr.splitlines(), expected, strict=True):
        assert re.fullmatch(pattern, line)
    assert "\x1b" not in ran.stderr


def test_a_stage_with_nothing_to_do_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    log = Log()
    log.start("generate", 0)
    log.finish()
    assert capsys.readouterr().err == "generate: nothing to do\n"


def test_a_long_stage_tells_now_and_then_how_much_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("portrayal.api.running.progress.time.monotonic", lambda: clock[0])
    log = Log()
    log.start("generate", 1000)
    for _ in range(8):
        clock[0] += 10.0
        log.advance(50)
    log.finish()
    assert capsys.readouterr().err.splitlines() == [
        "generate: 200 of 1000, 5.0/s, about 160 s left",
        "generate: 400 of 1000, 5.0/s, about 120 s left",
        "generate: 400 of 1000, 5.0/s, 80.0 s",
    ]


@pytest.mark.slow
def test_a_terminal_gets_a_bar_with_counts_and_rate(make_study: Callable[..., Path]) -> None:
    study = make_study(generators=[{"use": "simulated", "images": 40}])
    code, drawn = on_terminal("run", study)
    assert code == 0
    text = plain(drawn)
    for stage in ("plan", "generate simulated@1", "annotate simulated@1"):
        assert re.search(rf"{stage} +━+ 80/80", text)
    assert re.search(r"80/80 \d+\.\d/s", text)
    assert drawn.rfind(SHOW_CURSOR) > drawn.rfind(HIDE_CURSOR)


@pytest.mark.slow
def test_no_color_is_heeded(make_study: Callable[..., Path]) -> None:
    study, colour = make_study(), re.compile(r"\x1b\[[0-9;]*[1-9][0-9;]*m")
    assert colour.search(on_terminal("plan", study, NO_COLOR="")[1])  # empty is not set
    (study / "tables" / "plan.json").unlink()
    drawn = on_terminal("plan", study, NO_COLOR="1")[1]
    assert "6/6" in plain(drawn)
    assert not colour.search(drawn)


@pytest.mark.slow
def test_an_error_in_a_stage_gives_the_terminal_back(make_study: Callable[..., Path]) -> None:
    study = make_study()
    (study / "images").write_text("a file where the folder of images should be")
    code, drawn = on_terminal("run", study)
    assert code == 2
    assert HIDE_CURSOR in drawn
    assert drawn.rfind(SHOW_CURSOR) > drawn.rfind(HIDE_CURSOR)
    assert re.search(r"^error: ", plain(drawn).replace("\r", ""), re.MULTILINE)
