"""One request to a page: in which session and language it came, and the page or redirect that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from portrayal.web.request_body import MOST_FIELDS, read_form
from portrayal.web.session_cookies import Session
from portrayal.web.site import Site
from portrayal.web.texts import LANGUAGES, Texts, preferred_language

__all__ = [
    "LANGUAGE_COOKIE",
    "LinkRequired",
    "PageContext",
    "enter",
    "error_page",
    "keep_language",
    "requested_language",
    "see_other",
    "too_many_requests",
    "visitor_session",
    "who_asks",
]

LANGUAGE_COOKIE = "portrayal-language"
_YEAR = 365 * 24 * 60 * 60
_WITH_TEXT = {400, 403, 404, 413, 429, 500, 503}
_TEXT_OF = {405: 404, 408: 400, 409: 400, 415: 400, 422: 400}
"""Errors with texts of their own, and whose text the others use."""


class _Speaker(Protocol):
    @property
    def language(self) -> str: ...


SpeakerT = TypeVar("SpeakerT", bound=_Speaker)


class LinkRequired(Exception):  # noqa: N818 - a way to answer, not a failure
    """Someone without a personal link asks for a page that needs one."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a page needs to know about its request. ``session`` is a visitor's when nobody came with a link."""

    request: Request
    site: Site
    session: Session
    texts: Texts

    @property
    def title(self) -> str:
        """What the site is called."""
        return self.site.settings.title or self.texts("site.name")

    @property
    def here(self) -> str:
        """Where a change of language leads back to."""
        return "/"

    @property
    def asked(self) -> str:
        """Whom people can ask; empty where nobody is named."""
        return ""

    def render(self, name: str, heading: str, values: Mapping[str, Any] | None = None, status: int = 200) -> Response:
        """Return a page from a template; ``web/name`` is one that all sites share."""
        text = self.site.templates.get_template(f"{name}.html.j2").render(
            t=self.texts,
            title=self.title,
            heading=heading,
            version=self.site.static_version,
            styles=self.site.styles,
            scripts=self.site.scripts,
            csrf=self.site.csrf.token(self.session),
            here=self.here,
            asked=self.asked,
            **(values or {}),
        )
        response = HTMLResponse(text, status)
        if self.session.purpose == "visitor":
            self.site.visitor_sessions.set_cookie(response, self.session)
        return response

    async def form(self, most_fields: int = MOST_FIELDS) -> Mapping[str, str]:
        """Return the form that was sent, if it was sent from one of our pages in this session."""
        form = await read_form(self.request, most_fields)
        self.site.csrf.check(self.request, form, self.session)
        return form


def enter(context: PageContext, who: str, current: str, path: str) -> Response | None:
    """Let in ``who`` a personal link belongs to, in a new session unless that is who is in; None: it is nobody's.

    Keeping a session lets forms in other tabs still be sent. Only links that lead nowhere are counted: a whole school
    may come from one address, and somebody there who tries wrong ones must not keep the others out.
    """
    site = context.site
    if not who:
        if wait := site.link_throttle.attempt(site.client(context.request)):
            raise too_many_requests(wait)
        return None
    response = see_other(path)
    if current != who:
        site.sessions.start(response, who)
    return response


def error_page(context: PageContext, status: int, home: str = "/") -> Response:
    """Return a friendly page that says nothing about what is behind it."""
    words = status if status in _WITH_TEXT else _TEXT_OF.get(status, 500 if status >= 500 else 400)
    values = {"text": context.texts(f"error.e{words}_text"), "home": home}
    return context.render("web/error", context.texts(f"error.e{words}"), values, status)


def see_other(path: str) -> Response:
    """Send the browser to another page, so that reloading that page sends nothing twice."""
    return RedirectResponse(path, 303)


def too_many_requests(seconds: float) -> HTTPException:
    """Return the error that asks someone to wait."""
    return HTTPException(429, headers={"Retry-After": str(int(seconds) + 1)})


def who_asks(
    site: Site, request: Request, find: Callable[[str], SpeakerT | None]
) -> tuple[Session, Texts, SpeakerT | None]:
    """Return the session and language of a request, and who it is from; None: of someone who is nobody yet."""
    session = site.sessions.read(request)
    person = find(session.who) if session else None
    language = person.language if person and person.language in LANGUAGES else requested_language(request)
    if session is None or person is None:
        session = visitor_session(site, request)
    return session, site.texts(language), person


def visitor_session(site: Site, request: Request) -> Session:
    """Return the session of someone who is nobody yet."""
    return site.visitor_sessions.read(request) or site.visitor_sessions.new("")


def requested_language(request: Request) -> str:
    """Return the language that was chosen in this browser before, or that it asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", ""))


def keep_language(response: Response, site: Site, language: str) -> None:
    """Have the browser remember a language."""
    secure = site.settings.secure
    response.set_cookie(LANGUAGE_COOKIE, language, _YEAR, secure=secure, httponly=True, samesite="lax")
