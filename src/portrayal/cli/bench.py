"""Commands that measure this machine."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from portrayal.cli.command_lists import ListedGroup
from portrayal.cli.output import Json
from portrayal.terminal import say, say_json, say_text

__all__ = ["register"]

_HELP = """Measure how fast this machine works.

Both commands make what they need in a temporary folder and use no study of yours. "annotate" says how many images a
second the annotator clip looks at here, "arena" how many votes a second a server takes.
"""


class Model(StrEnum):
    """Sizes of published CLIP models."""

    vit_b_32 = "vit-b-32"
    vit_l_14 = "vit-l-14"


class Format(StrEnum):
    """Files that generators write."""

    jpeg = "jpeg"
    png = "png"


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    group = typer.Typer(cls=ListedGroup, help=_HELP, rich_markup_mode=None)
    group.callback(invoke_without_command=True)(_measure)
    group.command("annotate")(annotate)
    group.command("arena")(arena)
    app.add_typer(group, name="bench")


def _measure(context: typer.Context) -> None:
    """Measure how fast this machine works."""
    if context.invoked_subcommand is None:
        say_text(context.get_help())


def annotate(
    model: Annotated[
        Model | None,
        typer.Option(
            help="The model's size; its weights are random. Without it vit-l-14 on a graphics card, else vit-b-32."
        ),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="Files of 1024 x 1024 pixels.")] = Format.jpeg,
    images: Annotated[int, typer.Option(min=0, help="How many; 0: 20,000 with a graphics card, else 96.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, or cuda:1 and so on.")] = "auto",
    workers: Annotated[int, typer.Option(min=0, help="Processes that open files; 0: one per core.")] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="As the annotator works without its option fast.")] = False,
    as_json: Json = False,
) -> None:
    """Measure how many images a second the annotator clip sees.

    End to end, the model alone, decoding alone, and one image at a time.
    """
    from portrayal.annotators import ANNOTATORS

    ANNOTATORS.load("clip")  # says what must be installed
    from portrayal.vision.bench import BenchSettings, bench

    settings = BenchSettings(
        model=model.value if model else "",
        format=form.value,
        images=images,
        device=device,
        workers=workers,
        exact=exact,
    )
    result = bench(settings)
    if as_json:
        say_json(result.as_json())
    else:
        say(*result.lines())


def arena(
    raters: Annotated[int, typer.Option(min=1, max=1000, help="Programs that vote at the same time.")] = 200,
    votes: Annotated[int, typer.Option(min=1, max=1000, help="Votes of each.")] = 50,
    kills: Annotated[int, typer.Option(min=0, max=20, help="How often the server is killed meanwhile.")] = 0,
    database: Annotated[
        str,
        typer.Option(metavar="URL", envvar="PORTRAYAL_BENCH_DATABASE", help="An empty PostgreSQL; without it SQLite."),
    ] = "",
    as_json: Json = False,
) -> None:
    """Measure how many votes a second the arena takes.

    Votes come over HTTP. With --kills it also counts acknowledged votes that are lost when the server dies.
    """
    from portrayal.cli.serving import need_web

    need_web("arena")
    import tempfile
    from pathlib import Path

    from portrayal.web.arena.bench import ArenaBenchSettings, bench_arena

    with tempfile.TemporaryDirectory() as folder:
        result = bench_arena(ArenaBenchSettings(raters, votes, kills, database), Path(folder))
    if as_json:
        say_json(result.as_json())
    else:
        say(*result.lines())
