"""What all requests to a site with raters share: the site, the service behind it, its pages, and limits on attempts."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from starlette.responses import Response

from portrayal.web.picture_cache import PictureCache
from portrayal.web.raters.rater_service import RaterService
from portrayal.web.security.passwords import PasswordCheck
from portrayal.web.security.session_cookies import SessionCookies
from portrayal.web.security.throttle import Lockout, Throttle
from portrayal.web.site import Site

if TYPE_CHECKING:
    from portrayal.web.raters.rater_context import RaterContext

__all__ = ["RATER_PARTS", "Desk", "RaterPages", "RaterSite", "build_rater_site"]

ServiceT = TypeVar("ServiceT", bound=RaterService[Any, Any])
Desk = Callable[["RaterContext[Any]", str, Sequence[str], int], Awaitable[Response]]
"""Makes the team's page, with a message, new links and a status."""

RATER_PARTS = {"raters": "portrayal.web.raters"}
"""Whose templates and static files such a site uses beside its own."""
_ADMIN_MAX_AGE = 12 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class RaterPages:
    """The pages that a site has of its own: ``answer`` is where raters answer, ``more`` are others with a language.

    ``title`` is what the site is called where study.toml says nothing, ``desk_title`` what its team's page is called.
    A task takes about so many ``seconds``.
    """

    answer: str
    desk: Desk
    title: Callable[[], str]
    desk_title: Callable[[], str]
    seconds: float
    more: tuple[str, ...] = ()

    @property
    def return_paths(self) -> tuple[str, ...]:
        """Where a change of language may lead back to; no other address is repeated in a page: it may hold a token."""
        return ("/", "/consent", "/questions", self.answer, "/done", "/admin", "/admin/login", *self.more)


@dataclass(frozen=True, slots=True)
class RaterSite(Generic[ServiceT]):
    """The parts of one site's application."""

    site: Site
    service: ServiceT
    pictures: PictureCache
    pages: RaterPages
    admin_sessions: SessionCookies
    password_check: PasswordCheck
    join_throttle: Throttle
    login_lockout: Lockout
    login_throttle: Throttle


def build_rater_site(
    site: Site, service: ServiceT, pictures: PictureCache, pages: RaterPages, password_hash: str
) -> RaterSite[ServiceT]:
    """Put the parts of an application together."""
    at_start = secrets.token_bytes(32)  # so that no log-in outlives the server
    return RaterSite(
        site,
        service,
        pictures,
        pages,
        admin_sessions=SessionCookies(at_start, "admin", secure=site.settings.secure, max_age=_ADMIN_MAX_AGE),
        password_check=PasswordCheck(password_hash),
        join_throttle=Throttle(100, 3600, limit_of_all=2_000),
        login_lockout=Lockout(),
        login_throttle=Throttle(60, 60, limit_of_all=60),
    )
