"""The books: on disk before a call is made, exact over many calls, and never above the budget."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import BudgetError, StorageError
from portrayal.store.ledger import Ledger, exceeds, spent_by_part
from portrayal.store.tables.table import Table
from portrayal.store.workspace import Workspace

PART = "shop@1"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def total(workspace: Workspace) -> float:
    return sum(spent_by_part(workspace).values())


class Threads:
    """Runs functions in threads; ``join`` raises nothing and returns what each returned or raised."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._results: dict[int, Any] = {}

    def start(self, work: Callable[[], Any]) -> threading.Thread:
        number = len(self._threads)

        def run() -> None:
            try:
                self._results[number] = work()
            except Exception as error:
                self._results[number] = error

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()
        return self._threads[-1]

    def join(self) -> list[Any]:
        for thread in self._threads:
            thread.join()
        return [self._results[number] for number in range(len(self._threads))]


@pytest.fixture
def threads() -> Iterator[Threads]:
    found = Threads()
    yield found
    found.join()


def test_what_a_call_may_cost_is_on_disk_before_it_is_made(workspace: Workspace) -> None:
    ledger = Ledger(workspace, None)
    ticket = ledger.reserve(0.2, PART, "job-1")
    rows = workspace.query("SELECT * FROM spending").to_pylist()
    assert rows == [{"ticket": ticket, "part": PART, "item": "job-1", "usd": 0.2, "settled": False}]


def test_what_it_did_cost_replaces_that(workspace: Workspace) -> None:
    ledger = Ledger(workspace, None)
    for price, cost in [(0.2, 0.05), (0.2, 0.0), (0.2, 0.2)]:
        ledger.settle(ledger.reserve(price, PART, "job"), cost)
    assert spent_by_part(workspace) == {PART: 0.25}


def test_nothing_is_spent_at_first(workspace: Workspace) -> None:
    assert spent_by_part(workspace) == {}
    assert not exceeds(total(workspace), 0.0)


def test_a_call_that_a_crash_cut_off_counts_in_full(workspace: Workspace) -> None:
    before = Ledger(workspace, 1.0)
    before.settle(before.reserve(0.4, PART, "a"), 0.1)
    before.reserve(0.5, PART, "b")  # and here the power fails
    after = Ledger(workspace, 1.0)
    assert total(workspace) == 0.6
    with pytest.raises(BudgetError):
        after.reserve(0.5, PART, "b")
    after.settle(after.reserve(0.4, PART, "b"), 0.4)
    assert total(workspace) == 1.0


def test_the_message_says_what_to_do(workspace: Workspace) -> None:
    ledger = Ledger(workspace, 0.005)
    ledger.settle(ledger.reserve(0.004, PART, "a"), 0.004)
    with pytest.raises(BudgetError) as refused:
        ledger.reserve(0.002, PART, "b")
    assert str(refused.value) == (
        "budget of 0.0050 USD reached: 0.0040 USD are spent or under way and the next call of shop@1 may cost 0.0020; "
        "what was done is kept: run again with a larger --budget to go on"
    )


def test_a_refused_call_leaves_no_trace(workspace: Workspace) -> None:
    ledger = Ledger(workspace, 0.1)
    with pytest.raises(BudgetError):
        ledger.reserve(0.2, PART, "a")
    assert workspace.tables["spending"].count() == 0
    ledger.reserve(0.1, PART, "a")


def test_a_budget_of_nothing_allows_nothing(workspace: Workspace) -> None:
    with pytest.raises(BudgetError):
        Ledger(workspace, 0.0).reserve(0.001, PART, "a")


def test_ten_times_a_tenth_is_one(workspace: Workspace) -> None:
    for _ in range(2):  # half of them in a second run
        ledger = Ledger(workspace, 1.0)
        for _ in range(5):
            ledger.settle(ledger.reserve(0.1, PART, "a"), 0.1)
    with pytest.raises(BudgetError):
        ledger.reserve(0.001, PART, "a")
    assert total(workspace) == 1.0


def test_sums_do_not_drift(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ledger, "_write", lambda self: None)
    calls, price, added = 5000, 100.1, 0.0
    ledger = Ledger(workspace, calls * price)
    for _ in range(calls):
        ledger.settle(ledger.reserve(price, PART, "a"), price)
        added += price
    assert abs(added - calls * price) > 1e-8  # what comes of adding floats
    with pytest.raises(BudgetError):
        ledger.reserve(1e-8, PART, "a")


def test_parts_pay_under_their_full_names(workspace: Workspace) -> None:
    ledger = Ledger(workspace, None)
    for name, usd in (("z@1#2", 0.1), ("a@1", 0.2), ("a@1", 0.3)):
        account = ledger.account(name)
        account.settle(account.reserve(usd, "generator 'z'", "job"), usd)
    assert list(spent_by_part(workspace).items()) == [("a@1", 0.5), ("z@1#2", 0.1)]


@pytest.mark.slow
def test_many_calls_leave_few_files(workspace: Workspace) -> None:
    ledger = Ledger(workspace, None)
    for _ in range(40):
        ledger.settle(ledger.reserve(0.1, PART, "a"), 0.1)
    assert workspace.tables["spending"].count() == 80
    assert len(list(workspace.tables["spending"].folder.iterdir())) < 20


def test_what_threads_say_while_the_disk_is_slow_is_written_together(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, threads: Threads
) -> None:
    append = Table.append
    written: list[int] = []

    def slow(self: Table, rows: Any) -> None:
        while not written and rows.num_rows + len(ledger._unwritten) < 20:
            time.sleep(0.001)
        if rows.num_rows:
            written.append(rows.num_rows)
        append(self, rows)

    monkeypatch.setattr(Table, "append", slow)
    ledger = Ledger(workspace, None)
    for number in range(20):
        threads.start(partial(ledger.reserve, 0.1, PART, f"job-{number}"))
    tickets = threads.join()
    assert sum(written) == 20
    assert len(written) <= 2
    assert set(workspace.query("SELECT ticket FROM spending")["ticket"].to_pylist()) == set(tickets)


def test_no_call_is_made_that_is_not_on_disk(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, threads: Threads
) -> None:
    def full(self: Table, rows: Any) -> None:
        time.sleep(0.05)
        if rows.num_rows:
            raise StorageError("the disk is full")

    monkeypatch.setattr(Table, "append", full)
    ledger = Ledger(workspace, None)
    for _ in range(5):
        threads.start(lambda: ledger.reserve(0.1, PART, "job"))
    assert [str(found) for found in threads.join()] == ["the disk is full"] * 5


def test_a_call_that_does_not_fit_waits_for_what_is_under_way(workspace: Workspace, threads: Threads) -> None:
    ledger = Ledger(workspace, 1.0)
    reserved, go_on = threading.Event(), threading.Event()

    def first() -> None:
        ticket = ledger.reserve(0.8, PART, "a")
        reserved.set()
        go_on.wait()
        ledger.settle(ticket, 0.3)

    threads.start(first)
    reserved.wait()
    second = threads.start(lambda: ledger.reserve(0.6, PART, "b"))
    while second not in ledger._waiting:
        time.sleep(0.001)
    go_on.set()
    assert all(not isinstance(result, Exception) for result in threads.join())
    assert total(workspace) == pytest.approx(0.9)


def test_and_is_refused_when_that_cost_as_much_as_it_might(workspace: Workspace, threads: Threads) -> None:
    ledger = Ledger(workspace, 1.0)
    reserved = threading.Event()

    def first() -> None:
        ticket = ledger.reserve(0.8, PART, "a")
        reserved.set()
        while not ledger._waiting:
            time.sleep(0.001)
        ledger.settle(ticket, 0.8)

    threads.start(first)
    reserved.wait()
    threads.start(lambda: ledger.reserve(0.6, PART, "b"))
    assert isinstance(threads.join()[1], BudgetError)


def test_none_waits_for_one_that_waits(workspace: Workspace, threads: Threads) -> None:
    ledger = Ledger(workspace, 1.0)
    both = threading.Barrier(2)

    def greedy() -> None:
        with ledger.work():
            ledger.reserve(0.5, PART, "a")
            both.wait()
            ledger.reserve(0.5, PART, "a")

    for _ in range(2):
        threads.start(greedy)
    assert [type(found) for found in threads.join()] == [BudgetError, BudgetError]


def test_what_a_part_never_settles_counts_in_full_and_holds_nobody_up(workspace: Workspace, threads: Threads) -> None:
    ledger = Ledger(workspace, 1.0)
    reserved, end = threading.Event(), threading.Event()

    def forgetful() -> None:
        with ledger.work():
            ledger.reserve(0.8, PART, "a")
            reserved.set()
            while not ledger._waiting:
                time.sleep(0.001)
        end.wait()  # a thread of the stage has other work to wait for

    thread = threads.start(forgetful)
    reserved.wait()
    with pytest.raises(BudgetError):
        ledger.reserve(0.6, PART, "b")
    assert thread.is_alive()
    end.set()
    assert total(workspace) == 0.8


def test_nobody_waits_for_a_thread_that_is_gone(workspace: Workspace, threads: Threads) -> None:
    ledger = Ledger(workspace, 1.0)
    threads.start(lambda: ledger.reserve(0.8, PART, "a"))
    threads.join()
    with pytest.raises(BudgetError):
        ledger.reserve(0.6, PART, "b")


def test_many_threads_spend_nearly_all_of_the_budget_and_no_more(workspace: Workspace, threads: Threads) -> None:
    ledger, billed = Ledger(workspace, 2.0), []

    def customer(seed: int) -> None:
        rng = random.Random(seed)
        while True:
            price = 0.25 if rng.random() < 0.5 else 0.125
            ticket = ledger.reserve(price, PART, "a")
            cost = price * rng.choice((0, 0.25, 1))
            billed.append(cost)
            time.sleep(0.001)
            ledger.settle(ticket, cost)
            # Binary fractions, so that the sum is exact.
            assert sum(billed) <= 2.0

    for seed in range(8):
        threads.start(partial(customer, seed))
    assert {type(found) for found in threads.join()} == {BudgetError}
    assert total(workspace) == sum(billed)
    assert 1.75 < sum(billed) <= 2.0
