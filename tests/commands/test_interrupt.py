"""Ctrl-C stops after the current batch, a second one at once; the next run ends where an undisturbed one would.

A plugin whose work waits for a file makes the moment of the signal certain, and shows that plugins work in a real
process.
"""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.plugins import write_plugin

pytestmark = pytest.mark.slow

Ran = subprocess.CompletedProcess[str]
Run = Callable[..., Ran]
Make = Callable[..., Path]
Start = Callable[..., subprocess.Popen[str]]
Rows = Callable[[Path], dict[str, list[str]]]

PLUGIN = """
import os, time
from pathlib import Path
from portrayal.annotators.simulated import Simulated as Looker
from portrayal.generators.simulated import Simulated as Drawer

passed = 0

def wait():
    global passed
    passed += 1
    if "HELD" in os.environ and passed > int(os.environ["UNHELD"]):
        held = Path(os.environ["HELD"])
        (held / f"work-{os.getpid()}").touch()
        while not (held / "go").exists():
            time.sleep(0.01)

class SlowDrawer(Drawer):
    name = "slow@1"
    def generate(self, jobs):
        for job in jobs:
            wait()
            yield from super().generate([job])

class SlowLooker(Looker):
    name = "slow@1"
    def annotate(self, images):
        wait()
        yield from super().annotate(images)
"""
# A worker that takes its time to start, before any of our code runs in it.
SITE = """
import os, sys, time
from pathlib import Path
if "HELD" in os.environ and "--multiprocessing-fork" in sys.orig_argv:
    held = Path(os.environ["HELD"])
    (held / f"start-{os.getpid()}").touch()
    while not (held / "start").exists():
        time.sleep(0.01)
"""
ENTRY_POINTS = """
[portrayal.generators]
slow = slow_parts:SlowDrawer
[portrayal.annotators]
slow = slow_parts:SlowLooker
"""
# A terminal of its own, so that Ctrl-C reaches the command and its workers as it does in a shell.
ON_TERMINAL = """
import fcntl, os, sys, termios
os.setsid()
fcntl.ioctl(2, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


SLOW: dict[str, Any] = {
    "generators": [{"use": "slow", "images": 10, "options": {"refused": 0.2, "failed": 0.2}}],
    "annotators": [{"use": "slow"}],
    "annotate": {"batch": 2, "workers": 2},
}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the slow parts, for this process and those it starts."""
    folder = tmp_path_factory.mktemp("plugin")
    write_plugin(folder, "slow_parts", PLUGIN, ENTRY_POINTS)
    (folder / "sitecustomize.py").write_text(SITE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(scope="module")
def undisturbed(
    plugin: None, write_study: Make, rows: Rows, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """Return the tables of a study that nobody stopped."""
    from portrayal.study.run import run_stages
    from portrayal.study.run_control import RunControl
    from portrayal.study.study import OpenStudy

    study = write_study(tmp_path_factory.mktemp("undisturbed") / "study", **SLOW, generate={"batch": 50})
    annotate_here(study)
    run_stages(OpenStudy(study), RunControl())
    return rows(study)


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder where each process leaves a file when its work is held up, until there is a file ``go``."""
    (tmp_path / "held").mkdir()
    monkeypatch.setenv("HELD", str(tmp_path / "held"))
    monkeypatch.setenv("UNHELD", "0")
    return tmp_path / "held"


def annotate_here(study: Path) -> None:
    """Let no more workers be started for a study: what they would find is the same."""
    text = (study / "study.toml").read_text(encoding="utf-8")
    assert '"workers" = 2' in text
    (study / "study.toml").write_text(text.replace('"workers" = 2', '"workers" = 1'), encoding="utf-8")


def wait_for(ready: Callable[[], object], process: subprocess.Popen[str]) -> None:
    while not ready():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def hear_of_stopping(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    said = "stopping after the current batch; press Ctrl-C again to stop at once\n"
    assert any(line == said for line in iter(process.stderr.readline, ""))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_after_the_batch_and_the_next_run_completes(
    cli: Run,
    start_command: Start,
    make_study: Make,
    rows: Rows,
    undisturbed: dict[str, list[str]],
    held: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    study = make_study(**SLOW, generate={"batch": 2})
    monkeypatch.setenv("UNHELD", "3")  # in the middle of the second batch
    process = start_command("run", study)
    wait_for(lambda: list(held.glob("work-*")), process)
    process.send_signal(number)
    hear_of_stopping(process)
    (held / "go").touch()
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert err.endswith("stopped; nothing is lost, run it again to go on\n")
    assert len(rows(study)["outcomes"]) == 4
    assert not (study / ".lock-owner").exists()

    monkeypatch.delenv("HELD")
    annotate_here(study)
    assert cli("run", study).returncode == 0
    assert rows(study) == undisturbed
    assert (study / "report/index.html").is_file()


def test_a_second_signal_stops_at_once_and_loses_only_the_batch(
    cli: Run,
    start_command: Start,
    make_study: Make,
    rows: Rows,
    undisturbed: dict[str, list[str]],
    held: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = make_study(**SLOW, generate={"batch": 1000})
    process = start_command("generate", study)
    wait_for(lambda: list(held.glob("work-*")), process)
    process.send_signal(signal.SIGINT)
    hear_of_stopping(process)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines() == ["stopped at once; what was committed is safe, run it again to go on"]
    assert rows(study)["outcomes"] == []

    monkeypatch.delenv("HELD")
    assert cli("generate", study).returncode == 0
    assert rows(study)["outcomes"] == undisturbed["outcomes"]


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Return our end and the command's end of a terminal."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


def drain(terminal: int, until: str = "") -> str:
    """Return what is drawn until ``until`` is, or to the end."""
    drawn = b""
    while not until or until not in drawn.decode(errors="replace"):
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # what Linux says when the other side has closed
            chunk = b""
        if not chunk:
            break
        drawn += chunk
    return drawn.decode(errors="replace")


def press_ctrl_c(study: Path, terminal: tuple[int, int], held: Path, moment: str) -> tuple[int, str]:
    """Annotate on a terminal, press Ctrl-C when two workers are held up, and let them go when it was heard.

    Return the exit code and what was drawn.
    """
    ours, theirs = terminal
    installed = str(Path(sys.executable).with_name("portrayal"))
    words = [sys.executable, "-c", ON_TERMINAL, installed, "annotate", str(study)]
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, text=True) as process:
        os.close(theirs)
        wait_for(lambda: len(list(held.glob(f"{moment}-*"))) == 2, process)
        os.write(ours, b"\x03")
        drawn = drain(ours, "stopping after the current batch")
        for gate in ("start", "go"):
            (held / gate).touch()
        drawn += drain(ours)
        process.wait()
    return process.returncode, drawn


@pytest.mark.parametrize("moment", ["work", "start"])
def test_ctrl_c_on_a_terminal_lets_the_workers_finish_their_batches(
    cli: Run,
    make_study: Make,
    rows: Rows,
    undisturbed: dict[str, list[str]],
    held: Path,
    terminal: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
) -> None:
    study = make_study(**SLOW, generate={"batch": 50})
    with monkeypatch.context() as unheld:
        unheld.delenv("HELD")
        assert cli("generate", study).returncode == 0
    if moment == "work":
        (held / "start").touch()
    code, drawn = press_ctrl_c(study, terminal, held, moment)
    assert code == 130, drawn
    assert "stopping after the current batch" in drawn
    assert "stopped; nothing is lost" in drawn
    assert "Traceback" not in drawn

    monkeypatch.delenv("HELD")
    annotate_here(study)
    assert cli("annotate", study).returncode == 0
    assert rows(study)["observations"] == undisturbed["observations"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_command_that_waits_for_a_cluster_ends_with_one_line(start_command: Start, how: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        waiting = start_command("engine", "check", "--engine", "ray", "--address", address)
        with silent.accept()[0] as connection:
            connection.recv(1)  # now it waits for an answer
            waiting.send_signal(how)
            assert waiting.communicate() == ("", "stopped\n")
    assert waiting.returncode == 130
