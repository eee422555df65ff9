"""All that the pages share: the service, who is who, what may be tried how often, and the templates."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from importlib import resources
from typing import Any

from jinja2 import Environment
from starlette.requests import Request

from portrayal.reports.leaderboard import leaderboard_css
from portrayal.reports.templating import environment
from portrayal.web.arena.board import Board
from portrayal.web.arena.service import ArenaService
from portrayal.web.arena.settings import ArenaSettings
from portrayal.web.csrf import CsrfTokens
from portrayal.web.passwords import PasswordCheck
from portrayal.web.picture_cache import PictureCache
from portrayal.web.session_cookies import SessionCookies
from portrayal.web.throttle import Lockout, Throttle, client_key

__all__ = ["STATIC", "House", "build_house", "house_of"]

STATIC = {
    "arena.css": "text/css",
    "arena.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "leaderboard.css": "text/css",
}
"""Files that pages load, with their types; there are no others, so no path can lead anywhere else."""

_ADMIN_MAX_AGE = 12 * 60 * 60.0
_VISITOR_MAX_AGE = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class House:
    """One arena's parts."""

    service: ArenaService
    settings: ArenaSettings
    pictures: PictureCache
    raters: SessionCookies
    visitors: SessionCookies
    admins: SessionCookies
    csrf: CsrfTokens
    password: PasswordCheck
    wrong_links: Throttle
    joins: Throttle
    logins: Lockout
    all_logins: Throttle
    board: Board
    templates: Environment
    static: dict[str, bytes]
    version: str

    def client(self, request: Request) -> str:
        """Return what stands for a client where attempts are counted. It is kept in memory only."""
        return client_key(request, self.settings.behind_proxy)


def build_house(service: ArenaService, settings: ArenaSettings, pictures: PictureCache) -> House:
    """Put the parts of an arena together."""
    at_start = secrets.token_bytes(32)  # so that no log-in outlives the server
    static = {name: _file(name) for name in STATIC if name != "leaderboard.css"}
    static["leaderboard.css"] = leaderboard_css().encode()
    return House(
        service=service,
        settings=settings,
        pictures=pictures,
        raters=SessionCookies(service.secret, "rater", secure=settings.secure),
        visitors=SessionCookies(service.secret, "visitor", secure=settings.secure, max_age=_VISITOR_MAX_AGE),
        admins=SessionCookies(at_start, "admin", secure=settings.secure, max_age=_ADMIN_MAX_AGE),
        csrf=CsrfTokens(service.secret, settings.address if settings.secure else ""),
        password=PasswordCheck(settings.password),
        # Nobody guesses 192 bits: a lower limit of all would only let a few networks keep everyone's links shut.
        wrong_links=Throttle(30, 600, limit_of_all=100_000),
        joins=Throttle(100, 3600, limit_of_all=2_000),
        logins=Lockout(),
        all_logins=Throttle(60, 60, limit_of_all=60),
        board=Board(service, service.config.title or settings.title),
        templates=_templates(),
        static=static,
        version=hashlib.sha256(b"".join(static.values())).hexdigest()[:12],
    )


def house_of(request: Request) -> House:
    """Return the arena that a request came to."""
    house: House = request.app.state.house
    return house


def _file(name: str) -> bytes:
    return resources.files("portrayal.web.arena").joinpath("static", name).read_bytes()


def _templates() -> Environment:
    loaded = environment("portrayal.web.arena")
    macros: Any = loaded.get_template("macros.html.j2").module
    loaded.globals.update({name: getattr(macros, name) for name in ("hidden", "paragraphs", "contact", "alert")})
    return loaded
