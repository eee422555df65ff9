"""The head of a cluster that goes away: one line, and what was done is kept."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines.ray.conftest import Nodes

import portrayal
from portrayal.engines.ray.head import Head
from portrayal.errors import ServiceError
from portrayal.study.study import OpenStudy

DRIVER = """
import sys
from portrayal.cli.main import main
import portrayal.engines.ray.head as head
head._PATIENCE = 0.5
sys.argv = ["portrayal", "run", sys.argv[1], "--engine", "ray", "--address", sys.argv[2]]
main()
"""


def test_a_head_that_is_away_for_a_moment_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("portrayal.engines.ray.head.time.monotonic", lambda: clock[0])
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        here = Head(address)
        assert here.answers()
    assert not here.answers()
    clock[0] = 29.0
    assert not here.answers()
    with socket.create_server(("127.0.0.1", int(address.rpartition(":")[2]))):
        assert here.answers()
    clock[0] = 40.0
    assert not here.answers()
    clock[0] = 70.0
    with pytest.raises(ServiceError, match=f"the head of the Ray cluster at {address} does not answer any more"):
        here.answers()
    assert Head().answers()


@pytest.mark.slow
def test_the_stage_ends_in_one_line_and_goes_on_elsewhere(tmp_path: Path, own_nodes: Nodes) -> None:
    study = portrayal.Study.create(
        tmp_path / "study", prompts=["a nurse"], generator="simulated", annotator="simulated", images=4_000
    )
    words = [sys.executable, "-c", DRIVER, str(study.folder), own_nodes.address]
    with subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as driver:
        while not list((study.folder / "tables" / "outcomes").glob("*.parquet")):
            assert driver.poll() is None
        for process in own_nodes.processes_of_head():
            os.kill(process, signal.SIGKILL)
        _, said = driver.communicate()
    assert driver.returncode == 2
    ours = ("plan: ", "generate ", "waiting for the cluster: ", "error: ")
    assert not [line for line in said.splitlines() if not line.startswith(ours)], said
    assert said.splitlines()[-1].startswith("error: the head of the Ray cluster at ")
    study.generate(progress=False)
    query = "SELECT count(*) AS made FROM outcomes WHERE status = 'made'"
    assert OpenStudy(tmp_path / "study").workspace.query(query).to_pylist() == [{"made": 4_000}]
