"""Serves the studio until someone ends it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from portrayal.apps.studio.web.app import create_app
from portrayal.apps.studio.web.service import StudioService
from portrayal.web.server import ServeOptions, listen, serve_app
from portrayal.web.site_settings import SiteSettings

__all__ = ["serve"]


async def serve(
    root: Path,
    options: ServeOptions,
    ready: Callable[[StudioService, SiteSettings], Awaitable[None]],
    password: str = "",
) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` is told when browsers can come. Runs that were started go on.

    With a ``password`` whoever knows it comes in, too.
    """
    with listen(options.host, options.port) as sock:
        settings = SiteSettings(options.address(sock), options.behind_proxy)
        service = StudioService.open(root)
        tending = asyncio.create_task(service.tend())
        try:
            await serve_app(create_app(service, settings, password), sock, ready(service, settings), service.check_lock)
        finally:
            tending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await tending
            service.close()
