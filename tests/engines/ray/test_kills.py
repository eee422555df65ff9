"""Kills of actors, nodes and the driver while a study runs: its tables are those of a run that nobody disturbed.

``PORTRAYAL_ATTACK=5`` kills five times as often.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.samples.deadly import Looker

import portrayal
from portrayal.study.parts.given_parts import annotator_config

if TYPE_CHECKING:
    from tests.engines.ray.conftest import Nodes

KILLS = 5 * int(os.environ.get("PORTRAYAL_ATTACK", "1"))
DRIVER = """
import sys
from pathlib import Path
import portrayal
from tests.samples.deadly import Looker

folder, gates, address = sys.argv[1:]
portrayal.Study(folder, annotator=Looker(gates=Path(gates))).run(progress=False, engine="ray", address=address)
"""


class Attack:
    """A study that runs on the cluster, and what is done to it."""

    def __init__(self, nodes: Nodes, folder: Path, gates: Path) -> None:
        self._nodes, self._gates = nodes, gates
        self._command = [sys.executable, "-c", DRIVER, str(folder), str(gates), nodes.address]
        self._driver = subprocess.Popen(self._command)

    def kill_actor(self) -> None:
        """Kill one that works: it has written down which process it is, and that is alive, or soon will be."""
        while not (found := [int(path.stem) for path in self._gates.glob("*.pid") if _is_worker(path.stem)]):
            assert self._driver.poll() is None
            time.sleep(0.05)
        os.kill(random.choice(found), signal.SIGKILL)

    def kill_node(self) -> None:
        self._nodes.replace_one()

    def kill_driver(self) -> None:
        self._driver.kill()
        self._driver.wait()
        self._driver = subprocess.Popen(self._command)

    def somebody_waits(self) -> Path:
        """Return a gate at which an image is held up; the driver must not end before."""
        while True:
            for here in self._gates.glob("*.here"):
                if (gate := here.with_suffix(".closed")).exists():
                    return gate
            assert self._driver.poll() is None
            time.sleep(0.05)

    def ended(self) -> int:
        return self._driver.wait()


def _is_worker(pid: str) -> bool:
    try:
        return b"ray::" in Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.slow
def test_tables_are_those_of_a_run_without_kills(
    nodes: Nodes,
    write_study: Callable[..., Path],
    tmp_path: Path,
    rows: Callable[[Path], dict[str, list[str]]],
) -> None:
    config = annotator_config(Looker())
    tables = {
        "generators": [{"use": "simulated", "images": 4 * KILLS, "options": {"size": 4}}],
        "annotators": [{"use": config.use, "options": dict(config.options)}],
        "annotate": {"batch": 3, "workers": 1},
    }
    here, there = (write_study(tmp_path / name, **tables) for name in ("here", "there"))
    portrayal.Study(here, annotator=Looker()).run(progress=False)
    images = sorted(path.stem for path in (here / "images").glob("*/*"))
    gates = tmp_path / "gates"
    gates.mkdir()
    for image in random.sample(images, KILLS):
        (gates / f"{image}.closed").touch()
    attack = Attack(nodes, there, gates)
    ways = [attack.kill_driver, attack.kill_node, *[attack.kill_actor] * 3]
    for number in range(KILLS):
        gate = attack.somebody_waits()
        ways[number % len(ways)]()
        gate.unlink()
    assert attack.ended() == 0
    assert rows(there) == rows(here)
