"""The studio as one ASGI application."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from portrayal.apps.studio.own_pictures.picture_drop import MOST_BYTES as MOST_PICTURE_BYTES
from portrayal.apps.studio.web.pages import (
    across_pages,
    decide_pages,
    entry_pages,
    new_pages,
    own_pages,
    people_pages,
    picture_pages,
    result_pages,
    share_pages,
    study_pages,
)
from portrayal.apps.studio.web.password_entry import PasswordEntry
from portrayal.apps.studio.web.request_context import AppState, studio_context
from portrayal.apps.studio.web.service import StudioService
from portrayal.web.application import guarded, new_app
from portrayal.web.page_context import error_page
from portrayal.web.requested_language import requested_language
from portrayal.web.site import build_site
from portrayal.web.site_settings import SiteSettings

__all__ = ["create_app"]

PAGES = (
    entry_pages,
    new_pages,
    own_pages,
    study_pages,
    picture_pages,
    result_pages,
    decide_pages,
    people_pages,
    across_pages,
    share_pages,
)
MOST_BYTES = 1_000_000
"""Of a form: prompts of one's own are pasted into it."""
MOST_UPLOADED = MOST_PICTURE_BYTES + 50_000_000
"""Of a form with pictures: what it says about each is a part of it."""


def create_app(service: StudioService, settings: SiteSettings, password: str = "") -> ASGIApp:
    """Return the application around an open service; with a password, that is a way in beside the link."""
    site = build_site("portrayal.apps.studio.web", settings, service.secret, "auditor")
    app = new_app("Portrayal studio", site, (part.router for part in PAGES))
    app.state.studio = AppState(site, service, PasswordEntry.of(password))
    uploads = {own_pages.UPLOAD: MOST_UPLOADED}
    return guarded(app, site, _error, _need_link, language=requested_language, most_bytes=MOST_BYTES, uploads=uploads)


def _error(request: Request, status: int) -> Response:
    return error_page(studio_context(request), status)


def _need_link(request: Request) -> Response:
    return entry_pages.need_the_link(studio_context(request), 403)
