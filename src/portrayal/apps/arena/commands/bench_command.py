"""The command that measures how fast the arena's server is on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from portrayal.apps.arena import APP
from portrayal.commands.options import Json
from portrayal.terminal import say, say_json

__all__ = ["bench"]


def bench(
    raters: Annotated[int, typer.Option(min=1, max=1000, help="Programs that vote at the same time.")] = 200,
    votes: Annotated[int, typer.Option(min=1, max=1000, help="How many votes each of them casts.")] = 50,
    kills: Annotated[int, typer.Option(min=0, max=20, help="How often to kill the server during the run.")] = 0,
    database: Annotated[
        str,
        typer.Option(metavar="URL", envvar="PORTRAYAL_BENCH_DATABASE", help="An empty PostgreSQL; without it SQLite."),
    ] = "",
    as_json: Json = False,
) -> None:
    """Measure how many votes a second the arena takes.

    Votes come over HTTP. With --kills, also counts the acknowledged votes that are lost when the server dies.
    """
    APP.need_server("arena")
    import tempfile
    from pathlib import Path

    from portrayal.apps.arena.load_test.bench import ArenaBenchSettings, bench_arena

    with tempfile.TemporaryDirectory() as folder:
        result = bench_arena(ArenaBenchSettings(raters, votes, kills, database), Path(folder))
    if as_json:
        say_json(result.as_json())
    else:
        say(*result.lines())
