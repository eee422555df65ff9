"""Serves a study's labelling site until someone ends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from portrayal.apps.labels.web.app import create_app
from portrayal.apps.labels.web.service import LabelsService
from portrayal.study.importing.labels.label_sheet import Sample
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
    ready: Callable[[LabelsService, SiteSettings], Awaitable[None]],
    sample: Sample | None = None,
) -> None:
    """Serve a study's labelling until SIGINT or SIGTERM; ``ready`` is told when browsers can come.

    ``database`` "" is the study's own file; ``password_hash`` is that of the team's password. ``sample`` are
    the pictures to draw, see :meth:`LabelsService.draw`.
    """
    with listen(options.host, options.port) as sock:
        settings = SiteSettings(options.address(sock), options.behind_proxy, study.config.study.title)
        service = await LabelsService.open(study, database)
        try:
            await service.draw(sample)
            pictures = PictureCache(study.workspace.images, study.root / "labels" / "cache")
            app = create_app(service, settings, password_hash, pictures)
            await serve_app(app, sock, ready(service, settings), service.check_lock)
        finally:
            await service.close()
