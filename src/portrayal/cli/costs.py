"""What the rest of a study costs, on the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from portrayal.terminal import say, say_table

if TYPE_CHECKING:
    from portrayal.study.plan.costs import CostEstimate

__all__ = ["show_estimates"]


def show_estimates(estimates: Sequence[CostEstimate], spent: float, budget: float | None) -> None:
    """Print a line for each part, then the sum and whether the budget holds it."""
    from portrayal.store.ledger import exceeds

    rows = [(row.stage, row.name, str(row.images), _usd(row.usd)) for row in estimates]
    say_table(("stage", "who", "images left", "USD at most"), rows)
    if not all(row.part for row in estimates):
        say("later rounds: the most that this adaptive run may draw; prompts that are known well enough get no more")
    total = math.fsum(row.usd or 0.0 for row in estimates)
    unknown = [row.name for row in estimates if row.usd is None and row.part]
    more = f", not counting {', '.join(unknown)}" if unknown else ""
    say(f"left to spend: {total:.4f} USD at one call an image{more}; spent so far: {spent:.4f} USD")
    if budget is not None and unknown:
        say(f"budget: {budget:.4f} USD cannot be kept without the price of {', '.join(unknown)}")
    elif budget is not None:
        short = exceeds(spent + total, budget)
        say(f"budget: {budget:.4f} USD is " + (f"{spent + total - budget:.4f} USD short" if short else "enough"))


def _usd(usd: float | None) -> str:
    return "unknown: set options.price" if usd is None else f"{usd:.4f}"
