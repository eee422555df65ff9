"""What commands that serve pages share: where to listen, and a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from portrayal.terminal import tell

if TYPE_CHECKING:
    from portrayal.web.server import ServeOptions
    from portrayal.web.site_settings import SiteSettings

__all__ = ["BehindProxy", "Host", "Port", "RootUrl", "warn_without_tls"]

Host = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")]
RootUrl = Annotated[
    str,
    typer.Option("--root-url", metavar="URL", help="The address that people use, such as https://arena.example.org."),
]
BehindProxy = Annotated[
    bool,
    typer.Option("--behind-proxy", help="The server is behind a proxy: trust the addresses that the proxy forwards."),
]


def warn_without_tls(settings: SiteSettings, options: ServeOptions) -> None:
    """Warn of a server that others can reach and that speaks without encryption."""
    if not settings.secure and options.host not in ("127.0.0.1", "::1", "localhost"):
        tell("warning: without TLS others on the network can read along; see docs/arena.md and --root-url")
