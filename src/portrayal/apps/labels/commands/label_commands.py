"""Commands around people's labels: a sheet to fill in, the site, and what comes of it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from portrayal.apps.labels import APP
from portrayal.apps.labels.commands.sheet_command import sheet
from portrayal.commands.command_lists import ListedGroup
from portrayal.commands.interrupt import EXIT_STOPPED
from portrayal.commands.options import Folder, Json, given_path
from portrayal.commands.serving import BehindProxy, Host, Port, RootUrl, warn_without_tls
from portrayal.terminal import say, say_json, say_text, tell

if TYPE_CHECKING:
    from portrayal.apps.labels.web.service import LabelsService
    from portrayal.study.importing.labels.label_sheet import Sample
    from portrayal.study.study import OpenStudy
    from portrayal.web.server import ServeOptions
    from portrayal.web.site_settings import SiteSettings

__all__ = ["labels"]

_HELP = """Let people label pictures, on a sheet or in a browser.

Labels show how often an annotator errs, and correct its shares. While the site runs, use its page /admin to invite
raters, to see how well they agree, and to bring complete labels into the study.

\b
  portrayal labels STUDY --to sheet.csv
  portrayal labels serve STUDY --next 100
  portrayal labels status STUDY
  portrayal labels collect STUDY

Without a command, writes a sheet: portrayal labels STUDY is short for portrayal labels sheet STUDY.
"""
PASSWORD = "PORTRAYAL_LABELS_PASSWORD"  # noqa: S105 - the variable's name

Database = Annotated[
    str,
    typer.Option(
        envvar="PORTRAYAL_LABELS_DATABASE",
        show_envvar=True,
        metavar="URL",
        help="Where answers are kept: postgresql://user:password@host/name; by default a file in the study. Set the "
        "environment variable if there is a password: others on this machine can read options.",
    ),
]


class LabelsGroup(ListedGroup):
    """The commands; where none is named, a sheet is written."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command before what is meant for it."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["sheet", *args]
        return super().parse_args(ctx, args)


def serve(  # noqa: PLR0913 - each is an option
    study: Folder,
    best: Annotated[
        int | None,
        typer.Option("--next", min=1, help="Choose this many pictures whose labels narrow corrected shares the most."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Let all pictures be labelled.")] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="FILE", help="Let these be labelled: a CSV with a column image."),
    ] = None,
    database: Database = "",
    host: Host = "127.0.0.1",
    port: Port = 8000,
    root_url: RootUrl = "",
    behind_proxy: BehindProxy = False,
) -> None:
    """Serve the pages where people label pictures.

    The first start chooses the pictures, at random unless you say --next, --pictures or --all. Later starts go on
    with the same ones.
    """
    APP.need_server("labelling")
    from portrayal.apps.labels.database.draw_pictures import wanted_sample
    from portrayal.apps.labels.questions_asked import add_labeller
    from portrayal.study.study import OpenStudy
    from portrayal.web.server import ServeOptions

    sample = wanted_sample(best or 0, every=every, listed=pictures)
    opened = OpenStudy.to_read(study)
    if added := add_labeller(opened):
        tell(added)
    _serve(opened, ServeOptions(host, port, root_url, behind_proxy), database, sample)
    tell("stopped; every answer that was acknowledged is stored, run the same command to go on")
    raise typer.Exit(EXIT_STOPPED)


def invite(
    study: Folder,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many links, one per person.")] = 1,
    label: Annotated[str, typer.Option(help="A word by which you will recognise these raters.")] = "",
    root_url: RootUrl = "http://127.0.0.1:8000",
    database: Database = "",
) -> None:
    """Create personal links for raters.

    While the site runs, its page /admin does the same.
    """
    APP.need_server("labelling")
    import asyncio

    from portrayal.study.study import OpenStudy
    from portrayal.web.site_settings import public_address

    address = public_address(root_url, "", 0)
    for token in asyncio.run(_invite(OpenStudy.to_read(study), database, count, label)):
        say(f"{address}/r/{token}")


def status(study: Folder, database: Database = "", as_json: Json = False) -> None:
    """Show how far labelling has come, and how well raters agree.

    Works while the site runs, too.
    """
    from portrayal.apps.labels.api import Labels
    from portrayal.apps.labels.commands.status_lines import lines

    summary = Labels(study).status(database=database)
    if as_json:
        say_json(summary.as_json())
    else:
        say(*lines(summary))


def export(
    study: Folder,
    to: Annotated[
        Path | None, typer.Option(parser=given_path, metavar="FILE", help="The CSV to write; by default, print.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Include raters that were left out.")] = False,
    database: Database = "",
) -> None:
    """Write all answers as a sheet of labels, one row for each.

    Works while the site runs, too. The Alt-Test reads it: portrayal annotators alt-test STUDY FILE.
    """
    from portrayal.apps.labels.api import Labels
    from portrayal.store.checksums.handed_files import write_handed

    text = Labels(study).answers_csv(everyone=everything, database=database)
    if to is None:
        say_text(text.rstrip("\n"))
    else:
        write_handed(to, text.encode())
        rows = max(text.count("\n") - 1, 0)
        say(f"{to} written: {rows} answer{'' if rows == 1 else 's'}")


def collect(study: Folder, database: Database = "", as_json: Json = False) -> None:
    """Bring pictures that enough people labelled into the study.

    Their labels then correct shares. Works while the site runs, too; labels already in the study stay as they are.
    """
    from portrayal.apps.labels.api import Labels

    found = Labels(study).collect(database=database)
    if as_json:
        say_json({**found.counts, "already there": found.already, "not complete": found.incomplete})
        return
    new = found.counts["images"]
    say(
        f"{new} picture{'' if new == 1 else 's'} brought in, {found.counts['observations']} labels; "
        f"{found.already} were there already, {found.incomplete} need more answers"
    )
    if new:
        say(f"see what they change with: portrayal annotators correct {shlex.quote(str(study))}")


def _serve(study: OpenStudy, options: ServeOptions, database: str, sample: Sample | None) -> None:
    import asyncio

    from portrayal.apps.labels.web.serve_labels import serve as run
    from portrayal.web.security.passwords import generate_password, hash_password

    given = os.environ.get(PASSWORD, "")
    password = given or generate_password()

    async def ready(service: LabelsService, settings: SiteSettings) -> None:
        say(f"labels: {settings.address}/")
        say(f"watch: {settings.address}/admin")
        if not given:
            tell(f"password of the watch page (for this run; set {PASSWORD} to choose one): {password}")
        warn_without_tls(settings, options)
        tell(service.drawn)
        if not service.config.contact:
            tell("note: raters read whom to ask only where study.toml sets contact under [labels]")
        if not service.raters():
            [token] = await service.invite(1, "first link")
            say(f"a first rater's link to try: {settings.link(token)}")

    asyncio.run(run(study, options, database, hash_password(password), ready, sample=sample))


async def _invite(study: OpenStudy, database: str, count: int, label: str) -> list[str]:
    from portrayal.apps.labels.web.service import LabelsService

    service = await LabelsService.open(study, database)
    try:
        return await service.invite(count, label)
    finally:
        await service.close()


labels = typer.Typer(cls=LabelsGroup, help=_HELP, rich_markup_mode=None)
for _command in (sheet, serve, invite, status, export, collect):
    labels.command()(_command)
