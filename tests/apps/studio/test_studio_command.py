"""The command: one line where it cannot serve, a link where it can, and runs that outlive it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from tests.apps.studio.conftest import PageClient, add_study
from tests.apps.studio.runs.test_runs import MANY, stage_begun, wait_for

from portrayal.apps.studio.listed_studies import list_studies
from portrayal.apps.studio.runs.run_queue import RunQueue

COMMAND = [sys.executable, "-P", "-m", "portrayal", "studio"]


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    ran = subprocess.run([*COMMAND, str(tmp_path / "gone"), "--no-browser"], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "there is no such folder" in ran.stderr


@pytest.mark.slow
def test_a_run_goes_on_when_the_server_is_killed_and_a_new_one_stops_it(tmp_path: Path) -> None:
    add_study(tmp_path / "long", MANY, size=0)
    (study,) = list_studies(tmp_path)
    with subprocess.Popen(
        [*COMMAND, str(tmp_path), "--no-browser", "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout
        link = re.search(r"http\S+", server.stdout.readline())
        assert link
        address, _, token = link[0].rpartition("/r/")
        client = PageClient(address)
        client.get(f"/r/{token}")
        assert client.send(f"/s/{study.key}/run", client.get(f"/s/{study.key}")).status_code == 303
        queue = RunQueue(tmp_path)
        wait_for(stage_begun(queue, study.key))
        server.send_signal(signal.SIGKILL)
    with pytest.raises(httpx2.HTTPError):
        client.get("/")
    client.http.close()
    assert queue.view(study.key).active
    queue.stop(study.key)
    wait_for(lambda: not queue.view(study.key).active)
    assert queue.view(study.key).phase == "stopped"
