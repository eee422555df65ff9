"""Parts that cost money pay from the study's ledger, and a budget needs their prices."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from portrayal.errors import ConfigError
from portrayal.services.account import Paid, PaidEditor
from portrayal.store.ledger import Ledger

__all__ = ["call_price", "edit_price", "known_sum", "pay_from", "require_price"]

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


def call_price(part: object, texts: Counter[str]) -> float | None:
    """Return the price of a call for each of the texts: 0 for a part of this machine, None when nobody knows."""
    return _priced(part.price, texts) if isinstance(part, Paid) else 0.0


def edit_price(part: object, texts: Counter[str]) -> float | None:
    """Return the price of an edit by each of the texts."""
    return _priced(part.edit_price, texts) if isinstance(part, PaidEditor) else call_price(part, texts)


def known_sum(*prices: float | None) -> float | None:
    """Return the sum, None when one of them is not known."""
    known = [price for price in prices if price is not None]
    return math.fsum(known) if len(known) == len(prices) else None


def _priced(price: Callable[[str], float | None], texts: Counter[str]) -> float | None:
    prices = [(price(text), count) for text, count in texts.items()]
    return known_sum(*(None if each is None else each * count for each, count in prices))
