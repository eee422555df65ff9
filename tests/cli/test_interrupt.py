"""Ctrl-C stops after the current batch, a second one at once; the next run ends where an undisturbed one would.

A plugin generator that waits makes the moment of the signal certain, and shows that plugins work in a real process.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

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

def wait():
    if "PAUSE" in os.environ:
        Path(os.environ["BEGUN"], f"work-{os.getpid()}").touch()
        time.sleep(float(os.environ["PAUSE"]))

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
if "PAUSE" in os.environ and "--multiprocessing-fork" in sys.orig_argv:
    Path(os.environ["BEGUN"], f"start-{os.getpid()}").touch()
    time.sleep(1)
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
    (folder / "slow_parts-1.dist-info").mkdir(parents=True)
    (folder / "slow_parts.py").write_text(PLUGIN)
    (folder / "sitecustomize.py").write_text(SITE)
    (folder / "slow_parts-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: slow-parts\nVersion: 1\n")
    (folder / "slow_parts-1.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS)
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
    from portrayal.study.study import Study

    study = write_study(tmp_path_factory.mktemp("undisturbed") / "study", **SLOW, generate={"batch": 50})
    run_stages(Study(study), RunControl())
    return rows(study)


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder where each slow process leaves a file when it has begun."""
    (tmp_path / "begun").mkdir()
    monkeypatch.setenv("BEGUN", str(tmp_path / "begun"))
    return tmp_path / "begun"


def wait_for(ready: Callable[[], object], process: subprocess.Popen[str]) -> None:
    while not ready():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


def parts(study: Path, table: str) -> int:
    return len(list((study / "tables" / table).glob("*.parquet")))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.usefixtures("begun")
def test_a_signal_stops_after_the_batch_and_the_next_run_completes(
    cli: Run,
    start_command: Start,
    make_study: Make,
    rows: Rows,
    undisturbed: dict[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
) -> None:
    study = make_study(**SLOW, generate={"batch": 2})
    monkeypatch.setenv("PAUSE", "0.05")
    process = start_command("run", study)
    wait_for(lambda: list((study / "tables").glob("outcomes/*.parquet")), process)
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert "stopping after the current batch; press Ctrl-C again to stop at once\n" in err
    assert err.endswith("stopped; nothing is lost, run the same command to go on\n")
    done = len(rows(study)["outcomes"])
    assert done % 2 == 0
    assert 0 < done < 20
    assert not (study / ".lock-owner").exists()

    monkeypatch.delenv("PAUSE")
    assert cli("run", study).returncode == 0
    assert rows(study) == undisturbed
    assert (study / "report/index.html").is_file()


def test_a_second_signal_stops_at_once_and_loses_only_the_batch(
    cli: Run,
    start_command: Start,
    make_study: Make,
    rows: Rows,
    undisturbed: dict[str, list[str]],
    begun: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = make_study(**SLOW, generate={"batch": 1000})
    monkeypatch.setenv("PAUSE", "5")  # a batch of almost two minutes
    process = start_command("generate", study)
    wait_for(lambda: list(begun.glob("work-*")), process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    said = iter(process.stderr.readline, "")
    assert any("stopping after the current batch" in line for line in said)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines() == ["stopped at once; what was committed is safe, run the same command to go on"]
    assert rows(study)["outcomes"] == []

    monkeypatch.delenv("PAUSE")
    assert cli("generate", study).returncode == 0
    assert rows(study)["outcomes"] == undisturbed["outcomes"]


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Return our end and the command's end of a terminal."""
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


def drain(terminal: int) -> str:
    drawn = b""
    while True:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # what Linux says when the other side has closed
            chunk = b""
        if not chunk:
            return drawn.decode()
        drawn += chunk


def press_ctrl_c(study: Path, terminal: tuple[int, int], ready: Callable[[], object]) -> tuple[int, str]:
    """Annotate on a terminal and press Ctrl-C when ``ready``; return the exit code and what was drawn."""
    ours, theirs = terminal
    installed = str(Path(sys.executable).with_name("portrayal"))
    words = [sys.executable, "-c", ON_TERMINAL, installed, "annotate", str(study)]
    with subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, text=True) as process:
        os.close(theirs)
        wait_for(ready, process)
        os.write(ours, b"\x03")
        drawn = drain(ours)
        process.wait()
    return process.returncode, drawn


@pytest.mark.parametrize(
    "moment",
    [
        "work",
        "start",
    ],
)
def test_ctrl_c_on_a_terminal_lets_the_workers_finish_their_batches(
    cli: Run,
    make_study: Make,
    rows: Rows,
    undisturbed: dict[str, list[str]],
    begun: Path,
    terminal: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
) -> None:
    study = make_study(**SLOW, generate={"batch": 50})
    assert cli("generate", study).returncode == 0
    monkeypatch.setenv("PAUSE", "0.3")
    code, drawn = press_ctrl_c(study, terminal, lambda: len(list(begun.glob(f"{moment}-*"))) == 2)
    assert code == 130, drawn
    assert "stopping after the current batch" in drawn
    assert "stopped; nothing is lost" in drawn
    assert "Traceback" not in drawn

    monkeypatch.delenv("PAUSE")
    assert cli("annotate", study).returncode == 0
    assert rows(study)["observations"] == undisturbed["observations"]
