"""Paying for calls: every call is paid for before it is made, so that a budget is never exceeded."""

from __future__ import annotations

import uuid
from typing import Protocol, runtime_checkable

__all__ = ["Account", "Paid", "PaidEditor", "UnlimitedAccount"]


class Account(Protocol):
    """Where the money for calls comes from. May be used by several threads at a time."""

    def reserve(self, usd: float, part: str, item: str) -> str:
        """Set aside what a call of ``part`` costs at most, for an image or job ``item``; return a ticket.

        Raises
        ------
        BudgetError
            When that would exceed the budget. Nothing is set aside then, and the call must not be made.
        """
        ...

    def settle(self, ticket: str, usd: float) -> None:
        """Say what the call did cost: nothing for one that is surely not billed.

        More than was set aside only if a price was wrong; then the books must say so, and the next call waits for it.
        """
        ...


class UnlimitedAccount:
    """An account without a budget that keeps no books, for parts used outside of a study."""

    def reserve(self, usd: float, part: str, item: str) -> str:  # noqa: ARG002 - it keeps no books
        """Return a ticket, always."""
        return uuid.uuid4().hex

    def settle(self, ticket: str, usd: float) -> None:
        """Do nothing."""


@runtime_checkable
class Paid(Protocol):
    """A generator or annotator whose calls may cost money."""

    name: str
    account: Account

    def price(self, text: str) -> float | None:
        """Return what one image of the prompt ``text`` costs at most in USD, for one call; None when unknown."""
        ...


@runtime_checkable
class PaidEditor(Protocol):
    """A paid generator whose edits have a price of their own."""

    def edit_price(self, text: str) -> float | None:
        """Return what one edit by the prompt ``text`` costs at most in USD; None when unknown."""
        ...
