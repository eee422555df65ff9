"""Parts that work in their own way: behind a service, many at a time and for money, or as one stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar, runtime_checkable

from portrayal.errors import ConfigError
from portrayal.records import Abstention, Image, Observation
from portrayal.services.account import Paid
from portrayal.store.ledger import Ledger

__all__ = ["Streaming", "at_a_time", "pay_from", "require_price"]

P = TypeVar("P")


@runtime_checkable
class Streaming(Protocol):
    """An annotator that reads ahead: while it looks at one batch, the next ones are opened."""

    def stream(
        self, batches: Iterator[Sequence[Image]]
    ) -> Iterator[tuple[Sequence[Image], Sequence[Observation | Abstention]]]:
        """Yield each batch with what is seen in it, in order."""
        ...


def at_a_time(part: object) -> int:
    """Return how many images a service is asked for at a time, each in a thread of its own; 0 for a local part."""
    asked = int(getattr(part, "parallel", None) or 0)
    return max(asked, 1) if isinstance(part, Paid) else asked


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
