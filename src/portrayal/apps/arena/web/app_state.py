"""What all requests to the arena share: the site, the service behind it, and limits on attempts."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from starlette.requests import Request

from portrayal.apps.arena.report.leaderboard_page import leaderboard_css
from portrayal.apps.arena.web.leaderboard_cache import LeaderboardCache
from portrayal.apps.arena.web.service import ArenaService
from portrayal.web.picture_cache import PictureCache
from portrayal.web.security.passwords import PasswordCheck
from portrayal.web.security.session_cookies import SessionCookies
from portrayal.web.security.throttle import Lockout, Throttle
from portrayal.web.site import Site, build_site
from portrayal.web.site_settings import SiteSettings

__all__ = ["AppState", "app_state_of", "build_app_state"]

_ADMIN_MAX_AGE = 12 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class AppState:
    """The parts of one arena's application."""

    site: Site
    service: ArenaService
    pictures: PictureCache
    admin_sessions: SessionCookies
    password_check: PasswordCheck
    join_throttle: Throttle
    login_lockout: Lockout
    login_throttle: Throttle
    leaderboard_cache: LeaderboardCache


def build_app_state(
    service: ArenaService, settings: SiteSettings, password_hash: str, pictures: PictureCache
) -> AppState:
    """Put the parts of an application together."""
    at_start = secrets.token_bytes(32)  # so that no log-in outlives the server
    more = {"leaderboard.css": leaderboard_css().encode()}
    return AppState(
        site=build_site("portrayal.apps.arena.web", settings, service.secret, "rater", more),
        service=service,
        pictures=pictures,
        admin_sessions=SessionCookies(at_start, "admin", secure=settings.secure, max_age=_ADMIN_MAX_AGE),
        password_check=PasswordCheck(password_hash),
        join_throttle=Throttle(100, 3600, limit_of_all=2_000),
        login_lockout=Lockout(),
        login_throttle=Throttle(60, 60, limit_of_all=60),
        leaderboard_cache=LeaderboardCache(service, service.config.title or settings.title),
    )


def app_state_of(request: Request) -> AppState:
    """Return the state of the application that a request came to."""
    app_state: AppState = request.app.state.arena
    return app_state
