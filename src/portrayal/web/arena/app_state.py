"""What all requests share: the service, sessions, limits on attempts, templates and static files."""

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
from portrayal.web.arena.leaderboard_cache import LeaderboardCache
from portrayal.web.arena.service import ArenaService
from portrayal.web.arena.site_settings import SiteSettings
from portrayal.web.csrf import CsrfTokens
from portrayal.web.passwords import PasswordCheck
from portrayal.web.picture_cache import PictureCache
from portrayal.web.session_cookies import SessionCookies
from portrayal.web.throttle import Lockout, Throttle, client_key

__all__ = ["STATIC_TYPES", "AppState", "app_state_of", "build_app_state"]

STATIC_TYPES = {
    "arena.css": "text/css",
    "arena.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "leaderboard.css": "text/css",
}
"""Files that pages load, with their types; there are no others, so no path can lead anywhere else."""

_ADMIN_MAX_AGE = 12 * 60 * 60.0
_VISITOR_MAX_AGE = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class AppState:
    """The parts of one arena's application."""

    service: ArenaService
    settings: SiteSettings
    pictures: PictureCache
    rater_sessions: SessionCookies
    visitor_sessions: SessionCookies
    admin_sessions: SessionCookies
    csrf: CsrfTokens
    password_check: PasswordCheck
    link_throttle: Throttle
    join_throttle: Throttle
    login_lockout: Lockout
    login_throttle: Throttle
    leaderboard_cache: LeaderboardCache
    templates: Environment
    static_files: dict[str, bytes]
    static_version: str

    def client(self, request: Request) -> str:
        """Return what stands for a client where attempts are counted. It is kept in memory only."""
        return client_key(request, self.settings.behind_proxy)


def build_app_state(service: ArenaService, settings: SiteSettings, pictures: PictureCache) -> AppState:
    """Put the parts of an application together."""
    at_start = secrets.token_bytes(32)  # so that no log-in outlives the server
    static_files = {name: _file(name) for name in STATIC_TYPES if name != "leaderboard.css"}
    static_files["leaderboard.css"] = leaderboard_css().encode()
    return AppState(
        service=service,
        settings=settings,
        pictures=pictures,
        rater_sessions=SessionCookies(service.secret, "rater", secure=settings.secure),
        visitor_sessions=SessionCookies(service.secret, "visitor", secure=settings.secure, max_age=_VISITOR_MAX_AGE),
        admin_sessions=SessionCookies(at_start, "admin", secure=settings.secure, max_age=_ADMIN_MAX_AGE),
        csrf=CsrfTokens(service.secret, settings.address if settings.secure else ""),
        password_check=PasswordCheck(settings.password_hash),
        # Nobody guesses 192 bits: a lower limit of all would only let a few networks keep everyone's links shut.
        link_throttle=Throttle(30, 600, limit_of_all=100_000),
        join_throttle=Throttle(100, 3600, limit_of_all=2_000),
        login_lockout=Lockout(),
        login_throttle=Throttle(60, 60, limit_of_all=60),
        leaderboard_cache=LeaderboardCache(service, service.config.title or settings.title),
        templates=_templates(),
        static_files=static_files,
        static_version=hashlib.sha256(b"".join(static_files.values())).hexdigest()[:12],
    )


def app_state_of(request: Request) -> AppState:
    """Return the state of the application that a request came to."""
    app_state: AppState = request.app.state.arena
    return app_state


def _file(name: str) -> bytes:
    return resources.files("portrayal.web.arena").joinpath("static", name).read_bytes()


def _templates() -> Environment:
    loaded = environment("portrayal.web.arena")
    macros: Any = loaded.get_template("macros.html.j2").module
    loaded.globals.update({name: getattr(macros, name) for name in ("hidden", "paragraphs", "contact", "alert")})
    return loaded
