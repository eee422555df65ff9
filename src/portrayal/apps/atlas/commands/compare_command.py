"""The command that sets models of an atlas side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from portrayal.commands.options import Json, PageLanguage, Picture
from portrayal.terminal import say, say_json, say_table, tell

__all__ = ["Folder", "Protocols", "compare"]

Folder = Annotated[Path, typer.Argument(metavar="ATLAS", help="The atlas's folder.")]
Protocols = Annotated[
    list[str] | None,
    typer.Option(
        "--protocol", metavar="TEXT", help="Compare only by protocols whose name contains this; may be repeated."
    ),
]


def compare(
    folder: Folder,
    models: Annotated[
        list[str] | None, typer.Argument(metavar="MODEL", help="The models to compare; all of a protocol unless named.")
    ] = None,
    protocol: Protocols = None,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the table, bars and a picture of all three scores here."),
    ] = None,
    form: Annotated[
        list[Picture] | None,
        typer.Option("--format", help="Format of the pictures: svg, pdf or png; svg by default; may be repeated."),
    ] = None,
    language: Annotated[PageLanguage, typer.Option(help="The pictures' language.")] = "en",
    as_json: Json = False,
) -> None:
    """Show models side by side by three scores from 0 to 1.

    Each score is scaled among the models that are compared: 1 is the most biased of them.
    """
    from portrayal.apps.atlas.api import Atlas
    from portrayal.apps.atlas.report.atlas_compare import comparison_section

    compared = Atlas(folder).compare(*models or (), protocol=protocol or ())
    forms = [choice.value for choice in form or (Picture.svg,)]
    paths = compared.save(to, formats=forms, language=language) if to else []
    if as_json:
        say_json({**compared.data, "files": [str(path) for path in paths]})
        return
    section = comparison_section(compared.comparison)
    say_table(section.header, section.rows)
    for caution in section.cautions:
        tell(caution)
    say(*(str(path) for path in paths))
