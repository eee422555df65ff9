"""Drawing for money, many at a time: killed, stopped or out of money, nothing is drawn twice and no bill is forgotten.

A plugin stands for the service. It bills into a file of its own, in the moment in which a real one would.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.plugins import write_plugin

from portrayal.errors import BudgetError, ConfigError, ServiceError
from portrayal.generators.simulated import Simulated
from portrayal.records import Failed, Job, Made
from portrayal.services.account import UnlimitedAccount
from portrayal.store.ledger import spent_by_part
from portrayal.store.workspace import Workspace
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Make = Callable[..., Path]
Rows = Callable[[Path], dict[str, list[str]]]
DRAW = Simulated.generate

PRICE = 0.25
PLUGIN = f"""
import os, threading, time
from collections import deque
from pathlib import Path
from portrayal.annotators.simulated import Simulated as Looker
from portrayal.generators.simulated import Simulated as Drawer
from portrayal.services.account import UnlimitedAccount

lock = threading.Lock()

def hold(number):
    while "HELD" in os.environ and number > int(Path(os.environ["HELD"]).read_text() or 0):
        time.sleep(0.01)

class Shop(Drawer):
    name = "shop@1"
    parallel = 4

    def __init__(self, argument, options):
        super().__init__(argument, options)
        self.account = UnlimitedAccount()

    def price(self, text):
        return {PRICE}

    def generate(self, jobs):
        for job in jobs:
            ticket = self.account.reserve({PRICE}, "generator 'shop'", job.id)
            cost = {PRICE} / (1 + job.index % 2)
            with lock, open(os.environ["BILLS"], "a+") as bills:
                bills.write(f"{{job.id}} {{cost}}\\n")
                bills.seek(0)
                number = len(bills.readlines())
            hold(number)
            self.account.settle(ticket, cost)
            yield from super().generate([job])

class Streamer(Looker):
    name = "streamer@1"

    def stream(self, batches):
        waiting = deque()
        for batch in batches:
            waiting.append(batch)
            if len(waiting) > 2:
                yield self.look(waiting.popleft())
        while waiting:
            yield self.look(waiting.popleft())

    def look(self, batch):
        self.looks = getattr(self, "looks", 0) + 1
        time.sleep(float(os.environ.get("PAUSE", "0")))
        hold(self.looks)
        return batch, list(self.annotate(batch))
"""
ENTRY_POINTS = """
[portrayal.generators]
shop = paid_parts:Shop
[portrayal.annotators]
streamer = paid_parts:Streamer
"""
STUDY: dict[str, Any] = {
    "generators": [{"use": "shop", "images": 20, "options": {"refused": 0.2, "failed": 0.2, "size": 2}}],
    "annotators": [{"use": "streamer"}],
    "annotate": {"batch": 2, "workers": 1},
}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the parts, for this process and those it starts."""
    folder = tmp_path_factory.mktemp("plugin")
    write_plugin(folder, "paid_parts", PLUGIN, ENTRY_POINTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        yield


@pytest.fixture(scope="module")
def undisturbed(
    plugin: None, write_study: Make, rows: Rows, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """Return the tables of a study that nobody disturbed."""
    root = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BILLS", str(root / "bills"))
        study = write_study(root / "study", **STUDY)
        run_stages(OpenStudy(study), RunControl(), ("plan", "generate", "annotate"))
    return rows(study)


@pytest.fixture
def bills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "bills"
    path.touch()
    monkeypatch.setenv("BILLS", str(path))
    return path


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that says how many calls may end, at first none."""
    path = tmp_path / "held"
    path.write_text("0")
    monkeypatch.setenv("HELD", str(path))
    return path


def command(*arguments: object) -> subprocess.Popen[str]:
    words = [str(Path(sys.executable).with_name("portrayal")), *map(str, arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(ready: Callable[[], object], process: subprocess.Popen[str]) -> None:
    while not ready():
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)


def hear_of_stopping(process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    assert any("stopping after the current batch" in line for line in iter(process.stderr.readline, ""))


def lines(bills: Path) -> list[str]:
    return bills.read_text().splitlines()


def billed(bills: Path) -> float:
    return sum(float(line.split()[1]) for line in lines(bills))


def has_billed(bills: Path, calls: int) -> bool:
    return len(lines(bills)) >= calls


def spent(study: Path) -> float:
    return sum(spent_by_part(Workspace(study)).values())


def test_killed_while_drawing_for_money(
    make_study: Make,
    undisturbed: dict[str, list[str]],
    rows: Rows,
    bills: Path,
    held: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study, rng = make_study(**STUDY), random.Random(20261115)
    budget = 4.0
    for _ in range(3):
        wanted = len(lines(bills)) + rng.randint(1, 5)
        held.write_text(str(wanted - 1))
        process = command("generate", study, "--budget", budget)
        wait_for(partial(has_billed, bills, wanted), process)
        time.sleep(rng.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert billed(bills) <= spent(study) <= budget
    monkeypatch.delenv("HELD")

    with pytest.raises(BudgetError):
        run_stages(OpenStudy(study), RunControl(budget=budget), ("plan", "generate"))
    # What a kill cut off counts in full; no other call does, so that nearly all of the budget is used.
    assert billed(bills) <= spent(study) <= budget
    assert spent(study) > budget - PRICE
    outcomes = len(rows(study)["outcomes"])
    assert 0 < outcomes <= len(lines(bills))

    run_stages(OpenStudy(study), RunControl(budget=100.0), ("plan", "generate"))
    assert billed(bills) <= spent(study)
    found = rows(study)
    assert found["outcomes"] == undisturbed["outcomes"]
    cut_off = len(lines(bills)) - len(found["outcomes"])
    assert 0 <= cut_off <= 3 * 4
    assert read_status(OpenStudy(study)).spent == {name: spent(study) for name in OpenStudy(study).generators}


def test_ctrl_c_lets_what_is_paid_for_arrive(
    make_study: Make,
    undisturbed: dict[str, list[str]],
    rows: Rows,
    bills: Path,
    held: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = make_study(**STUDY)
    process = command("generate", study)
    wait_for(partial(has_billed, bills, 4), process)
    process.send_signal(signal.SIGINT)
    hear_of_stopping(process)
    held.write_text("100")
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.endswith("stopped; nothing is lost, run it again to go on\n")
    assert len(rows(study)["outcomes"]) == len(lines(bills)) == 4
    assert spent(study) == billed(bills)

    monkeypatch.delenv("HELD")
    run_stages(OpenStudy(study), RunControl(), ("plan", "generate"))
    assert rows(study)["outcomes"] == undisturbed["outcomes"]
    assert spent(study) == billed(bills)


@pytest.mark.usefixtures("plugin", "held")
def test_a_second_ctrl_c_does_not_wait_for_the_service(make_study: Make, rows: Rows, bills: Path) -> None:
    study = make_study(**STUDY)
    process = command("generate", study)
    wait_for(partial(has_billed, bills, 4), process)
    process.send_signal(signal.SIGINT)
    hear_of_stopping(process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err.splitlines() == ["stopped at once; what was committed is safe, run it again to go on"]
    assert rows(study)["outcomes"] == []
    assert spent(study) == 4 * PRICE >= billed(bills)


@pytest.mark.usefixtures("bills")
def test_a_killed_stream_ends_where_an_undisturbed_one_does(
    make_study: Make, undisturbed: dict[str, list[str]], rows: Rows, held: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_study(**STUDY)
    with monkeypatch.context() as unheld:
        unheld.delenv("HELD")
        run_stages(OpenStudy(study), RunControl(), ("plan", "generate"))
    monkeypatch.setenv("PAUSE", "0.3")  # so that the first ones are committed before the fifth
    held.write_text("5")
    process = command("annotate", study)
    wait_for(Workspace(study).tables["observations"].segments, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    done = Workspace(study).query("SELECT DISTINCT image FROM observations").num_rows
    assert 2 <= done <= 10  # five batches of two, and not all of them
    monkeypatch.delenv("PAUSE")
    monkeypatch.delenv("HELD")
    run_stages(OpenStudy(study), RunControl(), ("plan", "annotate"))
    assert rows(study)["observations"] == undisturbed["observations"]


Draw = Callable[[Any, Job], Iterator[Any]]


def sell(monkeypatch: pytest.MonkeyPatch, draw: Draw, parallel: int | None = 4, price: float | None = 1.0) -> None:
    """Put a service in place of the simulated generator; each call is for one job."""

    def paid(self: Any, jobs: Sequence[Job]) -> Iterator[Any]:
        (job,) = jobs
        yield from draw(self, job)

    monkeypatch.setattr(Simulated, "generate", paid)
    monkeypatch.setattr(Simulated, "account", UnlimitedAccount(), raising=False)
    monkeypatch.setattr(Simulated, "price", lambda self, text: price, raising=False)
    if parallel is not None:
        monkeypatch.setattr(Simulated, "parallel", parallel, raising=False)


def buy(self: Any, job: Job, cost: float = 1.0) -> Iterator[Any]:
    ticket = self.account.reserve(1.0, "generator 'simulated'", job.id)
    time.sleep(0.01)
    self.account.settle(ticket, cost)
    yield from DRAW(self, [job])


def planned(make_study: Make, **changes: Any) -> OpenStudy:
    study = OpenStudy(make_study(**changes))
    plan(study, RunControl())
    return study


@pytest.mark.parametrize("parallel", [None, 1, 50])
def test_every_job_is_asked_once(make_study: Make, monkeypatch: pytest.MonkeyPatch, parallel: int | None) -> None:
    sell(monkeypatch, buy, parallel)
    study = planned(make_study)
    generate(study, RunControl(budget=6.0))
    generate(study, RunControl(budget=6.0))
    assert study.workspace.tables["outcomes"].count() == 6
    assert spent_by_part(study.workspace) == {"simulated@1": 6.0}


def test_a_free_service_needs_no_money(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, lambda self, job: DRAW(self, [job]), price=0.0)
    study = planned(make_study)
    generate(study, RunControl(budget=0.0))
    assert study.workspace.tables["outcomes"].count() == 6
    assert spent_by_part(study.workspace) == {}


def test_without_a_price_a_budget_is_refused_and_no_budget_is_fine(
    make_study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    sell(monkeypatch, lambda self, job: DRAW(self, [job]), price=None)
    study = planned(make_study)
    with pytest.raises(ConfigError, match="a budget needs prices"):
        generate(study, RunControl(budget=100.0))
    assert study.workspace.tables["outcomes"].count() == 0
    generate(study, RunControl())
    assert study.workspace.tables["outcomes"].count() == 6


def test_out_of_money_what_is_under_way_is_kept(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, buy)
    study = planned(make_study)
    for budget in (2.5, 2.9):
        with pytest.raises(BudgetError):
            generate(study, RunControl(budget=budget))
        assert study.workspace.tables["outcomes"].count() == 2
        assert spent_by_part(study.workspace) == {"simulated@1": 2.0}
    generate(study, RunControl(budget=6.0))
    assert spent_by_part(study.workspace) == {"simulated@1": 6.0}


def test_calls_that_turn_out_cheap_leave_room_for_more(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    sell(monkeypatch, lambda self, job: buy(self, job, 0.125))
    study = planned(make_study)
    generate(study, RunControl(budget=1.75))  # four at a time may cost 4; six of them cost 0.75
    assert spent_by_part(study.workspace) == {"simulated@1": 0.75}


def test_a_service_that_refuses_all_work_stops_it_and_keeps_what_arrives(
    make_study: Make, monkeypatch: pytest.MonkeyPatch, problem_told: threading.Event
) -> None:
    begun, lock = Counter[str](), threading.Lock()

    def draw(self: Any, job: Job) -> Iterator[Any]:
        with lock:
            begun[job.id] += 1
            is_third = begun.total() == 3
        if is_third:
            raise ServiceError("the key was revoked")
        problem_told.wait()
        yield from buy(self, job)

    sell(monkeypatch, draw, 3)
    study = planned(make_study)
    with pytest.raises(ServiceError, match="revoked"):
        generate(study, RunControl())
    assert begun.total() == 3
    assert study.workspace.tables["outcomes"].count() == 2


def test_what_breaks_in_between_counts_in_full_and_holds_nobody_up(
    make_study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(self: Any, job: Job) -> Iterator[Any]:
        self.account.reserve(1.0, "generator 'simulated'", job.id)
        raise ZeroDivisionError

    sell(monkeypatch, draw)
    study = planned(make_study)
    with pytest.raises(BudgetError):
        generate(study, RunControl(budget=4.5))
    assert spent_by_part(study.workspace) == {"simulated@1": 4.0}
    reasons = study.workspace.query("SELECT status, reason FROM outcomes").to_pylist()
    assert reasons == [{"status": "failed", "reason": "generator_error"}] * 4


def test_failures_are_asked_for_again(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(self: Any, job: Job) -> Iterator[Any]:
        yield from buy(self, job) if job.attempt == 2 else iter([Failed(job.id, "overloaded")])

    sell(monkeypatch, draw)
    study = planned(make_study)
    generate(study, RunControl())
    counts = Counter(study.workspace.query("SELECT status FROM outcomes")["status"].to_pylist())
    assert counts == {"failed": 6, "made": 6}


def test_trouble_with_the_plan_loses_nothing_that_is_paid_for(
    make_study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = RunControl.batches

    def torn(*arguments: Any) -> Iterator[list[Job]]:
        for number, batch in enumerate(batches(*arguments)):
            if number == 2:
                raise OSError("a table is gone")
            yield batch

    sell(monkeypatch, buy)
    study = planned(make_study)
    monkeypatch.setattr(RunControl, "batches", torn)
    with pytest.raises(OSError, match="a table is gone"):
        generate(study, RunControl())
    assert study.workspace.tables["outcomes"].count() == 2


@pytest.mark.filterwarnings("error")
def test_a_part_that_wants_to_end_the_program_neither_does_nor_hangs_it(
    make_study: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(self: Any, job: Job) -> Iterator[Made]:
        sys.exit("no licence")

    sell(monkeypatch, draw)
    study = planned(make_study)
    generate(study, RunControl())
    found = study.workspace.query("SELECT DISTINCT reason, detail FROM outcomes").to_pylist()
    assert found == [{"reason": "generator_error", "detail": "SystemExit: no licence"}]
