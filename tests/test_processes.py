"""Workers that outlive a Ctrl-C but not their parent, tried on real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from portrayal.processes import cpu_count, deaf_to_ctrl_c

SIGNALS = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
INTERRUPTED = """
import signal
from portrayal.processes import deaf_to_ctrl_c

signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where tests run in the background
try:
    with deaf_to_ctrl_c():
        signal.raise_signal(signal.SIGINT)
        print("started")
except KeyboardInterrupt:
    print("interrupted")
"""
FAMILY = """
import multiprocessing, os, sys, time
from pathlib import Path
from portrayal.processes import settle_in

def work(folder):
    settle_in()
    (Path(folder) / "child").write_text(str(os.getpid()))
    time.sleep(3600)

if __name__ == "__main__":
    child = multiprocessing.get_context("spawn").Process(target=work, args=(sys.argv[1],))
    child.start()
    child.join()
"""


def test_cores_are_those_this_process_may_use() -> None:
    mine = os.sched_getaffinity(0)
    assert cpu_count() == len(mine)
    try:
        os.sched_setaffinity(0, {min(mine)})
        assert cpu_count() == 1
    finally:
        os.sched_setaffinity(0, mine)


def test_ctrl_c_comes_after_the_workers_were_started() -> None:
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["started", "interrupted"]


def test_what_is_started_meanwhile_does_not_hear_it_either() -> None:
    with deaf_to_ctrl_c():
        inside = subprocess.run([sys.executable, "-c", SIGNALS], capture_output=True, text=True, check=True)
    outside = subprocess.run([sys.executable, "-c", SIGNALS], capture_output=True, text=True, check=True)
    assert (inside.stdout.strip(), outside.stdout.strip()) == ("True", "False")


def test_it_keeps_signals_that_were_blocked_before() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with deaf_to_ctrl_c():
            pass
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_a_worker_survives_ctrl_c_and_ends_with_its_parent(tmp_path: Path) -> None:
    (tmp_path / "family.py").write_text(FAMILY)
    parent = subprocess.Popen([sys.executable, str(tmp_path / "family.py"), str(tmp_path)])
    note = tmp_path / "child"
    wait(lambda: note.exists() and note.read_text() != "")
    child = int(note.read_text())
    os.kill(child, signal.SIGINT)
    time.sleep(0.1)
    assert is_alive(child)
    parent.kill()
    parent.wait()
    wait(lambda: not is_alive(child))


def wait(ready: Callable[[], bool]) -> None:
    while not ready():
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
