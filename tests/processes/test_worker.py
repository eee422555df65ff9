"""Workers that outlive a Ctrl-C but not their parent and leave its script alone, tried on real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import spawn
from pathlib import Path

import pytest

from portrayal.processes import WorkerProcess, cpu_count, deaf_to_ctrl_c

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
# No script here has a guard: a worker that ran it again would print a second line, or start workers of its own.
FAMILY = """
import sys
from portrayal.processes import WorkerPool

work = "import os, time; open(path, 'w').write(str(os.getpid())); time.sleep(3600)"
WorkerPool(1).submit(exec, work, {"path": sys.argv[1]}).result()
"""
UNGUARDED = """
from portrayal.processes import WorkerPool

print("begun")
with WorkerPool(2) as pool:
    print(*pool.map(pow, [2, 3, 4], [5, 6, 7]))
"""
MAIN = {"init_main_from_name", "init_main_from_path"}


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
    note = tmp_path / "child"
    parent = subprocess.Popen([sys.executable, str(tmp_path / "family.py"), str(note)])
    wait(lambda: note.exists() and note.read_text() != "")
    child = int(note.read_text())
    os.kill(child, signal.SIGINT)
    time.sleep(0.1)
    assert is_alive(child)
    parent.kill()
    parent.wait()
    wait(lambda: not is_alive(child))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["script", "module", "stdin", "command"])
def test_workers_do_not_run_the_script_again(way: str, tmp_path: Path) -> None:
    (tmp_path / "unguarded.py").write_text(UNGUARDED)
    arguments = {
        "script": ["unguarded.py"],
        "module": ["-m", "unguarded"],
        "stdin": ["-"],
        "command": ["-c", UNGUARDED],
    }
    read = UNGUARDED if way == "stdin" else ""
    words = [sys.executable, *arguments[way]]
    ran = subprocess.run(words, input=read, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ran.stdout, ran.stderr) == ("begun\n32 729 16384\n", "")


class Meanwhile:
    """Does something at the moment at which it is handed to a process that is being started."""

    def __init__(self, does: Callable[[], None]) -> None:
        self._does = does

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        self._does()
        return int, (0,)


def test_processes_that_other_threads_start_meanwhile_are_told_of_the_script_as_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = sys.modules["__main__"]  # where tests run in several processes, it is no script
    monkeypatch.setattr(main, "__file__", str(tmp_path / "script.py"), raising=False)
    monkeypatch.setattr(main, "__spec__", None)
    before = spawn.get_preparation_data
    told: list[set[str]] = []

    def other_thread() -> None:
        thread = threading.Thread(target=lambda: told.append(MAIN & set(spawn.get_preparation_data("other"))))
        thread.start()
        thread.join()

    def this_thread() -> None:
        told.append(MAIN & set(spawn.get_preparation_data("own")))

    process = WorkerProcess(target=print, args=(Meanwhile(other_thread), Meanwhile(this_thread)))
    process.start()
    process.join()
    assert told == [MAIN & set(before("own")), set()]
    assert len(told[0]) == 1
    assert spawn.get_preparation_data is before


def wait(ready: Callable[[], bool]) -> None:
    while not ready():
        time.sleep(0.01)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
