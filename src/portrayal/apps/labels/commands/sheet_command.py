"""The command that writes a sheet of pictures for people to label."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from portrayal.commands.options import Folder, given_path
from portrayal.terminal import counted, say

__all__ = ["sheet"]


def sheet(  # noqa: PLR0913 - Typer wants a parameter for each option
    study: Folder,
    to: Annotated[
        Path, typer.Option(parser=given_path, metavar="FILE", help="The CSV file to write; it must not exist yet.")
    ],
    prompts: Annotated[int, typer.Option(min=1, help="How many prompts to ask about, chosen at random.")] = 265,
    images: Annotated[int, typer.Option(min=1, help="How many images of each of these prompts by each model.")] = 20,
    best: Annotated[
        int | None,
        typer.Option(
            "--next", min=1, help="Instead, choose this many pictures whose labels narrow corrected shares the most."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, another sample.")] = 0,
    annotator: Annotated[
        str, typer.Option(help="Who will label: NAME of an annotator imported:NAME, added if there is none.")
    ] = "",
    show_models: Annotated[
        bool, typer.Option("--show-models", help="Add a column with the model that drew each picture.")
    ] = False,
) -> None:
    """Write a sheet of random pictures for people to label.

    The sheet hides which model drew a picture, unless you ask for it. With --next, the sample is random within every
    prompt, but larger where labels reveal most about the annotator's errors.
    """
    from portrayal.study.importing.labels.by_others import write_label_sheet
    from portrayal.study.importing.labels.label_sheet import Sample
    from portrayal.study.study import OpenStudy

    sample = Sample(prompts, images, seed, models=show_models, worthiest=best or 0)
    count = write_label_sheet(OpenStudy.to_read(study), to, annotator, sample, say)
    say(f"{to} written: {counted(count, 'image')} to label; filled in, import it with --labels")
