"""Killed while it draws and while it edits, a study ends with the tables of an uninterrupted run."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from portrayal.store.workspace import Workspace

Make = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]
PROMPTS = "text,term,kind,edits\n" + "".join(
    [f"a portrait of person {n},person {n},seed,\n" for n in range(10)]
    + [f"a photo of a {word},{word},word,seed\n" for word in ("nurse", "CEO", "judge")]
)
TROUBLE = {"refused": 0.1, "failed": 0.2, "size": 2}
MOVES = {"nurse": {"gender": {"female": 0.8}}}
GENERATORS = [
    {"use": "simulated", "images": 4, "role": "draw", "options": TROUBLE},
    {"use": "simulated", "images": 1, "role": "edit", "options": {**TROUBLE, "moves": MOVES}},
]
KILLS = 6


def start(root: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from portrayal.cli.main import main; main()", "run", str(root)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def outcomes(root: Path) -> int:
    return Workspace(root).tables["outcomes"].count()


def kill_after(root: Path, more: int) -> bool:
    """Start a run and kill it when so many outcomes have been added; tell whether it was still at work."""
    before = outcomes(root)
    process = start(root)
    while process.poll() is None and outcomes(root) < before + more:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def test_killed_while_drawing_and_editing(make_study: Make, rows: Rows) -> None:
    about = {"prompts": PROMPTS, "generators": GENERATORS, "generate": {"batch": 2}}
    whole, killed = make_study("whole", **about), make_study("killed", **about)
    assert start(whole).wait() == 0
    assert [kill_after(killed, 20) for _ in range(KILLS)] == [True] * KILLS
    assert start(killed).wait() == 0
    assert rows(killed) == rows(whole)
    assert sum("source_missing" in row for row in rows(whole)["measurements"]) > 0
    pictures = [sorted(path.name for path in (root / "images").rglob("*.png")) for root in (killed, whole)]
    assert pictures[0] == pictures[1]
