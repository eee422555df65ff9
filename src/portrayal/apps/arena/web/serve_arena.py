"""Serves a study's arena until someone ends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from portrayal.apps.arena.web.app import create_app
from portrayal.apps.arena.web.service import ArenaService
from portrayal.study.study import OpenStudy
from portrayal.web.picture_cache import PictureCache
from portrayal.web.server import ServeOptions, listen, serve_app
from portrayal.web.site_settings import SiteSettings

__all__ = ["serve"]


async def serve(
    study: OpenStudy,
    options: ServeOptions,
    database: str,
    password_hash: str,
    ready: Callable[[ArenaService, SiteSettings], Awaitable[None]],
) -> None:
    """Serve a study's arena until SIGINT or SIGTERM; ``ready`` is told when browsers can come.

    ``database`` "" is the study's own file; ``password_hash`` is that of the admin's password.
    """
    with listen(options.host, options.port) as sock:
        settings = SiteSettings(options.address(sock), options.behind_proxy, study.config.study.title)
        service = await ArenaService.open(study, database)
        try:
            pictures = PictureCache(study.workspace.images, study.root / "arena" / "cache")
            app = create_app(service, settings, password_hash, pictures)
            await serve_app(app, sock, ready(service, settings), service.check_lock)
        finally:
            await service.close()
