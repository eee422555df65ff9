"""The arena as one ASGI application."""

from __future__ import annotations

from starlette.types import ASGIApp

from portrayal.apps.arena.report.leaderboard_page import leaderboard_css
from portrayal.apps.arena.web import admin_pages, leaderboard_page, voting_pages
from portrayal.apps.arena.web.leaderboard_cache import LeaderboardCache
from portrayal.apps.arena.web.service import ArenaService
from portrayal.language.translation import t
from portrayal.web.application import guarded, new_app
from portrayal.web.picture_cache import PictureCache
from portrayal.web.raters import answer_pages, desk_pages, onboarding_pages
from portrayal.web.raters.rater_context import rater_error, rater_language, rater_needs_link
from portrayal.web.raters.rater_site import RATER_PARTS, RaterPages, build_rater_site
from portrayal.web.site import build_site
from portrayal.web.site_settings import SiteSettings

__all__ = ["create_app"]

PAGES = RaterPages(
    answer="/battle",
    desk=admin_pages.desk,
    title=lambda: t("Compare pictures"),
    desk_title=lambda: t("Arena desk"),
    seconds=20,
    more=("/leaderboard",),
)


def create_app(service: ArenaService, settings: SiteSettings, password_hash: str, pictures: PictureCache) -> ASGIApp:
    """Return the arena's application around an open service."""
    more = {"leaderboard.css": leaderboard_css().encode()}
    site = build_site("portrayal.apps.arena.web", settings, service.secret, "rater", more=more, parts=RATER_PARTS)
    pages = (onboarding_pages, voting_pages, answer_pages, desk_pages, admin_pages, leaderboard_page)
    app = new_app("Portrayal arena", site, [page.router for page in pages])
    app.state.raters = build_rater_site(site, service, pictures, PAGES, password_hash)
    app.state.leaderboard = LeaderboardCache(service, service.config.title or settings.title)
    return guarded(app, site, rater_error, rater_needs_link, language=rater_language)
