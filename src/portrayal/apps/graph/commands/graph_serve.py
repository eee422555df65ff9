"""Annotating in a browser: pages with a personal link for everyone, and the sheets that come of it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.apps.graph import APP
from portrayal.apps.graph.commands.graph_options import Kind, Tables, check_new, find_domain, write_text
from portrayal.commands.interrupt import EXIT_STOPPED
from portrayal.commands.options import given_path
from portrayal.commands.serving import BehindProxy, Host, Port, RootUrl, warn_without_tls
from portrayal.terminal import say, tell

if TYPE_CHECKING:
    from portrayal.apps.graph.web.service import GraphService
    from portrayal.web.site_settings import SiteSettings

__all__ = ["serve", "sheets"]

Answers = Annotated[
    Path, typer.Argument(parser=given_path, metavar="FOLDER", help="Where answers are kept; created if needed.")
]


def serve(  # noqa: PLR0913 - each is an option
    folder: Answers,
    annotators: Annotated[
        list[str] | None,
        typer.Option(
            "--annotator",
            metavar="NAME",
            help="Print a link for this annotator, who may be new, and name their sheet so; may be repeated.",
        ),
    ] = None,
    contact: Annotated[str, typer.Option(help="Whom annotators can ask, such as an e-mail address.")] = "",
    tables: Tables = None,
    kind: Kind = "",
    host: Host = "127.0.0.1",
    port: Port = 8000,
    root_url: RootUrl = "",
    behind_proxy: BehindProxy = False,
) -> None:
    """Serve the pages where people annotate relations.

    One occupation at a time; every answer is stored at once.
    """
    APP.need_server("annotation")
    import asyncio

    from portrayal.apps.graph.web.serve_graph import serve as run
    from portrayal.apps.graph.web.service import check_names
    from portrayal.web.server import ServeOptions

    options = ServeOptions(host, port, root_url, behind_proxy)
    # All of them before any link is made: a new link ends the one before.
    check_names(annotators or ())

    async def ready(service: GraphService, settings: SiteSettings) -> None:
        say(f"annotation: {settings.address}/")
        warn_without_tls(settings, options)
        for name in annotators or ():
            say(f"{name}: {settings.link(await service.invite(name))}")
        for known in service.annotators():
            tell(f"{known.name}: {service.done(known.id)} of {len(service.pages)} pages answered")
        if not service.annotators():
            tell("note: nobody is invited yet; give --annotator NAME for each person")

    asyncio.run(run(folder, find_domain(tables, kind), options, contact, ready))
    tell("stopped; every answer that was acknowledged is stored, run the same command to go on")
    raise typer.Exit(EXIT_STOPPED)


def sheets(
    folder: Answers,
    out: Annotated[
        Path, typer.Option(parser=given_path, metavar="FOLDER", help="Where to write a sheet for each annotator.")
    ],
    tables: Tables = None,
    kind: Kind = "",
) -> None:
    """Write what annotators answered in the browser as sheets.

    Also while the server runs.
    """
    APP.need_server("annotation")
    from portrayal.apps.graph.annotations.judgements import sheets_of
    from portrayal.apps.graph.annotations.sheets import sheet_csv
    from portrayal.apps.graph.database.open_answers import read_answers

    domain = find_domain(tables, kind)
    files = {out / f"{sheet.annotator}.csv": sheet for sheet in sheets_of(read_answers(folder, domain))}
    judged = {path: sheet for path, sheet in files.items() if sheet.judged}
    check_new(*judged)
    for path, sheet in files.items():
        if path not in judged:
            tell(f"{sheet.annotator}: has judged nothing yet, so there is no sheet")
            continue
        write_text(path, sheet_csv(domain.vertices, domain.schema, sheet))
        say(f"{path}: {len(sheet.judged)} pairs judged")
    if judged:
        names = " ".join(shlex.quote(str(path)) for path in judged)
        say(f"see how far they agree with: portrayal graph agreement {names}")
