"""Options that the commands of several stages share: what they may cost, where parts work, and whom to wait for."""

from __future__ import annotations

import math
from typing import Annotated

import typer

__all__ = ["Address", "Budget", "DryRun", "Engine", "Quiet", "Wait", "Workers"]


def _money(usd: float | None) -> float | None:
    if usd is not None and not 0 <= usd < math.inf:  # nan is no sum either
        raise typer.BadParameter(f"{usd} is no sum of money")
    return usd


Budget = Annotated[
    float | None,
    typer.Option(
        callback=_money,
        metavar="USD",
        help="The most that paid services may cost in all, including earlier runs of this study.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Plan, show what is left to do and the most it can cost, and stop.")
]
Engine = Annotated[
    str, typer.Option(help="Where generators and annotators work: local (this machine) or ray (a running Ray cluster).")
]
Address = Annotated[
    str,
    typer.Option(
        metavar="HOST:PORT", help="The cluster's address; by default RAY_ADDRESS, or a cluster on this machine."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="How many processes measure, one on each core; by default one, or all cores if that is faster.",
    ),
]
Wait = Annotated[bool, typer.Option("--wait", help="If another process is working on the study, wait for it.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result and errors, no progress.")]
