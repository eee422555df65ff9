"""Commands around the arena: serve it, invite raters, export and rate their votes."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.apps.arena import APP
from portrayal.apps.arena.commands.bench_command import bench
from portrayal.apps.arena.commands.rate_command import rate
from portrayal.commands.command_lists import ListedGroup
from portrayal.commands.interrupt import EXIT_STOPPED
from portrayal.commands.options import Folder, given_path
from portrayal.commands.serving import BehindProxy, Host, Port, RootUrl, warn_without_tls
from portrayal.terminal import say, say_text, tell

if TYPE_CHECKING:
    from portrayal.apps.arena.web.service import ArenaService
    from portrayal.study.study import OpenStudy
    from portrayal.web.server import ServeOptions
    from portrayal.web.site_settings import SiteSettings

__all__ = ["arena"]

_HELP = """Let people compare pictures, and rate models by votes.

The study's pictures must be drawn first. While the server runs, use its admin page to invite raters and to see the
votes so far.

\b
  portrayal arena invite STUDY --count 20
  portrayal arena serve STUDY
  portrayal arena export STUDY --to votes.csv
  portrayal arena rate votes.csv --html ratings.html
"""

PASSWORD = "PORTRAYAL_ARENA_PASSWORD"  # noqa: S105 - the variable's name

Database = Annotated[
    str,
    typer.Option(
        envvar="PORTRAYAL_ARENA_DATABASE",
        show_envvar=True,
        metavar="URL",
        help="Where votes are kept: postgresql://user:password@host/name; by default a file in the study. Set the "
        "environment variable if there is a password: others on this machine can read options.",
    ),
]


def serve(
    study: Folder,
    database: Database = "",
    host: Host = "127.0.0.1",
    port: Port = 8000,
    root_url: RootUrl = "",
    behind_proxy: BehindProxy = False,
) -> None:
    """Serve the pages where people compare pictures.

    Also serves an admin page, where you invite raters and see the votes so far.
    """
    APP.need_server("arena")
    from portrayal.study.study import OpenStudy
    from portrayal.web.server import ServeOptions

    _serve(OpenStudy.to_read(study), ServeOptions(host, port, root_url, behind_proxy), database)
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

    While the server runs, its admin page does the same.
    """
    APP.need_server("arena")
    import asyncio

    from portrayal.study.study import OpenStudy
    from portrayal.web.site_settings import public_address

    address = public_address(root_url, "", 0)
    for token in asyncio.run(_invite(OpenStudy.to_read(study), database, count, label)):
        say(f"{address}/r/{token}")


def export(
    study: Folder,
    to: Annotated[
        Path | None,
        typer.Option(parser=given_path, metavar="FILE", help="The CSV file to write; by default, print."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include attention checks and raters that were left out.")
    ] = False,
    database: Database = "",
) -> None:
    """Write the votes as CSV, also while the server runs.

    Without --all, they are also written to the study's tables.
    """
    from portrayal.apps.arena.database.export import read_votes, save_votes, votes_csv
    from portrayal.store.checksums.handed_files import write_handed
    from portrayal.study.study import OpenStudy

    opened = OpenStudy.to_read(study)
    rows = read_votes(opened, database, everyone=everything)
    text = votes_csv(rows, opened.names)
    if to is None:
        say_text(text.rstrip("\n"))
    else:
        write_handed(to, text.encode())
    if not everything:
        save_votes(opened.workspace, rows)
    if to is not None:
        say(f"{to}: {len(rows)} votes; rate them with: portrayal arena rate {shlex.quote(str(to))}")


def _serve(study: OpenStudy, options: ServeOptions, database: str) -> None:
    import asyncio

    from portrayal.apps.arena.web.serve_arena import serve as run
    from portrayal.web.security.passwords import generate_password, hash_password

    given = os.environ.get(PASSWORD, "")
    password = given or generate_password()

    async def ready(service: ArenaService, settings: SiteSettings) -> None:
        say(f"arena: {settings.address}/")
        say(f"admin: {settings.address}/admin")
        if not given:
            tell(f"admin password (for this run; set {PASSWORD} to choose one): {password}")
        warn_without_tls(settings, options)
        every, same = service.pool.picture_pairs
        if same:
            tell(f"note: {same} of {every} pairs of pictures are the same file twice; they are never shown")
        if not service.config.contact:
            tell("note: raters are told to ask the study's team, but not whom: set contact under [arena] in study.toml")
        if not service.raters():
            [token] = await service.invite(1, "first link")
            say(f"a first rater's link to try: {settings.link(token)}")

    asyncio.run(run(study, options, database, hash_password(password), ready))


async def _invite(study: OpenStudy, database: str, count: int, label: str) -> list[str]:
    from portrayal.apps.arena.web.service import ArenaService

    service = await ArenaService.open(study, database)
    try:
        return await service.invite(count, label)
    finally:
        await service.close()


arena = typer.Typer(cls=ListedGroup, help=_HELP, rich_markup_mode=None)
for _command in (serve, invite, export, rate, bench):
    arena.command()(_command)
