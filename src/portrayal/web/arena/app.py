"""The arena as one ASGI application: pages, pictures, static files, and an answer for everything that goes wrong."""

from __future__ import annotations

import logging
from functools import partial

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Scope

from portrayal.errors import PortrayalError, StorageError
from portrayal.web.arena import admin_pages, leaderboard_page, onboarding_pages, voting_pages
from portrayal.web.arena.app_state import STATIC_TYPES, app_state_of, build_app_state
from portrayal.web.arena.request_context import LinkRequired, admin_context, rater_context
from portrayal.web.arena.service import ArenaService
from portrayal.web.arena.site_settings import SiteSettings
from portrayal.web.headers import SecurityHeaders
from portrayal.web.picture_cache import PictureCache
from portrayal.web.request_body import BodyLimits

__all__ = ["create_app"]

LOG = logging.getLogger("portrayal.arena")
STATIC_CACHE = "public, max-age=86400"

_WITH_TEXT = {400, 403, 404, 413, 429, 500, 503}
_TEXT_OF = {405: 404, 408: 400, 409: 400, 415: 400, 422: 400}
"""Errors with texts of their own, and whose text the others use."""


def create_app(service: ArenaService, settings: SiteSettings, pictures: PictureCache) -> ASGIApp:
    """Return the arena's application around an open service."""
    app = FastAPI(title="Portrayal arena", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    app.state.arena = build_app_state(service, settings, pictures)
    for pages in (onboarding_pages, voting_pages, admin_pages, leaderboard_page):
        app.include_router(pages.router)
    app.add_api_route("/static/{name}", _static, methods=["GET"])
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _not_found)
    app.add_exception_handler(LinkRequired, _needs_link)
    app.add_exception_handler(PortrayalError, _failed)
    app.add_exception_handler(Exception, _crashed)
    # Outside of everything, for also what fails must say these headers.
    return SecurityHeaders(BodyLimits(app, partial(_refuse, app)), settings.secure)


async def _static(request: Request, name: str) -> Response:
    files = app_state_of(request).static_files
    if name not in files:
        raise HTTPException(404)
    return Response(files[name], media_type=STATIC_TYPES[name], headers={"Cache-Control": STATIC_CACHE})


def _error(request: Request, status: int) -> Response:
    """Return a friendly page that says nothing about what is behind it."""
    admin_page = request.url.path.startswith("/admin")
    context = admin_context(request) if admin_page else rater_context(request)
    words = status if status in _WITH_TEXT else _TEXT_OF.get(status, 500 if status >= 500 else 400)
    values = {"text": context.texts(f"error.e{words}_text"), "home": "/admin" if admin_page else "/"}
    return context.render("error", context.texts(f"error.e{words}"), values, status)


def _refuse(app: FastAPI, scope: Scope, status: int, words: str) -> Response:  # noqa: ARG001  # pages have their own
    return _error(Request({**scope, "app": app}), status)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = _error(request, error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _not_found(request: Request, error: Exception) -> Response:  # noqa: ARG001  # the signature it wants
    return _error(request, 404)


async def _needs_link(request: Request, error: Exception) -> Response:  # noqa: ARG001  # the signature it wants
    return onboarding_pages.need_link(rater_context(request), 403)


async def _failed(request: Request, error: Exception) -> Response:
    """Answer what the study's team can act on: they read it in the log, raters read only that it did not work."""
    LOG.error("%s", " ".join(str(error).split()))
    return _error(request, 503 if isinstance(error, StorageError) else 500)


async def _crashed(request: Request, error: Exception) -> Response:  # noqa: ARG001  # the server logs it
    response = _error(request, 500)
    response.headers["Connection"] = "close"  # the server hangs up after an error it did not expect
    return response
