"""Ratings in words and small tables, for a terminal of a hundred columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from portrayal.reports.text.letter_widths import columns
from portrayal.terminal import counted

__all__ = ["lines"]

Row = Mapping[str, Any]
_SUMMARY = ("votes", "skipped", "raters", "resampled")
_WIDTH = 100
_MOST = 12
"""A matrix of more models than this does not fit; --json has it."""


def lines(board: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of everything that ``portrayal arena rate`` found."""
    for summary in board["sections"]:
        keys = {name: value for name, value in summary.items() if name not in _SUMMARY}
        tables = {
            name: [row for row in board[name] if all(row[key] == value for key, value in keys.items())]
            for name in ("ratings", "neighbours", "win_rates", "agreement", "correlations")
        }
        if keys:
            yield _printable(", ".join(f"{name}: {value}" for name, value in keys.items()))
        yield from _section(summary, tables)
        yield ""
    used = board["parameters"]
    yield (
        f"low, high: 95 % interval of Bradley-Terry from {used['draws']} resamples; over orders: Elo in 95 of 100 "
        f"random orders ({used['orders']} tried)"
    )


def _section(summary: Row, tables: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    who = f" by {counted(summary['raters'], 'rater')}" if summary["raters"] is not None else ""
    votes = counted(summary["votes"], "vote")
    yield f"{votes}{who}, {summary['skipped']} skipped; resampled by {summary['resampled'] or 'vote'}"
    yield from _table(
        ("rank", "model", "Bradley-Terry", "low", "high", "Elo", "over orders", "battles", "won", "drawn", "lost"),
        [_rating(row) for row in tables["ratings"]],
    )
    for note in dict.fromkeys(row["note"] for row in tables["ratings"] if row["note"]):
        models = ", ".join(_printable(row["model"]) for row in tables["ratings"] if row["note"] == note)
        yield from textwrap.wrap(f"note ({models}): {note}", _WIDTH, break_long_words=False, break_on_hyphens=False)
    if tables["neighbours"]:
        rows = [(n["higher"], n["lower"], _whole(n["difference"]), f"{n['holds']:.1%}", _p(n["p"]), _p(n["p_adjusted"]))
                for n in tables["neighbours"]]  # fmt: skip
        yield from _table(("higher", "lower", "difference", "order holds", "p", "p (Holm)"), rows)
    yield from _matrix(tables["ratings"], tables["win_rates"])
    for row in tables["agreement"]:
        yield from textwrap.wrap(_agreement(row), _WIDTH)
    if tables["correlations"]:
        header = ("score", "models", "Spearman", "p", "Kendall", "p", "note")
        yield from _table(header, [_correlation(row) for row in tables["correlations"]])


def _rating(row: Row) -> tuple[str, ...]:
    rank = f"{row['rank_low']}-{row['rank_high']}" if row["rank_low"] != row["rank_high"] else str(row["rank"])
    spread = f"{_whole(row['elo_low'])} to {_whole(row['elo_high'])}"
    numbers = (_whole(row[name]) for name in ("bradley_terry", "low", "high", "elo"))
    return (rank, row["model"], *numbers, spread, *(str(row[name]) for name in ("battles", "wins", "draws", "losses")))


def _matrix(ratings: Sequence[Row], rates: Sequence[Row]) -> Iterator[str]:
    models = [row["model"] for row in ratings]
    if not 1 < len(models) <= _MOST:
        return
    shown = {(row["model"], row["opponent"]): f"{row['rate']:.0%} of {row['battles']}" for row in rates}
    yield "won against (a draw is half):"
    numbers = [str(place + 1) for place in range(len(models))]
    rows = [(numbers[place], one, *(shown.get((one, two), "-") for two in models)) for place, one in enumerate(models)]
    yield from _table(("", "", *numbers), rows)


def _agreement(row: Row) -> str:
    if row["nominal"] is None:
        return f"agreement of raters: not known, {row['note']}"
    bounds = "" if row["nominal_low"] is None else f" ({row['nominal_low']:.2f} to {row['nominal_high']:.2f})"
    return (
        f"agreement of raters: Krippendorff's alpha {row['nominal']:.2f}{bounds}, ordinal {row['ordinal']:.2f}; each "
        f"{row['unit']} is a unit, {row['units']} were judged by two raters or more"
        f"{': too few to lean on' if row['note'] else ''}"
    )


def _correlation(row: Row) -> tuple[str, ...]:
    if row["spearman"] is None:
        return (row["score"], str(row["models"]), "-", "-", "-", "-", row["note"])
    pairs = [
        (f"{row[name]:.2f} ({row[name + '_low']:.2f} to {row[name + '_high']:.2f})", _p(row[name + "_p"]))
        for name in ("spearman", "kendall")
    ]
    return (row["score"], str(row["models"]), *pairs[0], *pairs[1], row["note"])


def _whole(value: float) -> str:
    return f"{value:.0f}"


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    every = [[_printable(cell) for cell in line] for line in (header, *rows)]
    widths = [max(columns(line[column]) for line in every) for column in range(len(header))]
    for line in every:
        yield "  ".join(cell + " " * (width - columns(cell)) for cell, width in zip(line, widths, strict=True)).rstrip()


def _printable(text: str) -> str:
    """Return a name without what would move the cursor or colour the terminal."""
    return "".join(mark if mark.isprintable() else "�" for mark in text)
