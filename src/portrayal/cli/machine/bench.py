"""Commands that measure this machine."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Json
from portrayal.terminal import say, say_json, say_text

__all__ = ["register"]

_HELP = """Measure how fast this machine works.

It makes what it needs in a temporary folder and uses no study of yours. "annotate" says how many images a second the
annotator clip looks at here. How many votes a second a server takes: portrayal arena bench.
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
    app.add_typer(command_group(_HELP, _measure, annotate=annotate), name="bench")


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
