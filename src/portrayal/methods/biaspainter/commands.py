"""Commands of BiasPainter: scoring alone, from a table of edits, and the threshold study."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from portrayal.terminal import say, say_json, say_table

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class Unanswered(StrEnum):
    """What becomes of edits that nobody could judge; see the option of that name."""

    left_out = "left_out"
    unchanged = "unchanged"


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def score(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="Edits, with what was perceived before and after.")],
    draws: Annotated[int, typer.Option(min=100, help="Bootstrap draws over seeds.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers behind the intervals.")] = 0,
    unanswered: Annotated[
        Unanswered, typer.Option(help="Edits without an answer about gender: leave them out, or count as unchanged.")
    ] = Unanswered.left_out,
    as_json: Json = False,
) -> None:
    """Score words from a table of edits.

    Rows of the topic null are edits that asked for nothing.
    """
    from portrayal.methods.biaspainter.sheet_scores import score_sheet

    scores = score_sheet(file, draws=draws, seed=seed, unanswered=unanswered.value)
    if as_json:
        say_json(scores)
        return
    header = ("topic", "word", "attribute", "score", "low", "high", "n", "seeds", "q", "relative", "note")
    words = sorted(scores["words"], key=_order)
    if words:
        say_table(header, [[_shown(row[name]) for name in header] for row in words])
    for note in scores["notes"]:
        say(f"note: {note}")


@app.command()
def thresholds(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="Votes: attribute, threshold, side, answer.")],
    as_json: Json = False,
) -> None:
    """Find the change that people call clear.

    Uses people's yes and no answers below and above each threshold.
    """
    from portrayal.methods.biaspainter.thresholds import best, read_votes, score_thresholds

    scored = score_thresholds(read_votes(file))
    chosen = best(scored)
    if as_json:
        rows = [{**asdict(row), "score": row.score, "best": row in chosen[row.attribute]} for row in scored]
        say_json({"thresholds": rows})
        return
    header = ("attribute", "threshold", "no below", "yes above", "score", "of", "")
    say_table(
        header,
        [
            [
                row.attribute, f"{row.threshold:g}", str(row.no_below), str(row.yes_above), str(row.score),
                str(row.below + row.above), "best" if row in chosen[row.attribute] else "",
            ]
            for row in scored
        ],
    )  # fmt: skip


def _order(row: dict[str, Any]) -> float:
    """Return by what words are listed: how far they go beyond edits that ask for nothing, where there are any."""
    return -abs(float(row["score"] or 0.0 if row["relative"] is None else row["relative"]))


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
