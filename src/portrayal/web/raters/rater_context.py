"""One request to a page of a site with raters: who it is from, and the page that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.study.sql.rater import Rater
from portrayal.web.page_context import LinkRequired, PageContext, error_page, need_link, visitor_session, who_asks
from portrayal.web.raters.rater_service import RaterService
from portrayal.web.raters.rater_site import RaterSite
from portrayal.web.requested_language import reading_language

__all__ = [
    "RaterContext",
    "admin_context",
    "rater_context",
    "rater_error",
    "rater_language",
    "rater_needs_link",
    "require_admin",
]

ServiceT = TypeVar("ServiceT", bound=RaterService[Any, Any])


@dataclass(frozen=True, slots=True)
class RaterContext(PageContext, Generic[ServiceT]):
    """What a page needs to know about its request."""

    raters: RaterSite[ServiceT]
    rater: Rater | None = None
    is_admin: bool = False

    @property
    def service(self) -> ServiceT:
        """What is behind the pages."""
        return self.raters.service

    @property
    def title(self) -> str:
        """What the site is called."""
        return self.service.config.title or self.site.settings.title or self.raters.pages.title()

    @property
    def here(self) -> str:
        """Where a change of language leads back to."""
        path = self.request.url.path
        return path if path in self.raters.pages.return_paths else "/admin" if self.is_admin else "/"

    @property
    def asked(self) -> str:
        """Whom raters can ask."""
        return self.service.config.contact

    def show(self, name: str, heading: str, values: Mapping[str, Any] | None = None, status: int = 200) -> Response:
        """Return a page, which may look at ``config``."""
        return self.render(name, heading, {"config": self.service.config, **(values or {})}, status)

    def require_rater(self) -> Rater:
        """Return who is rating; without a link there is no page to see."""
        if self.rater is None:
            raise LinkRequired
        return self.rater

    def next_path(self, rater: Rater) -> str:
        """Return the page that a rater has to see next."""
        if rater.consented_at is None:
            return "/consent"
        if self.service.config.questionnaire and rater.answers is None:
            return "/questions"
        return self.raters.pages.answer


def rater_context(request: Request) -> RaterContext[Any]:
    """Return the context of a rater's request, or of someone who is none yet."""
    raters: RaterSite[Any] = request.app.state.raters
    session, rater = who_asks(raters.site, request, raters.service.rater)
    return RaterContext(request, raters.site, session, raters, rater)


def admin_context(request: Request) -> RaterContext[Any]:
    """Return the context of the admin's request, or of someone who may become the admin."""
    raters: RaterSite[Any] = request.app.state.raters
    admin = raters.admin_sessions.read(request)
    session = admin or visitor_session(raters.site, request)
    return RaterContext(request, raters.site, session, raters, is_admin=admin is not None)


def require_admin(request: Request) -> RaterContext[Any]:
    """Return the context of the admin's request, and refuse any other."""
    context = admin_context(request)
    if not context.is_admin:
        raise HTTPException(403)
    return context


def rater_error(request: Request, status: int) -> Response:
    """Return the page for an error, to raters and to the admin."""
    return error_page(_context(request), status, "/admin" if _is_admins(request) else "/")


def rater_needs_link(request: Request) -> Response:
    """Say that taking part needs a personal link."""
    return need_link(rater_context(request), 403)


def rater_language(request: Request) -> str:
    """Return the language in which a request is answered."""
    return reading_language(request, _context(request).rater)


def _context(request: Request) -> RaterContext[Any]:
    return admin_context(request) if _is_admins(request) else rater_context(request)


def _is_admins(request: Request) -> bool:
    return request.url.path.startswith("/admin")
