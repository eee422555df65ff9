"""Serves the annotation of relations until someone ends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from portrayal.apps.graph.web.app import create_app
from portrayal.apps.graph.web.service import GraphService
from portrayal.graph.domain import Domain
from portrayal.web.server import ServeOptions, listen, serve_app
from portrayal.web.site_settings import SiteSettings

__all__ = ["serve"]


async def serve(
    folder: Path,
    domain: Domain,
    options: ServeOptions,
    contact: str,
    ready: Callable[[GraphService, SiteSettings], Awaitable[None]],
) -> None:
    """Serve until SIGINT or SIGTERM; answers are kept in ``folder``, and ``ready`` is told when browsers can come."""
    with listen(options.host, options.port) as sock:
        settings = SiteSettings(options.address(sock), options.behind_proxy)
        service = await GraphService.open(folder, domain)
        try:
            app = create_app(service, settings, contact)
            await serve_app(app, sock, ready(service, settings), service.check_lock)
        finally:
            await service.close()
