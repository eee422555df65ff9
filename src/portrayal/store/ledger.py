"""The study's money: what paid services cost so far, and the budget that no call may exceed.

What a call costs at most is on disk before the call is made. So a crash in between counts too much, never too little.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from portrayal.errors import BudgetError
from portrayal.records import SPENDING_SCHEMA, Spending, to_table
from portrayal.store.workspace import Workspace

__all__ = ["Ledger", "LedgerAccount", "exceeds", "spent_by_part"]

_DUST = 1e-9
"""USD: prices are decimal fractions, whose sums in binary are a little off; three times 0.1 is within 0.3."""

_LOOK_AGAIN = 1.0
"""Seconds: threads that a part starts itself may end, or wait too, without a word."""

_SPENT = """
    SELECT part, fsum(usd) AS usd FROM (
        SELECT any_value(part) AS part, arg_max(usd, settled) AS usd FROM spending GROUP BY ticket
    ) GROUP BY part ORDER BY part
"""


class Ledger:
    """Keeps the books of paid calls. ``budget`` is what the study may cost in all, with earlier runs."""

    def __init__(self, workspace: Workspace, budget: float | None) -> None:
        self.budget = budget
        self._table = workspace.tables["spending"]
        self._changed = threading.Condition()
        self._open: dict[str, tuple[Spending, threading.Thread]] = {}
        self._unwritten: list[Spending] = []
        self._writing = threading.Lock()
        self._waiting: set[threading.Thread] = set()
        # Exact, since it is added to for every call: what was paid, and what is set aside for calls under way.
        self._gone = Fraction(sum(spent_by_part(workspace).values()))

    def reserve(self, usd: float, part: str, item: str) -> str:
        """Write down what a call costs at most, unless that could exceed the budget.

        Calls under way may end up cheaper than that. So one that does not fit beside them waits for them first.
        """
        with self._changed:
            self._await_room(usd, part)
            row = Spending(uuid.uuid4().hex, part, item, usd, settled=False)
            self._open[row.ticket] = row, threading.current_thread()
            self._gone += Fraction(usd)
            self._unwritten.append(row)
        self._write()
        return row.ticket

    def settle(self, ticket: str, usd: float) -> None:
        """Write down what the call did cost."""
        with self._changed:
            row, _ = self._open.pop(ticket)
            self._gone += Fraction(usd) - Fraction(row.usd)
            self._unwritten.append(Spending(ticket, row.part, row.item, usd, settled=True))
            self._changed.notify_all()
        self._write()

    @contextmanager
    def work(self) -> Iterator[None]:
        """Count in full, at the end of a piece of work, what this thread set aside for it and never settled."""
        try:
            yield
        finally:
            with self._changed:
                mine = [ticket for ticket, (_, who) in self._open.items() if who is threading.current_thread()]
                for ticket in mine:
                    del self._open[ticket]  # on disk it stands unsettled, which counts in full
                self._changed.notify_all()

    def account(self, payer: str) -> LedgerAccount:
        """Return what a generator or annotator of the study pays from, in its name."""
        return LedgerAccount(self, payer)

    def _await_room(self, usd: float, part: str) -> None:
        me = threading.current_thread()
        try:
            while self.budget is not None and exceeds(self._gone + Fraction(usd), self.budget):
                self._waiting.add(me)
                if not any(who not in self._waiting and who.is_alive() for _, who in self._open.values()):
                    raise BudgetError(_refusal(self.budget, float(self._gone), usd, part))
                self._changed.wait(_LOOK_AGAIN)
        finally:
            self._waiting.discard(me)

    def _write(self) -> None:
        """Return when all that was said before is on disk; what several threads said meanwhile is written together."""
        with self._writing:
            with self._changed:
                rows, self._unwritten = self._unwritten, []
            try:
                self._table.append(to_table(rows, SPENDING_SCHEMA))
            except BaseException:
                with self._changed:
                    self._unwritten[:0] = rows  # the threads that said them must learn of it too
                raise


class LedgerAccount:
    """The ledger as one paid part sees it."""

    def __init__(self, ledger: Ledger, payer: str) -> None:
        self._ledger, self._payer = ledger, payer

    def reserve(self, usd: float, part: str, item: str) -> str:  # noqa: ARG002 - the books hold the full identity
        """Write down what a call costs at most; see :meth:`Ledger.reserve`."""
        return self._ledger.reserve(usd, self._payer, item)

    def settle(self, ticket: str, usd: float) -> None:
        """Write down what the call did cost."""
        self._ledger.settle(ticket, usd)


def exceeds(usd: Fraction | float, budget: float) -> bool:
    """Return whether a sum is above the budget, by more than the rounding of its parts."""
    return usd > budget + _DUST


def spent_by_part(workspace: Workspace) -> Mapping[str, float]:
    """Return what was spent in USD by generator or annotator; calls that a crash cut off count at their full price."""
    return {row["part"]: row["usd"] for row in workspace.query(_SPENT).to_pylist()}


def _refusal(budget: float, spent: float, usd: float, part: str) -> str:
    return (
        f"budget of {budget:.4f} USD reached: {spent:.4f} USD are spent or under way and the next call of {part} "
        f"may cost {usd:.4f}; what was done is kept: run again with a larger --budget to go on"
    )
