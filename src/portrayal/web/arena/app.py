"""The arena as one ASGI application."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from portrayal.web.application import guarded, new_app
from portrayal.web.arena import admin_pages, leaderboard_page, onboarding_pages, voting_pages
from portrayal.web.arena.app_state import build_app_state
from portrayal.web.arena.request_context import admin_context, rater_context
from portrayal.web.arena.service import ArenaService
from portrayal.web.page_context import error_page
from portrayal.web.picture_cache import PictureCache
from portrayal.web.site_settings import SiteSettings

__all__ = ["create_app"]


def create_app(service: ArenaService, settings: SiteSettings, password_hash: str, pictures: PictureCache) -> ASGIApp:
    """Return the arena's application around an open service."""
    state = build_app_state(service, settings, password_hash, pictures)
    pages = (onboarding_pages, voting_pages, admin_pages, leaderboard_page)
    app = new_app("Portrayal arena", state.site, [page.router for page in pages])
    app.state.arena = state
    return guarded(app, state.site, _error, _need_link)


def _error(request: Request, status: int) -> Response:
    if request.url.path.startswith("/admin"):
        return error_page(admin_context(request), status, "/admin")
    return error_page(rater_context(request), status)


def _need_link(request: Request) -> Response:
    return onboarding_pages.need_link(rater_context(request), 403)
