"""How the labelling stands, in lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from portrayal.terminal import text_table

if TYPE_CHECKING:
    from portrayal.apps.labels.labelling.summary import Agreement, Summary

__all__ = ["lines"]

_HEAD = ("attribute", "alpha", "95 % interval", "all alike", "")


def lines(summary: Summary) -> Iterator[str]:
    """Yield how many pictures are complete, what is still needed, and agreement."""
    yield (
        f"{summary.complete} of {summary.pictures} pictures complete, {summary.begun} begun; {summary.answers} answers "
        f"by {sum(one.progress.done > 0 for one in summary.raters)} of {len(summary.raters)} raters; "
        f"{summary.more} answers still needed"
    )
    if summary.undecided:
        yield f"{summary.undecided} pictures stay undecided after one more rater; they count for no group"
    if any(one.pictures for one in summary.agreement):
        yield ""
        yield from text_table(_HEAD, [_cells(one) for one in summary.agreement])


def _cells(one: Agreement) -> tuple[str, ...]:
    alpha = "not yet known" if one.alpha is None else f"{one.alpha:.2f}"
    interval = "" if one.low is None or one.high is None else f"{one.low:.2f} to {one.high:.2f}"
    alike = f"{one.alike} of {one.pictures}"
    return one.attribute, alpha, interval, alike, "too few to say much" if one.few else ""
