"""The command that turns votes into ratings: Elo, Bradley-Terry with intervals, and how far both can be trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from portrayal.commands.options import Json, PageLanguage, given_path
from portrayal.errors import InputError
from portrayal.terminal import say, say_json, tell

__all__ = ["rate"]


def rate(  # noqa: PLR0913 - each is an option of the command
    votes: Annotated[
        Path,
        typer.Argument(
            parser=given_path,
            metavar="VOTES",
            help="A CSV file with the columns model_a,model_b,vote[,aspect,rater,…], or a .json of votes or battles.",
        ),
    ],
    aspect: Annotated[
        list[str] | None, typer.Option(metavar="ASPECT", help="Only this aspect; may be repeated.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Rate each value of this column separately, such as language; may be repeated."
        ),
    ] = None,
    ties: Annotated[
        Literal["half", "davidson"],
        typer.Option(help="A draw is half a win for each, or an outcome of its own (Davidson 1970)."),
    ] = "half",
    draws: Annotated[int, typer.Option(min=100, max=100_000, help="Resamples behind the intervals.")] = 1000,
    orders: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Random orders for Elo; by default 100, fewer for very many votes."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random numbers behind the intervals.")] = 0,
    scores: Annotated[
        Path | None,
        typer.Option(
            parser=given_path,
            metavar="FILE",
            help="Automatic scores to compare with: a CSV file model,score,value, or a study's folder.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="PAGE", help="Write a leaderboard page to this .html file."),
    ] = None,
    language: Annotated[PageLanguage, typer.Option(help="The page's language.")] = "en",
    as_json: Json = False,
) -> None:
    """Rate models by votes: Elo, and Bradley-Terry with intervals.

    Also shows ranks, win rates, how well raters agree, and correlations with automatic scores.
    """
    from portrayal.apps.arena.api import rate as rate_models
    from portrayal.apps.arena.api import read_votes
    from portrayal.apps.arena.commands.rating_tables import lines
    from portrayal.apps.arena.ratings.model_names import model_names, with_model_names

    board = rate_models(
        votes,
        aspects=aspect or (),
        by=by or (),
        ties=ties,
        draws=draws,
        orders=orders,
        scores=scores,
        seed=seed,
    ).as_json()
    named = with_model_names(board, model_names(read_votes(votes)))
    if html is not None:
        _write_page(named, html, language)
    if as_json:
        say_json(board)
    else:
        say(*lines(named))


def _write_page(board: dict[str, Any], path: Path, language: str) -> None:
    from portrayal.apps.arena.report.leaderboard_page import leaderboard

    page = leaderboard(board, language)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
    tell(f"leaderboard: {path}")
