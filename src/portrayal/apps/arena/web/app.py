"""The arena as one ASGI application."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from portrayal.apps.arena.web import admin_pages, leaderboard_page, onboarding_pages, voting_pages
from portrayal.apps.arena.web.app_state import build_app_state
from portrayal.apps.arena.web.request_context import RequestContext, admin_context, rater_context
from portrayal.apps.arena.web.service import ArenaService
from portrayal.web.application import guarded, new_app
from portrayal.web.page_context import error_page, need_link
from portrayal.web.picture_cache import PictureCache
from portrayal.web.requested_language import reading_language
from portrayal.web.site_settings import SiteSettings

__all__ = ["create_app"]


def create_app(service: ArenaService, settings: SiteSettings, password_hash: str, pictures: PictureCache) -> ASGIApp:
    """Return the arena's application around an open service."""
    state = build_app_state(service, settings, password_hash, pictures)
    pages = (onboarding_pages, voting_pages, admin_pages, leaderboard_page)
    app = new_app("Portrayal arena", state.site, [page.router for page in pages])
    app.state.arena = state
    return guarded(app, state.site, _error, _need_link, language=_language)


def _error(request: Request, status: int) -> Response:
    return error_page(_context(request), status, "/admin" if _is_admins(request) else "/")


def _need_link(request: Request) -> Response:
    return need_link(rater_context(request), 403)


def _language(request: Request) -> str:
    return reading_language(request, _context(request).rater)


def _context(request: Request) -> RequestContext:
    return admin_context(request) if _is_admins(request) else rater_context(request)


def _is_admins(request: Request) -> bool:
    return request.url.path.startswith("/admin")
