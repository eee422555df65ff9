"""A comparison of annotators in words and small tables, for a terminal of a hundred columns."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from portrayal.stats.rates import Estimate
    from portrayal.study.agreement.result import Comparison, GroupRow, Pair

__all__ = ["lines"]

WIDTH = 100
LONGEST = 38
_LEGEND = (
    "Intervals hold the truth in 95 of 100 cases and heed that images of one prompt are alike. * marks a group whose "
    "difference to the rest has an interval without 0; of twenty groups that do not differ, about one is marked by "
    "chance. ? marks fewer than 30 images or 5 prompts."
)
_IMAGES = "There is one prompt, so intervals are about its images."


def lines(comparison: Comparison) -> Iterator[str]:
    """Yield the lines of the whole comparison: who, who is worse where, alpha, and then pair by pair."""
    who = [f"{name} (reference)" if name == comparison.reference else name for name in comparison.annotators]
    yield f"{comparison.title}: {comparison.images} images"
    yield from _wrapped(f"Annotators: {', '.join(who)}.")
    yield from _wrapped(_caution(comparison))
    yield from _wrapped(_LEGEND if comparison.resampled == "prompts" else f"{_LEGEND} {_IMAGES}")
    yield from _worse(comparison)
    yield from _alphas(comparison)
    for pair in comparison.pairs:
        yield ""
        yield from _pair(comparison, pair)


def _caution(comparison: Comparison) -> str:
    if comparison.reference is None:
        return "Without a reference this is agreement, not accuracy: annotators can agree and all be wrong."
    return f"Accuracy is agreement with {comparison.reference}, and is accuracy only as far as that is right."


def _worse(comparison: Comparison) -> Iterator[str]:
    texts = [
        f"{pair.second} {text} where {comparison.titles[row.by]} is {row.group}: "
        f"{name} {_number(row.value.value)}, {_signed(row.difference)} to the rest"
        for pair in comparison.pairs
        for text, name, rows in (
            (f"on {pair.title}", pair.measure, [row for row in pair.groups if _is_worse(pair, row)]),
            (f"tells {pair.title} less often", "share", [row for row in pair.told if row.difference.value < 0]),
        )
        for row in rows
        if row.marked
    ]
    yield ""
    yield "Marked as worse than the rest:" if texts else "No group is marked as worse than the rest."
    for text in texts:
        yield from _wrapped(text, "  ")


def _is_worse(pair: Pair, row: GroupRow) -> bool:
    return (row.difference.value < 0) == (pair.confusion is not None)


def _alphas(comparison: Comparison) -> Iterator[str]:
    yield ""
    yield "Krippendorff's alpha of all annotators that tell the attribute (1: they agree, 0: as by chance):"
    rows = [
        (alpha.title, alpha.metric, str(len(alpha.annotators)), str(alpha.n), *_bounded(alpha.value))
        for alpha in comparison.alphas
    ]
    yield from _table(("attribute", "differences", "annotators", "judgements", "alpha", "interval"), rows)
    for alpha in comparison.alphas:
        if alpha.note:
            yield from _wrapped(f"{alpha.title} ({alpha.metric}): {alpha.note}", "  ")


def _pair(comparison: Comparison, pair: Pair) -> Iterator[str]:
    against = "against" if pair.first == comparison.reference else "and"
    yield from _wrapped(f"{pair.title[:1].upper()}{pair.title[1:]}: {pair.second} {against} {pair.first}")
    yield from _coverage(pair)
    rows = [_row("all", pair.overall), *(_row(f"{comparison.titles[row.by]}: {row.group}", row) for row in pair.groups)]
    yield from _table(("people", "n", pair.measure.replace("mean absolute ", ""), "interval", "to the rest", ""), rows)
    others = {row.by: row.grouped_by for row in pair.groups if row.grouped_by != pair.first}
    for name, annotator in others.items():
        yield from _wrapped(f"{comparison.titles[name]}: as {annotator} perceives it", "  ")
    yield from _wrapped(_chance(pair), "  ")
    yield from _told(comparison, pair)
    if pair.confusion is not None:
        yield from _confusion(pair, pair.confusion)


def _chance(pair: Pair) -> str:
    numbers = {"Cohen's kappa": pair.kappa, "mean difference": pair.mean_difference, "correlation": pair.correlation}
    unit = {"mean difference": f" {pair.unit}" if pair.unit else ""}
    told = [
        f"{name} {_number(value.value)}{unit.get(name, '')} ({_number(value.low)} to {_number(value.high)})"
        for name, value in numbers.items()
        if value is not None
    ]
    return ", ".join(told)


def _coverage(pair: Pair) -> Iterator[str]:
    coverage = pair.coverage
    yield f"  {pair.overall.n} people in {coverage.compared} of {coverage.images} images compared"
    parts = {
        f"only {pair.first} tells it": coverage.first_only,
        f"only {pair.second} tells it": coverage.second_only,
        "neither tells it": coverage.neither,
        "each tells it of another person": coverage.different_people,
    }
    if told := [f"{text} in {count}" for text, count in parts.items() if count]:
        yield from _wrapped("; ".join(told), "  ")
    for name, reasons in coverage.silent.items():
        if reasons:
            yield from _wrapped(f"{name}: {', '.join(f'{why} {count}' for why, count in reasons.items())}", "    ")


def _told(comparison: Comparison, pair: Pair) -> Iterator[str]:
    """Yield of how many people one annotator tells nothing, if there are any: of all, and of groups it happens in."""
    whole, *groups = pair.told
    silent = [row for row in groups if row.value.value < 1]
    if whole.value.value < 1:
        yield from _wrapped(f"people of whom {pair.first} tells it; share: of whom {pair.second} tells it, too", "  ")
        rows = [_row("all", whole), *(_row(f"{comparison.titles[row.by]}: {row.group}", row) for row in silent)]
        yield from _table(("people", "n", "share", "interval", "to the rest", ""), rows)


def _confusion(pair: Pair, counts: Sequence[Sequence[int]]) -> Iterator[str]:
    numbers = [str(place + 1) for place in range(len(pair.labels))]
    heads: Sequence[str] = pair.labels
    if sum(map(len, pair.labels)) + 2 * len(heads) + max(map(len, pair.labels)) > WIDTH - 10:
        heads = numbers
    sides = pair.labels if heads is pair.labels else [" ".join(both) for both in zip(numbers, pair.labels, strict=True)]
    yield from _wrapped(f"rows: {pair.first}; columns: {pair.second}", "  ")
    yield from _table(("", *heads), [(side, *map(str, row)) for side, row in zip(sides, counts, strict=True)])


def _row(name: str, row: GroupRow) -> tuple[str, ...]:
    marks = f"{'*' if row.marked else ' '}{'?' if row.note else ''}"
    return (name, str(row.n), *_bounded(row.value), _signed(row.difference), marks)


def _bounded(value: Estimate) -> tuple[str, str]:
    known = "" if math.isnan(value.low) else f"{_number(value.low)} to {_number(value.high)}"
    return _number(value.value), known


def _signed(value: Estimate) -> str:
    if math.isnan(value.value):
        return ""
    # Adding 0 takes the sign from a number that is rounded to nothing.
    middle, low, high = (f"{round(number, 2) + 0.0:+.2f}" for number in (value.value, value.low, value.high))
    return f"{middle} ({low}, {high})"


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.2f}"


def _wrapped(text: str, indent: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows under a header: words to the left, numbers to the right."""
    cut = [(_short(name), *cells) for name, *cells in (header, *rows)]
    first, *widths = (max(map(len, column)) for column in zip(*cut, strict=True))
    for name, *cells in cut:
        right = [cell.rjust(width) for cell, width in zip(cells, widths, strict=True)]
        yield "  " + "  ".join([name.ljust(first), *right]).rstrip()


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
