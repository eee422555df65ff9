"""The command that serves the studio."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.apps.studio import APP
from portrayal.commands.interrupt import EXIT_STOPPED
from portrayal.commands.options import given_path
from portrayal.commands.serving import BehindProxy, Host, Port, RootUrl, warn_without_tls
from portrayal.errors import InputError
from portrayal.terminal import say, tell

if TYPE_CHECKING:
    from portrayal.apps.studio.web.service import StudioService
    from portrayal.web.site_settings import SiteSettings

__all__ = ["app"]

PASSWORD = "PORTRAYAL_STUDIO_PASSWORD"  # noqa: S105 - the variable's name

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command("studio")
def studio(
    folder: Annotated[
        Path,
        typer.Argument(parser=given_path, metavar="FOLDER", help="The folder with the studies; by default this one."),
    ] = Path(),
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the link in a browser.")] = True,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    root_url: RootUrl = "",
    behind_proxy: BehindProxy = False,
) -> None:
    """Create, run and read studies in a browser.

    Prints a link. Whoever opens it can run the studies in this folder. Runs go on after the studio is closed. With the
    environment variable PORTRAYAL_STUDIO_PASSWORD a password of 12 characters or more opens it, too.
    """
    APP.need_server("studio")
    import asyncio
    import webbrowser

    from portrayal.apps.studio.web.serve_studio import serve
    from portrayal.web.server import ServeOptions

    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder; create it, or give another one")
    options = ServeOptions(host, port, root_url, behind_proxy)

    async def ready(service: StudioService, settings: SiteSettings) -> None:
        link = settings.link(service.token)
        say(f"studio: {link}")
        warn_without_tls(settings, options)
        if browser and not root_url:
            await asyncio.to_thread(webbrowser.open, link)

    asyncio.run(serve(folder.absolute(), options, ready, os.environ.get(PASSWORD, "")))
    tell("stopped; runs that were started go on, run the same command to see them")
    raise typer.Exit(EXIT_STOPPED)
