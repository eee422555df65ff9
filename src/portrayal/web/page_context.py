"""One request to a page: in which session it came, and the page or redirect that answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from portrayal.language.translation import t
from portrayal.web.security.request_body import MOST_FIELDS, read_form
from portrayal.web.security.session_cookies import Session
from portrayal.web.site import Site

__all__ = [
    "LinkRequired",
    "PageContext",
    "enter",
    "error_page",
    "need_link",
    "see_other",
    "too_many_requests",
    "visitor_session",
    "who_asks",
]

PersonT = TypeVar("PersonT")


class LinkRequired(Exception):  # noqa: N818 - a way to answer, not a failure
    """Someone without a personal link asks for a page that needs one."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a page needs to know about its request. ``session`` is a visitor's when nobody came with a link."""

    request: Request
    site: Site
    session: Session

    @property
    def title(self) -> str:
        """What the site is called."""
        return self.site.settings.title

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
    heading, text = _error_words(status)
    return context.render("web/error", heading, {"text": text, "home": home}, status)


def _error_words(status: int) -> tuple[str, str]:
    match status:
        case 403:
            text = t("This page was open for too long or in another window. Please go on from here; nothing is lost.")
            return t("Not allowed"), text
        case 404 | 405:
            return t("Nothing here"), t("There is no such page. Your choices so far are stored.")
        case 413:
            return t("Too much at once"), t("What was sent is too large. Please shorten it and try again.")
        case 429:
            return t("Too many attempts"), t("Please wait for a while and then try again.")
        case 503:
            text = t("Your last answer may not be stored yet. Please try again in a moment; nothing is counted twice.")
            return t("Not available just now"), text
        case _ if status >= 500:
            text = t("This is our fault, not yours. Everything stored so far is safe. Please try again in a moment.")
            return t("Something went wrong"), text
    text = t("The page sent something that could not be understood. Please go back, reload the page and try again.")
    return t("That did not work"), text


def need_link(context: PageContext, status: int) -> Response:
    """Say that taking part needs a personal link."""
    return context.render("web/need_link", t("You need a link"), status=status)


def see_other(path: str) -> Response:
    """Send the browser to another page, so that reloading that page sends nothing twice."""
    return RedirectResponse(path, 303)


def too_many_requests(seconds: float) -> HTTPException:
    """Return the error that asks someone to wait."""
    return HTTPException(429, headers={"Retry-After": str(int(seconds) + 1)})


def who_asks(site: Site, request: Request, find: Callable[[str], PersonT | None]) -> tuple[Session, PersonT | None]:
    """Return the session of a request and who it is from; None: of someone who is nobody yet."""
    session = site.sessions.read(request)
    person = find(session.who) if session else None
    return (visitor_session(site, request), None) if session is None or person is None else (session, person)


def visitor_session(site: Site, request: Request) -> Session:
    """Return the session of someone who is nobody yet."""
    return site.visitor_sessions.read(request) or site.visitor_sessions.new("")
