"""Commands that measure this machine."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from portrayal.commands.command_lists import command_group
from portrayal.commands.options import Json
from portrayal.terminal import say, say_json, say_text

__all__ = ["bench_commands"]

_HELP = """Measure how fast this machine works.

Works in a temporary folder and touches none of your studies. "annotate" measures how many images a second the
annotator clip can judge here. For votes a second, see: portrayal arena bench.
"""


Model = Literal["vit-b-32", "vit-l-14"]
"""Sizes of published CLIP models."""
Format = Literal["jpeg", "png"]
"""Files that generators write."""


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
    form: Annotated[Format, typer.Option("--format", help="Files of 1024 x 1024 pixels.")] = "jpeg",
    images: Annotated[int, typer.Option(min=0, help="How many; 0: 20,000 with a graphics card, else 96.")] = 0,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, or cuda:1 and so on.")] = "auto",
    workers: Annotated[int, typer.Option(min=0, help="Processes that open files; 0: one per core.")] = 0,
    exact: Annotated[bool, typer.Option("--exact", help="Work as the annotator does without its option fast.")] = False,
    as_json: Json = False,
) -> None:
    """Measure how many images a second the annotator clip judges.

    End to end, the model alone, decoding alone, and one image at a time.
    """
    from portrayal.annotators import ANNOTATORS

    ANNOTATORS.load("clip")  # says what must be installed
    from portrayal.vision.bench import BenchSettings, bench

    settings = BenchSettings(
        model=model or "",
        format=form,
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


bench_commands = command_group(_HELP, _measure, annotate=annotate)
