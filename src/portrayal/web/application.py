"""A site as one ASGI application: its pages, static files, and an answer for everything that goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from portrayal.errors import PortrayalError, StorageError
from portrayal.language.translation import LANGUAGES, speaking
from portrayal.web.page_context import LinkRequired
from portrayal.web.security.headers import SecurityHeaders
from portrayal.web.security.request_body import MOST_BYTES, BodyLimits
from portrayal.web.site import Site

__all__ = ["ErrorPage", "guarded", "new_app"]

LOG = logging.getLogger("portrayal.web")

ErrorPage = Callable[[Request, int], Response]
"""Makes the page for a status."""


def new_app(title: str, site: Site, routers: Iterable[APIRouter]) -> FastAPI:
    """Return an application with these pages and the site's static files."""
    app = FastAPI(title=title, docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    for router in routers:
        app.include_router(router)
    app.add_api_route("/static/{name}", site.static, methods=["GET"])
    return app


def guarded(
    app: FastAPI,
    site: Site,
    error_page: ErrorPage,
    need_link: Callable[[Request], Response],
    *,
    language: Callable[[Request], str],
    most_bytes: int = MOST_BYTES,
    uploads: Mapping[str, int] | None = None,
) -> ASGIApp:
    """Return the application with limits on what comes in, headers on what goes out, and a page for every error.

    ``language`` is what a request is answered in. ``uploads`` are addresses that take files, and how
    many bytes.
    """

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        response = error_page(request, error.status_code)
        response.headers.update(error.headers or {})
        return response

    async def not_found(request: Request, error: Exception) -> Response:  # noqa: ARG001  # the signature it wants
        return error_page(request, 404)

    async def needs_link(request: Request, error: Exception) -> Response:  # noqa: ARG001  # the signature it wants
        return need_link(request)

    async def failed(request: Request, error: Exception) -> Response:
        """Answer what the study's team can act on: they read it in the log, others only that it did not work."""
        LOG.error("%s", " ".join(str(error).split()))
        return error_page(request, 503 if isinstance(error, StorageError) else 500)

    async def crashed(request: Request, error: Exception) -> Response:  # noqa: ARG001  # the server logs it
        response = error_page(request, 500)
        response.headers["Connection"] = "close"  # the server hangs up after an error it did not expect
        return response

    app.add_exception_handler(HTTPException, http_error)
    app.add_exception_handler(RequestValidationError, not_found)
    app.add_exception_handler(LinkRequired, needs_link)
    app.add_exception_handler(PortrayalError, failed)
    app.add_exception_handler(Exception, crashed)
    # Outside of everything, for also what fails must say these headers.
    limited = BodyLimits(app, partial(_refuse, app, error_page), most_bytes=most_bytes, uploads=uploads)
    return SecurityHeaders(_Speaking(limited, lambda scope: language(_request(app, scope))), site.settings.secure)


class _Speaking:
    """ASGI middleware that has each request answered in a language of its own, also one that is refused."""

    def __init__(self, app: ASGIApp, language: Callable[[Scope], str]) -> None:
        self.app = app
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with speaking(self._language(scope) if scope["type"] == "http" else LANGUAGES[0], page=True):
            await self.app(scope, receive, send)


def _request(app: FastAPI, scope: Scope) -> Request:
    """Return a request that has not reached the application yet, but can ask for what that shares."""
    return Request({**scope, "app": app})


def _refuse(app: FastAPI, error_page: ErrorPage, scope: Scope, status: int, words: str) -> Response:  # noqa: ARG001
    return error_page(_request(app, scope), status)  # pages have words of their own
