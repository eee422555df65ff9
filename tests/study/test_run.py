"""Whoever calls: a script with or without a guard, two threads, a program with an event loop; always two workers."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]

TWO_WORKERS = {"batch": 1, "workers": 2}
UNGUARDED = """
import sys
from pathlib import Path
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

print(run_stages(OpenStudy(Path(sys.argv[1])), RunControl()))
"""


@pytest.fixture(scope="module")
def one_process(write_study: Make, rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return the tables of the study without worker processes."""
    study = write_study(tmp_path_factory.mktemp("one") / "study")
    run_stages(OpenStudy(study), RunControl())
    return rows(study)


def test_a_script_without_a_guard_runs_a_study(
    make_study: Make, rows: Rows, tmp_path: Path, one_process: dict[str, list[str]]
) -> None:
    study = make_study(annotate=TWO_WORKERS)
    (tmp_path / "script.py").write_text(UNGUARDED)
    words = [sys.executable, "script.py", str(study)]
    ran = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ran.stdout, ran.stderr) == (f"{study / 'report' / 'index.html'}\n", "")
    assert rows(study) == one_process


def test_two_studies_run_at_once_in_one_process(
    make_study: Make, rows: Rows, one_process: dict[str, list[str]]
) -> None:
    studies = [make_study(name, annotate=TWO_WORKERS) for name in ("left", "right")]
    threads = [threading.Thread(target=run_stages, args=(OpenStudy(study), RunControl())) for study in studies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [rows(study) for study in studies] == [one_process] * 2


def test_a_study_runs_in_and_beside_an_event_loop(
    make_study: Make, rows: Rows, one_process: dict[str, list[str]]
) -> None:
    inside, beside = (make_study(name, annotate=TWO_WORKERS) for name in ("inside", "beside"))

    async def run() -> None:
        running = asyncio.create_task(asyncio.to_thread(run_stages, OpenStudy(beside), RunControl()))
        await asyncio.sleep(0)
        run_stages(OpenStudy(inside), RunControl())
        await running

    asyncio.run(run())
    assert [rows(study) for study in (inside, beside)] == [one_process] * 2
