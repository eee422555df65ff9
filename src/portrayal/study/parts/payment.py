"""Parts that cost money pay from the study's ledger, and a budget needs their prices."""

from __future__ import annotations

from typing import TypeVar

from portrayal.errors import ConfigError
from portrayal.services.account import Paid
from portrayal.store.ledger import Ledger

__all__ = ["pay_from", "require_price"]

P = TypeVar("P")


def pay_from(part: P, ledger: Ledger) -> P:
    """Let a part that costs money pay from the study's ledger, under its identity; return it."""
    if isinstance(part, Paid):
        if ledger.budget is not None:
            require_price(part, part.name)
        part.account = ledger.account(part.name)
    return part


def require_price(part: object, name: str) -> None:
    """Refuse a budget when the price of a part is unknown: it could not be kept."""
    if isinstance(part, Paid) and part.price("") is None:
        raise ConfigError(f"a budget needs prices, and nobody knows that of {name}: set options.price")
