"""Every service against a server that does its worst: no traceback, no hang, bounded memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.attack.hostile_answers import answers
from tests.attack.hostile_server import STEPS, HostileServer
from tests.attack.hostile_wire import TIMED, WIRE

pytestmark = pytest.mark.slow

MOST_MEMORY = 500_000_000
FEWEST, FEWEST_WORDS = 60, 20
DEADLINE = 60.0
"""Seconds by which a call with a timeout of one second has ended, on however busy a machine."""

REASONS = {
    "answer_too_large", "bad_request", "blank_image", "broken_image", "connection_lost", "content_policy", "lost",
    "execution_error", "forbidden_address", "lost_image", "malformed_answer", "no_image", "rate_limited",
    "server_error", "timeout",
}  # fmt: skip
ASKING = Path(__file__).with_name("ask_services.py")
NODES = {
    "6": {"class_type": "T", "inputs": {"text": ""}, "_meta": {"title": "portrayal:prompt"}},
    "3": {"class_type": "S", "inputs": {"seed": 0}, "_meta": {"title": "portrayal:seed"}},
    "9": {"class_type": "SaveImage", "inputs": {"images": ["3", 0]}},
}


def cases(service: str, port: int) -> list[tuple[str, str, bool]]:
    """Return the hostilities at every step of a service, and whether only the timeout ends them."""
    wire = [(step, name, name in TIMED) for step in STEPS[service] for name in WIRE]
    words = [(step, name, False) for step in STEPS[service] for name in answers(service, step, port)]
    assert len(wire) >= FEWEST
    assert len(words) >= FEWEST_WORDS
    return wire + words


@pytest.mark.parametrize("service", STEPS)
def test_every_hostility_ends_as_documented(service: str, tmp_path: Path, picture: Callable[..., bytes]) -> None:
    (tmp_path / "picture.png").write_bytes(picture())
    (tmp_path / "workflow.json").write_text(json.dumps(NODES))
    with HostileServer() as server:
        asked = cases(service, server.port)
        words = [sys.executable, str(ASKING), service, str(server.port), str(tmp_path)]
        # Else each of many threads would take addresses for memory of its own, on a machine with many cores.
        own = {**os.environ, "MALLOC_ARENA_MAX": "4"}
        done = subprocess.run(words, input=json.dumps(asked), env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [row for row in found["rows"] if not documented(*row[:4])] == []
    assert [row for row in found["rows"] if row[1] in TIMED and row[4] > DEADLINE] == []
    assert found["memory"] < MOST_MEMORY
    assert len(found["rows"]) == len(asked)


def documented(step: str, name: str, kind: str, said: str) -> bool:
    """Return whether an outcome is one that the docs name, in one line that a terminal can be shown."""
    if len(said) > 32_000 or not (said.isprintable() or kind == "made"):
        return False
    if name in TIMED:
        return "timeout" in said or said.startswith("lost_image")
    if name.startswith("moved"):
        told = "leads elsewhere" in said or "names no other address of the web" in said
        return (kind == "stopped" and told) or step == "address"
    if kind == "failed":
        return said.partition(":")[0] in REASONS or said.startswith("http_")
    return kind in ("stopped", "made", "abstained")
