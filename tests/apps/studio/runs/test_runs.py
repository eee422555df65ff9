"""Runs are processes of their own: the page tells the truth of them, whoever is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from tests.apps.studio.conftest import add_study

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import STATE, ListedStudy, list_studies
from portrayal.apps.studio.runs.run_queue import RunQueue
from portrayal.apps.studio.runs.run_state import RunFiles, RunPhase, RunRecord, RunView, process_mark, view_run
from portrayal.apps.studio.web.run_words import paid_words
from portrayal.store.checksums.checked_json import write_checked_json

pytestmark = pytest.mark.slow

MANY = 100_000


def wait_for(holds: Callable[[], bool]) -> None:
    """Wait as long as a slow machine may take, but not for ever."""
    end = time.monotonic() + 600
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def studies(root: Path, *images: int) -> list[ListedStudy]:
    for number, of_each in enumerate(images):
        add_study(root / f"s{number}", of_each, size=0)
    return list_studies(root)


def stage_begun(queue: RunQueue, key: str) -> Callable[[], bool]:
    return lambda: queue.view(key).record.stage not in ("", "plan")


def test_a_run_ends_with_a_report_and_says_so(tmp_path: Path) -> None:
    (study,) = studies(tmp_path, 3)
    queue = RunQueue(tmp_path)
    assert queue.view(study.key).phase is RunPhase.NONE
    queue.ask(study)
    assert queue.view(study.key).active
    wait_for(lambda: not queue.view(study.key).active)
    view = queue.view(study.key)
    assert (view.phase, view.record.line) == (RunPhase.DONE, "")
    assert study.report.is_file()
    assert RunQueue(tmp_path).view(study.key).phase is RunPhase.DONE  # another server knows it too


def test_an_error_is_the_line_that_the_command_would_print(tmp_path: Path) -> None:
    (study,) = studies(tmp_path, 3)
    text = (study.folder / "study.toml").read_text()
    (study.folder / "study.toml").write_text(text.replace('use = "simulated"', 'use = "simulatd"', 1))
    queue = RunQueue(tmp_path)
    queue.ask(study)
    wait_for(lambda: not queue.view(study.key).active)
    view = queue.view(study.key)
    assert view.phase is RunPhase.FAILED
    assert "did you mean 'simulated'" in view.record.line


def test_stopped_runs_lose_nothing_and_go_on(tmp_path: Path) -> None:
    (study,) = studies(tmp_path, MANY)
    queue = RunQueue(tmp_path)
    queue.ask(study)
    wait_for(stage_begun(queue, study.key))
    queue.stop(study.key)
    wait_for(lambda: not queue.view(study.key).active)
    assert queue.view(study.key).phase is RunPhase.STOPPED
    made = Study(study.folder).status.outcomes
    assert sum(counts.get("made", 0) for counts in made.values()) < 2 * MANY
    text = (study.folder / "study.toml").read_text().replace(f"images = {MANY}", "images = 2")
    (study.folder / "study.toml").write_text(text)
    queue.ask(study)
    wait_for(lambda: not queue.view(study.key).active)
    assert queue.view(study.key).phase is RunPhase.DONE


def test_a_killed_run_is_not_said_to_be_running_and_goes_on(tmp_path: Path) -> None:
    (study,) = studies(tmp_path, MANY)
    queue = RunQueue(tmp_path)
    queue.ask(study)
    wait_for(stage_begun(queue, study.key))
    os.kill(queue.view(study.key).record.pid, signal.SIGKILL)
    wait_for(lambda: queue.view(study.key).phase is RunPhase.KILLED)
    text = (study.folder / "study.toml").read_text().replace(f"images = {MANY}", "images = 2")
    (study.folder / "study.toml").write_text(text)
    queue.ask(study)
    wait_for(lambda: not queue.view(study.key).active)
    assert queue.view(study.key).phase is RunPhase.DONE


def test_one_run_at_a_time_the_others_wait_in_their_order_and_can_be_taken_back(tmp_path: Path) -> None:
    first, second, third = studies(tmp_path, MANY, 2, 2)
    queue = RunQueue(tmp_path)
    for study in (first, second, third, first):
        queue.ask(study)
    assert [queue.view(study.key).phase for study in (first, second, third)] == [
        RunPhase.RUNNING,
        RunPhase.QUEUED,
        RunPhase.QUEUED,
    ]
    queue.stop(second.key)
    assert queue.view(second.key).phase is RunPhase.NONE
    wait_for(stage_begun(queue, first.key))
    queue.stop(first.key)
    wait_for(lambda: not queue.view(first.key).active)
    queue.tend()
    wait_for(lambda: not queue.view(third.key).active)
    assert [queue.view(study.key).phase for study in (first, second, third)] == [
        RunPhase.STOPPED,
        RunPhase.NONE,
        RunPhase.DONE,
    ]


def test_a_run_that_ends_before_its_server_looks_is_not_said_to_be_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (study,) = studies(tmp_path, 1)
    begin = RunFiles.begin

    def late(files: RunFiles, record: RunRecord) -> None:
        wait_for(lambda: process_mark(record.pid) is None)
        begin(files, record)

    monkeypatch.setattr(RunFiles, "begin", late)
    queue = RunQueue(tmp_path)
    queue.ask(study)
    wait_for(lambda: not queue.view(study.key).active)  # a thread of it may end a moment later
    assert queue.view(study.key).phase is RunPhase.DONE


def test_several_who_ask_at_once_start_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (study,) = studies(tmp_path, 1)
    queue, begun, everyone = RunQueue(tmp_path), list[str](), threading.Barrier(8)
    start = RunQueue._start

    def slowly(queue: RunQueue, study: ListedStudy, budget: str) -> None:
        begun.append(study.key)
        time.sleep(0.3)  # as the system may take for a new process
        start(queue, study, budget)

    def ask() -> None:
        everyone.wait()
        queue.ask(study)
        queue.tend()  # as the server does each second

    monkeypatch.setattr(RunQueue, "_start", slowly)
    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert begun == [study.key]
    wait_for(lambda: not queue.view(study.key).active)
    assert queue.view(study.key).phase is RunPhase.DONE


def test_what_waits_is_known_to_the_next_server(tmp_path: Path) -> None:
    long, first, gone, second = studies(tmp_path, MANY, 3, 3, 3)
    queue = RunQueue(tmp_path)
    queue.ask(long)
    for study, budget in ((first, None), (gone, None), (second, 0.5)):
        queue.ask(study, budget)
    shutil.rmtree(gone.folder)
    later = RunQueue(tmp_path)  # as after a kill: nobody has said good-bye
    wait_for(stage_begun(later, long.key))
    assert [later.view(study.key).phase for study in (first, gone, second)] == ["queued", "none", "queued"]
    later.stop(second.key)
    assert RunQueue(tmp_path).view(second.key).phase == "none"
    queue.stop(long.key)
    wait_for(lambda: not queue.view(long.key).active)
    last = RunQueue(tmp_path)
    last.tend()
    wait_for(lambda: last.view(first.key).phase is RunPhase.DONE)
    assert RunQueue(tmp_path)._waiting == {}
    waiting = tmp_path / STATE / "waiting.json"
    waiting.write_bytes(waiting.read_bytes()[:-2] + b"x}")
    assert RunQueue(tmp_path)._waiting == {}


def test_a_new_server_waits_for_the_run_of_an_old_one_and_can_stop_it(tmp_path: Path) -> None:
    first, second = studies(tmp_path, MANY, 2)
    old = RunQueue(tmp_path)
    old.ask(first)
    wait_for(stage_begun(old, first.key))
    new = RunQueue(tmp_path)
    new.ask(second)
    assert [new.view(study.key).phase for study in (first, second)] == [RunPhase.RUNNING, RunPhase.QUEUED]
    new.stop(first.key)
    wait_for(lambda: not old.view(first.key).active)
    new.tend()
    wait_for(lambda: not new.view(second.key).active)
    assert [new.view(study.key).phase for study in (first, second)] == [RunPhase.STOPPED, RunPhase.DONE]


def test_modules_in_the_folder_of_a_study_do_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (study,) = studies(tmp_path, 2)
    for name in ("json", "portrayal", "sitecustomize", "multiprocessing"):
        (study.folder / f"{name}.py").write_text("import pathlib; pathlib.Path(__file__).with_suffix('.ran').touch()")
    monkeypatch.chdir(study.folder)
    queue = RunQueue(tmp_path)
    queue.ask(study)
    wait_for(lambda: not queue.view(study.key).active)
    assert queue.view(study.key).phase is RunPhase.DONE
    assert not list(study.folder.glob("*.ran"))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"phase": "done"}', b'{"phase": 3}', b"\xff" * 50])
def test_a_damaged_record_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    assert RunFiles(tmp_path).read() == RunRecord()


def test_a_later_process_of_the_same_number_is_not_the_run() -> None:
    mine = process_mark(os.getpid())
    assert mine
    assert view_run(RunRecord(RunPhase.RUNNING, os.getpid(), mine)).phase is RunPhase.RUNNING
    assert view_run(RunRecord(RunPhase.RUNNING, os.getpid(), f"{mine}0")).phase is RunPhase.KILLED


def test_a_record_from_before_budgets_is_read(tmp_path: Path) -> None:
    files = RunFiles(tmp_path)
    before = {name: value for name, value in asdict(RunRecord(RunPhase.DONE)).items() if name != "budget"}
    write_checked_json(files.record, before)
    assert files.read() == RunRecord(RunPhase.DONE)


def test_time_left_is_said_only_where_it_is_known() -> None:
    assert RunView(RunPhase.RUNNING, RunRecord(done=5, total=15, rate=2.0)).seconds_left == 5.0
    assert RunView(RunPhase.RUNNING, RunRecord(done=0, total=15, rate=0.0)).seconds_left is None
    assert RunView(RunPhase.RUNNING, RunRecord(done=15, total=15, rate=2.0)).seconds_left is None


@pytest.mark.parametrize(
    ("usd", "budget", "said"),
    [(0.0, "", ""), (0.4, "", "0.40 US dollars so far"), (0.0, "2.5", "0.00 of 2.50 US dollars so far")],
)
def test_what_is_paid_is_said_beside_the_budget(usd: float, budget: str, said: str) -> None:
    assert paid_words(usd, budget) == said


def test_the_record_is_json_that_others_can_read(tmp_path: Path) -> None:
    RunFiles(tmp_path).write(RunRecord(RunPhase.FAILED, 7, "8", "generate x", 1, 2, 0.5, "why", ("so",)))
    assert json.loads((tmp_path / "run.json").read_text())["phase"] == "failed"
    assert RunFiles(tmp_path).read().remarks == ("so",)


@pytest.mark.parametrize("change", [{"pid": -1}, {"rate": "x"}, {"total": []}, {"phase": "odd"}, {"mark": None}, {}])
def test_a_record_that_says_nonsense_is_none(tmp_path: Path, change: dict[str, object]) -> None:
    files = RunFiles(tmp_path)
    files.write(RunRecord(RunPhase.RUNNING, 1, "0", done=3, total=9))
    said = json.loads(files.record.read_bytes())
    assert files.read().done == 3
    files.record.write_text(json.dumps({**said, **change, "done": 4}))
    assert files.read() == RunRecord()  # its checksum is of another
    del said["checksum"]
    files.record.write_text(json.dumps({**said, **change}))
    read = files.read()
    assert view_run(read).phase in (RunPhase.NONE, RunPhase.KILLED)
    assert view_run(read).seconds_left is None
    for data in (b"[" * 100_000, b"", b"{}", bytes(9)):
        files.record.write_bytes(data)
        assert files.read() == RunRecord()
