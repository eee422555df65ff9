"""The command that publishes results."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from portrayal.apps.publish.formats import FORMATS
from portrayal.commands.options import Json, PageLanguage, given_path
from portrayal.errors import InputError, MissingExtraError
from portrayal.terminal import from_here, say, say_json

__all__ = ["app"]

app = typer.Typer(add_completion=False, rich_markup_mode=None)
Name = StrEnum("Name", {name: name for name in FORMATS})  # type: ignore[misc]
Relationship = StrEnum("Relationship", ["first_party", "third_party", "collaborative", "other"])
_HELP = "; ".join(f"{name}: {form.entry.summary}" for name, form in FORMATS.items())


@app.command("publish")
def publish(  # noqa: PLR0913 - each is an option
    studies: Annotated[
        list[Path], typer.Argument(parser=given_path, metavar="STUDY", help="The study's folder; a site takes many.")
    ],
    form: Annotated[Name, typer.Option("--as", help=f"{_HELP}.")],
    to: Annotated[
        Path | None,
        typer.Option(
            parser=given_path, metavar="PATH", help="Where to write; by default here, under the study's name."
        ),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="FILE", help="Sign a bundle with this SSH key's private file."),
    ] = None,
    organization: Annotated[str, typer.Option(metavar="NAME", help="Who publishes; some formats require it.")] = "",
    relationship: Annotated[
        Relationship,
        typer.Option(help="How the publisher relates to the model's maker; first_party is the maker itself."),
    ] = Relationship.other,
    dataset: Annotated[
        str, typer.Option(metavar="OWNER/NAME", help="The benchmark's dataset on the hub, for hugging-face.")
    ] = "",
    link: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of the report, for people who see a single number.")
    ] = "",
    license_: Annotated[
        str, typer.Option("--license", metavar="ADDRESS", help="The licence under which a dataset is published.")
    ] = "",
    language: Annotated[PageLanguage, typer.Option(help="The language of a site's own pages.")] = "en",
    as_json: Json = False,
) -> None:
    """Write results in the formats that others use.

    Every number comes with its interval, how many images it rests on, how many are missing, and who looked.
    """
    from portrayal.api.running.progress import show_progress
    from portrayal.apps.publish.formats import Order
    from portrayal.study.run_control import RunControl

    chosen = FORMATS[form.value]
    if len(studies) > 1 and not chosen.many:
        raise InputError(f"--as {form.value} takes one study; give one, or use --as site")
    if key and not chosen.signed:
        raise InputError(f"--as {form.value} is not signed; leave --key out, or use --as bundle")
    if missing := chosen.entry.missing():
        raise MissingExtraError(f"--as {form.value} needs {', '.join(missing)}: run {chosen.entry.remedy()}")
    place = to or Path(chosen.place.format(name=studies[0].absolute().name))
    with show_progress() as shown:
        done = chosen.entry.load()(
            Order(
                studies,
                place,
                RunControl(shown),
                key=key,
                organization=organization,
                relationship=relationship.value,
                license=license_,
                dataset=dataset,
                link=link,
                language=language,
            )
        )
    if as_json:
        say_json({"files": [str(path) for path in done.files], "remarks": list(done.remarks)})
        return
    say(*(str(from_here(path)) for path in done.files[:1]), *done.remarks)
