"""A user's script, as users write them: no guard, two worker processes, whoever runs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# More than 32 images, so that there is work for a second process. The function cannot be imported by it.
SCRIPT = """
import portrayal

def looks(picture):
    return {"gender": "female"}

study = portrayal.Study.create(
    "nurses", prompts=["a nurse", "a CEO"], images=20, generator="simulated", annotator=["simulated", looks]
)
study.run(progress=False)
print(study.status.judged)
"""
ASYNC = """
import asyncio, portrayal

async def main():
    parts = {"generator": "simulated", "annotator": "simulated"}
    study = portrayal.Study.create("here", prompts=["a nurse"], images=40, **parts)
    other = portrayal.Study.create("there", prompts=["a nurse"], images=40, **parts)
    beside = asyncio.create_task(asyncio.to_thread(other.run, progress=False))
    await asyncio.sleep(0)
    study.run(progress=False)
    await beside
    print(study.status.judged, other.status.judged)

asyncio.run(main())
"""
INTERRUPTED = """
import asyncio, os, signal, threading, portrayal
from portrayal.records import Refused

stopped = threading.Event()

class Interrupted:
    name, citations = "interrupted@1", ()

    def generate(self, jobs):
        if jobs[0].index == 0:
            os.kill(os.getpid(), signal.SIGINT)
            stopped.wait()
        return [Refused(job.id, "tired") for job in jobs]

    def truth(self, prompt):
        return None

study = portrayal.Study.create("here", prompts=["a nurse"], images=20, generator=Interrupted(), annotator="simulated")

async def main():
    try:
        await asyncio.to_thread(study.generate, progress=False)
    except asyncio.CancelledError:
        study.stop()
        stopped.set()
        raise

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
print(study.status.outcomes)
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["script", "stdin", "command"])
def test_a_script_without_a_guard_runs_a_study(way: str, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    words = {"script": ["script.py"], "stdin": ["-"], "command": ["-c", SCRIPT]}[way]
    ran = run(words, tmp_path, SCRIPT if way == "stdin" else "")
    assert ran.stdout == "{'simulated@1': 40, 'looks@1': 40}\n"
    assert ran.stderr == ""


@pytest.mark.slow
def test_two_studies_run_at_once_in_a_program_with_an_event_loop(tmp_path: Path) -> None:
    ran = run(["-c", ASYNC], tmp_path)
    assert (ran.stdout, ran.stderr) == ("{'simulated@1': 40} {'simulated@1': 40}\n", "")


@pytest.mark.slow
def test_ctrl_c_in_a_program_with_an_event_loop_stops_after_the_current_batch(tmp_path: Path) -> None:
    ran = run(["-c", INTERRUPTED], tmp_path)
    assert ran.stdout == "interrupted\n{'interrupted@1': {'pending': 12, 'refused: tired': 8}}\n"
    assert ran.stderr == ""


def run(words: list[str], folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    words = [sys.executable, *words]
    return subprocess.run(words, input=given, capture_output=True, text=True, cwd=folder, check=False)
