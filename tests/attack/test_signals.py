"""A second Ctrl-C or SIGTERM, whenever it comes: exit code 130 and one line, and the next run completes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Start = Callable[..., subprocess.Popen[str]]

STOPPING = "stopping after the current batch; press Ctrl-C again to stop at once\n"
AT_ONCE = "stopped at once; what was committed is safe, run it again to go on\n"
DATABASE = """
import duckdb
from portrayal.api.running.interrupt import stop_on_interrupt
from portrayal.commands.interrupt import heed_signals
with heed_signals(), stop_on_interrupt():
    print("begun", flush=True)
    duckdb.sql("SELECT sum(one.range * two.range) FROM range(1000000000) AS one, range(1000000000) AS two").fetchall()
"""
BEFORE_IT_IS_LOADED = """
import sys, time
class Slow:
    def find_spec(self, name, *more):
        if name == "typer":
            print("begun", flush=True)
            time.sleep(600)
sys.meta_path.insert(0, Slow())
from portrayal.cli.main import main
main()
"""
WHILE_A_PACKAGE_IS_LOADED = """
import sys, time, types
from portrayal.commands.interrupt import heed_signals
class Slow:
    def find_spec(self, name, *more):
        if name == "heavy":
            try:
                print("begun", flush=True)
                time.sleep(600)
            except BaseException as error:
                raise ImportError("heavy: aborted") from error
sys.meta_path.insert(0, Slow())
with heed_signals():
    try:
        import heavy
    except ImportError:
        print("went on")
"""
WHERE_PYTHON_DROPS_IT = """
import time
from portrayal.commands.interrupt import heed_signals
class Closed:
    def __del__(self):
        print("begun", flush=True)
        time.sleep(600)
with heed_signals():
    Closed()
    print("went on")
"""
STAGES = ("plan", "generate", "annotate", "measure", "report")
ENDS: tuple[tuple[int, list[str]], ...] = (
    (130, [STOPPING, AT_ONCE]),
    (130, [STOPPING, "stopped; nothing is lost, run it again to go on\n"]),
    (130, ["stopped\n"]),  # the first came just before or after the stages, the second when all was said
    (130, [AT_ONCE]),
    (0, []),  # it was done before
)
ROUNDS = 6


def line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_it_while_the_database_works(first: int, second: int) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", DATABASE], **pipes) as process:  # type: ignore[call-overload]  # pipes
        assert line(process.stdout) == "begun\n"
        process.send_signal(first)
        assert line(process.stderr) == STOPPING
        process.send_signal(second)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, AT_ONCE)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("code", [BEFORE_IT_IS_LOADED, WHILE_A_PACKAGE_IS_LOADED, WHERE_PYTHON_DROPS_IT])
def test_a_signal_where_an_exception_would_be_printed_or_lost_ends_it_quietly(code: str, number: int) -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:  # type: ignore[call-overload]  # pipes
        assert line(process.stdout) == "begun\n"
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "stopped\n")


def test_two_signals_at_any_moment_are_one_line_each(
    make_study: Make, start_command: Start, cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    generators = [{"use": "simulated", "images": 40, "options": {"pixels": False}}]
    prompts = "text\n" + "".join(f"person {number}\n" for number in range(60))
    rng = random.Random(17)
    stopped = 0
    for number in range(ROUNDS):
        study = make_study(f"study-{number}", prompts=prompts, generators=generators, generate={"batch": 50})
        process = start_command("run", study)
        assert line(process.stderr).startswith("plan: ")
        time.sleep(rng.uniform(0, 1.2))
        for _ in range(2):
            process.send_signal(rng.choice([signal.SIGINT, signal.SIGTERM]))
            time.sleep(rng.choice([0, rng.uniform(0, 0.2)]))
        _, err = process.communicate()
        said = [text for text in err.splitlines(keepends=True) if not text.startswith(STAGES)]
        stopped += process.returncode != 0
        assert (process.returncode, said) in ENDS, err
    assert stopped > ROUNDS / 2
    ran = cli("run", study)
    assert ran.returncode == 0, ran.stderr
    assert Path(ran.stdout.strip()).is_file()
