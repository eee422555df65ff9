"""One request to a page of the arena: who it is from, and the page that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from portrayal.apps.arena.battles.battle import Rater
from portrayal.apps.arena.web.app_state import AppState, app_state_of
from portrayal.language.translation import t
from portrayal.web.page_context import LinkRequired, PageContext, visitor_session, who_asks

__all__ = ["RETURN_PATHS", "RequestContext", "admin_context", "rater_context"]

RETURN_PATHS = ("/", "/consent", "/questions", "/battle", "/done", "/leaderboard", "/admin", "/admin/login")
"""Where a change of language may lead back to; no other address is repeated in a page, for it may hold a token."""


@dataclass(frozen=True, slots=True)
class RequestContext(PageContext):
    """What a page of the arena needs to know about its request."""

    app_state: AppState
    rater: Rater | None = None
    is_admin: bool = False

    @property
    def title(self) -> str:
        """What the arena is called."""
        return self.app_state.service.config.title or self.site.settings.title or t("Compare pictures")

    @property
    def here(self) -> str:
        """Where a change of language leads back to."""
        path = self.request.url.path
        return path if path in RETURN_PATHS else "/admin" if self.is_admin else "/"

    @property
    def asked(self) -> str:
        """Whom raters can ask."""
        return self.app_state.service.config.contact

    def show(self, name: str, heading: str, values: Mapping[str, Any] | None = None, status: int = 200) -> Response:
        """Return a page of the arena, which may look at ``config``."""
        return self.render(name, heading, {"config": self.app_state.service.config, **(values or {})}, status)

    def require_rater(self) -> Rater:
        """Return who is rating; without a link there is no page to see."""
        if self.rater is None:
            raise LinkRequired
        return self.rater


def rater_context(request: Request) -> RequestContext:
    """Return the context of a rater's request, or of someone who is none yet."""
    app_state = app_state_of(request)
    session, rater = who_asks(app_state.site, request, app_state.service.rater)
    return RequestContext(request, app_state.site, session, app_state, rater)


def admin_context(request: Request) -> RequestContext:
    """Return the context of the admin's request, or of someone who may become the admin."""
    app_state = app_state_of(request)
    admin = app_state.admin_sessions.read(request)
    session = admin or visitor_session(app_state.site, request)
    return RequestContext(request, app_state.site, session, app_state, is_admin=admin is not None)
