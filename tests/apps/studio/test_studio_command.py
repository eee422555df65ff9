"""The command: one line where it cannot serve, a link where it can, and runs that outlive it."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2
import pytest
from tests.apps.studio.conftest import PageClient, add_study
from tests.apps.studio.runs.test_runs import MANY, stage_begun, wait_for

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies
from portrayal.apps.studio.runs.run_queue import RunQueue
from portrayal.apps.studio.runs.run_state import RunPhase, RunRecord, process_mark

COMMAND = [sys.executable, "-P", "-m", "portrayal", "studio"]
KILLED = "The run ended without a message"


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    ran = subprocess.run([*COMMAND, str(tmp_path / "gone"), "--no-browser"], capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "there is no such folder" in ran.stderr


class Command:
    """The command as a process, started anew as often as it is killed, and a browser that opens its link."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.start()

    def start(self) -> None:
        words = [*COMMAND, str(self.root), "--no-browser", "--port", "0"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        link = re.search(r"http\S+", self.process.stdout.readline())
        assert link
        address, _, token = link[0].rpartition("/r/")
        self.client = PageClient(address)
        self.client.get(f"/r/{token}")

    def kill(self) -> None:
        self.client.http.close()
        self.process.kill()
        self.process.communicate()


def ended(record: RunRecord) -> bool:
    """Kill a run, and return whether it was at work until then."""
    if record.phase is not RunPhase.RUNNING or process_mark(record.pid) != record.mark:
        return False
    os.kill(record.pid, signal.SIGKILL)
    wait_for(lambda: process_mark(record.pid) != record.mark)
    return True


@pytest.mark.slow
def test_twenty_kills_lose_nothing_and_the_page_tells_the_truth(tmp_path: Path) -> None:
    began = time.monotonic()
    run = [*COMMAND[:-1], "run", str(add_study(tmp_path / "elsewhere" / "one", 1_500, size=0)), "--quiet"]
    subprocess.run(run, check=True, capture_output=True)
    long = time.monotonic() - began
    root, moments, killed = tmp_path / "here", random.Random(31), 0
    add_study(root / "one", 1_500, size=0)
    [study] = list_studies(root)
    files, command = RunQueue(root).files(study.key), Command(root)
    try:
        for _ in range(20):
            page = command.client.get(f"/s/{study.key}")
            if 'action="' + f"/s/{study.key}/run" in page.text:
                command.client.send(f"/s/{study.key}/run", page)
            time.sleep(moments.uniform(0, long))
            whom = moments.choice(("run", "studio", "both"))
            was_at_work = whom != "studio" and ended(files.read())
            # It may have ended by itself just before.
            was_killed = was_at_work and files.read().phase is RunPhase.RUNNING
            killed += was_killed
            if whom != "run":
                command.kill()
                command.start()
            if was_killed:  # the last thread of a killed process may end a moment after its first
                wait_for(lambda: KILLED in command.client.get(f"/s/{study.key}").text)
            said = command.client.get(f"/s/{study.key}").text
            assert (KILLED in said) == was_killed
            assert "ended with an error" not in said
            record = files.read()
            if process_mark(record.pid) == record.mark and record.phase is RunPhase.RUNNING:
                assert "data-live" in said
        page = command.client.get(f"/s/{study.key}")
        if 'action="' + f"/s/{study.key}/run" in page.text:
            command.client.send(f"/s/{study.key}/run", page)
        wait_for(lambda: "Done: the report is ready." in command.client.get(f"/s/{study.key}").text)
    finally:
        command.kill()
    assert killed > 5
    here, elsewhere = (Study(root / "one"), Study(tmp_path / "elsewhere" / "one"))
    assert here.measurements().to_arrow().equals(elsewhere.measurements().to_arrow())
    assert here.status.outcomes == elsewhere.status.outcomes


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
