"""The command ``portrayal init``: a folder with a study.toml to edit."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from portrayal.cli.create.new_study import given_images, offline, refuse_images_options, say_outlook
from portrayal.cli.create.study_files import wanted_files, write_files
from portrayal.commands.options import given_path, new_path
from portrayal.terminal import say

__all__ = ["init"]


def init(  # noqa: PLR0913 - Typer wants a parameter for each option
    context: typer.Context,
    study: Annotated[Path, typer.Argument(parser=new_path, metavar="STUDY", help="The folder to create.")],
    generator: Annotated[str | None, typer.Option(help="Who draws; facegan by default. See: portrayal doctor.")] = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            help="Who looks at the images; by default faces, or the one that the method needs. See: portrayal doctor."
        ),
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(help="What to ask: a suite's name, or a .csv or .toml file; by default the method's own suite."),
    ] = None,
    title: Annotated[str, typer.Option(help="The report's title.")] = "",
    method: Annotated[str | None, typer.Option(help="What is computed: {studies}; the first by default.")] = None,
    images: Annotated[
        Path | None,
        typer.Option(
            parser=given_path, metavar="DIR", help="A folder of images that you already have; nothing is drawn."
        ),
    ] = None,
    layout: Annotated[
        str | None, typer.Option(help="How the folder is organised, if Portrayal cannot work that out. {layouts}.")
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="Which model drew the images in DIR, if the folder does not say.")
    ] = "",
    prompt: Annotated[
        str, typer.Option(metavar="TEXT", help="The prompt of all images in DIR, if the folder does not say.")
    ] = "",
    outside: Annotated[bool, typer.Option("--outside", help="Also take files outside DIR that it links to.")] = False,
) -> None:
    """Create a study: a folder with a study.toml to edit.

    The file explains each key in a comment. With --images, the study is about pictures that you already have.
    """
    from portrayal.methods import DEFAULT
    from portrayal.study.config import CONFIG_NAME
    from portrayal.study.create.create_imported import create_imported
    from portrayal.study.create.create_study import create_study
    from portrayal.study.importing.folders.recognise import GivenFolder

    files = wanted_files(context)
    others = (generator, annotator, suite, title, method, images, layout, model, prompt, outside)
    if files and not any(others) and (study / CONFIG_NAME).exists():
        write_files(study, files)
        return
    method = DEFAULT if method is None else method
    if images is not None:
        given = GivenFolder(images, layout or "", None, outside=outside, model=model.strip(), prompt=prompt.strip())
        folder = given_images(given, generator)
        path, lacking = create_imported(study, folder, title=title, annotator=annotator, suite=suite, method=method)
    else:
        refuse_images_options({"--layout": layout, "--model": model, "--prompt": prompt, "--outside": outside})
        path, lacking = create_study(
            study, title=title, generator=generator or "facegan", annotator=annotator, suite=suite, method=method
        )
    for said in lacking:
        say(said if said.startswith(" ") else f"to do: {said}")  # a line below a line that says what to do
    if lacking and images is None:
        say(f"to try it offline first: {offline(study, method)}")
    say_outlook(study)
    write_files(study, files)
    say(f"{path} written; edit it, then: portrayal run {shlex.quote(str(study))}")
