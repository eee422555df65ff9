"""One request to a page: who it is from, in which language, and the page or redirect that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from portrayal.arena.battles.battle import Rater
from portrayal.web.arena.app_state import AppState, app_state_of
from portrayal.web.arena.texts import LANGUAGES, Texts, load_texts, preferred_language
from portrayal.web.request_body import read_form
from portrayal.web.session_cookies import Session

__all__ = [
    "LANGUAGE_COOKIE",
    "RETURN_PATHS",
    "LinkRequired",
    "RequestContext",
    "admin_context",
    "rater_context",
    "see_other",
    "too_many_requests",
]

LANGUAGE_COOKIE = "portrayal-language"
RETURN_PATHS = ("/", "/consent", "/questions", "/battle", "/done", "/leaderboard", "/admin", "/admin/login")
"""Where a change of language may lead back to; no other address is repeated in a page, for it may hold a token."""


class LinkRequired(Exception):  # noqa: N818 - a way to answer, not a failure
    """Someone without a rater's session asks for a rater's page."""


@dataclass(frozen=True, slots=True)
class RequestContext:
    """What a page needs to know about its request. ``session`` is a visitor's when nobody is logged in."""

    request: Request
    app_state: AppState
    session: Session
    texts: Texts
    rater: Rater | None = None
    is_admin: bool = False

    def render(self, name: str, heading: str, values: Mapping[str, Any] | None = None, status: int = 200) -> Response:
        """Return a page from a template."""
        service, settings = self.app_state.service, self.app_state.settings
        text = self.app_state.templates.get_template(f"{name}.html.j2").render(
            t=self.texts,
            title=service.config.title or settings.title or self.texts("site.arena"),
            heading=heading,
            version=self.app_state.static_version,
            csrf=self.app_state.csrf.token(self.session),
            here=self._here(),
            config=service.config,
            **(values or {}),
        )
        response = HTMLResponse(text, status)
        if self.session.purpose == "visitor":
            self.app_state.visitor_sessions.set_cookie(response, self.session)
        return response

    async def form(self) -> Mapping[str, str]:
        """Return the form that was sent, if it was sent from one of our pages in this session."""
        form = await read_form(self.request)
        self.app_state.csrf.check(self.request, form, self.session)
        return form

    def _here(self) -> str:
        path = self.request.url.path
        return path if path in RETURN_PATHS else "/admin" if self.is_admin else "/"

    def require_rater(self) -> Rater:
        """Return who is rating; without a link there is no page to see."""
        if self.rater is None:
            raise LinkRequired
        return self.rater


def rater_context(request: Request) -> RequestContext:
    """Return the context of a rater's request, or of someone who is none yet."""
    app_state = app_state_of(request)
    session = app_state.rater_sessions.read(request)
    rater = app_state.service.rater(session.who) if session else None
    if session is None or rater is None:
        return RequestContext(request, app_state, _visitor_session(app_state, request), load_texts(_language(request)))
    language = rater.language if rater.language in LANGUAGES else _language(request)
    return RequestContext(request, app_state, session, load_texts(language), rater)


def admin_context(request: Request) -> RequestContext:
    """Return the context of the admin's request, or of someone who may become the admin."""
    app_state = app_state_of(request)
    session = app_state.admin_sessions.read(request)
    texts = load_texts(_language(request))
    return RequestContext(
        request, app_state, session or _visitor_session(app_state, request), texts, is_admin=session is not None
    )


def see_other(path: str) -> Response:
    """Send the browser to another page, so that reloading that page sends nothing twice."""
    return RedirectResponse(path, 303)


def too_many_requests(seconds: float) -> HTTPException:
    """Return the error that asks someone to wait."""
    return HTTPException(429, headers={"Retry-After": str(int(seconds) + 1)})


def _visitor_session(app_state: AppState, request: Request) -> Session:
    return app_state.visitor_sessions.read(request) or app_state.visitor_sessions.new("")


def _language(request: Request) -> str:
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", ""))
