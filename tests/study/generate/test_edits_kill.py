"""Killed while it draws and while it edits, a study ends with the tables of an uninterrupted run."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from portrayal.store.workspace import Workspace

Make = Callable[..., Path]
Start = Callable[..., ForkServerProcess]
Rows = Callable[[Path], dict[str, list[str]]]
PROMPTS = "text,term,kind,edits\n" + "".join(
    [f"a portrait of person {n},person {n},seed,\n" for n in range(6)]
    + [f"a photo of a {word},{word},word,seed\n" for word in ("nurse", "CEO", "judge")]
)
TROUBLE = {"refused": 0.1, "failed": 0.2, "size": 2}
MOVES = {"nurse": {"gender": {"female": 0.8}}}
GENERATORS = [
    {"use": "simulated", "images": 4, "role": "draw", "options": TROUBLE},
    {"use": "simulated", "images": 1, "role": "edit", "options": {**TROUBLE, "moves": MOVES}},
]
KILLS = 3


def finish(process: ForkServerProcess) -> None:
    process.join()
    assert process.exitcode == 0


def outcomes(root: Path) -> int:
    return Workspace(root).tables["outcomes"].count()


def kill_after(start: Start, root: Path, more: int) -> bool:
    """Start a run and kill it when so many outcomes have been added; tell whether it was still at work."""
    before = outcomes(root)
    process = start("run", root)
    while process.is_alive() and outcomes(root) < before + more:
        time.sleep(0.02)
    process.kill()
    process.join()
    return process.exitcode == -signal.SIGKILL


@pytest.mark.slow
def test_killed_while_drawing_and_editing(start_loaded: Start, make_study: Make, rows: Rows) -> None:
    about = {"prompts": PROMPTS, "generators": GENERATORS, "generate": {"batch": 2}}
    whole, killed = make_study("whole", **about), make_study("killed", **about)
    finish(start_loaded("run", whole))
    assert sum(kill_after(start_loaded, killed, 20) for _ in range(KILLS)) >= 1
    finish(start_loaded("run", killed))
    assert rows(killed) == rows(whole)
    assert sum("source_missing" in row for row in rows(whole)["measurements"]) > 0
    pictures = [sorted(path.name for path in (root / "images").rglob("*.png")) for root in (killed, whole)]
    assert pictures[0] == pictures[1]


@pytest.mark.slow
def test_killed_while_edits_are_made_anew(start_loaded: Start, make_study: Make, rows: Rows) -> None:
    """Seeds, edits, redraws and scores, killed again and again: every attempt and every score is there."""
    suite = {"use": "biaspainter", "options": {"words": ["nurse", "brave", "pen"], "null": ["a photo"]}}
    seeds, editor = (
        {"use": "simulated", "images": 1, "role": role, "options": {"size": 2, **own}}
        for role, own in (("draw", {}), ("edit", {"several": 0.6, "failed": 0.2, "moves": MOVES}))
    )
    about = {"suite": suite, "generators": [seeds, editor], "methods": [{"use": "biaspainter"}]}
    whole, killed = (make_study(name, **about, generate={"batch": 2}) for name in ("whole", "killed"))
    finish(start_loaded("run", whole))
    assert sum(kill_after(start_loaded, killed, 16) for _ in range(KILLS)) >= 1
    finish(start_loaded("run", killed))
    assert rows(killed) == rows(whole)
    assert sum("rejected" in row for row in rows(whole)["outcomes"]) > 5
