"""The annotation of relations as one ASGI application."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from portrayal.apps.graph.web import onboarding_pages, vertex_pages
from portrayal.apps.graph.web.form import blocks, field_count
from portrayal.apps.graph.web.request_context import AppState, annotator_context
from portrayal.apps.graph.web.service import GraphService
from portrayal.web.application import guarded, new_app
from portrayal.web.page_context import error_page, need_link
from portrayal.web.requested_language import reading_language
from portrayal.web.security.request_body import MOST_BYTES
from portrayal.web.site import build_site
from portrayal.web.site_settings import SiteSettings

__all__ = ["create_app"]

_BYTES_EACH = 16
"""Of a field of the form about a vertex, and more."""


def create_app(service: GraphService, settings: SiteSettings, contact: str = "") -> ASGIApp:
    """Return the application around an open service."""
    site = build_site("portrayal.apps.graph.web", settings, service.secret, "annotator")
    app = new_app("Portrayal annotation", site, [onboarding_pages.router, vertex_pages.router])
    app.state.graph = AppState(site, service, contact)
    forms = (blocks(service.domain, vertex.key, service.pairs(vertex), {}) for vertex in service.pages)
    largest = max(map(field_count, forms), default=0)
    most_bytes = max(MOST_BYTES, 1024 + largest * _BYTES_EACH)
    return guarded(app, site, _error, _need_link, language=_language, most_bytes=most_bytes)


def _error(request: Request, status: int) -> Response:
    return error_page(annotator_context(request), status)


def _need_link(request: Request) -> Response:
    return need_link(annotator_context(request), 403)


def _language(request: Request) -> str:
    return reading_language(request, annotator_context(request).annotator)
