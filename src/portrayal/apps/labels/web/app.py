"""The labelling site as one ASGI application."""

from __future__ import annotations

from starlette.types import ASGIApp

from portrayal.apps.labels.web import label_pages, watch_page
from portrayal.apps.labels.web.service import LabelsService
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
    answer="/label",
    desk=watch_page.desk,
    title=lambda: t("Label pictures"),
    desk_title=lambda: t("Labels so far"),
    seconds=6,
)


def create_app(service: LabelsService, settings: SiteSettings, password_hash: str, pictures: PictureCache) -> ASGIApp:
    """Return the site's application around an open service."""
    site = build_site("portrayal.apps.labels.web", settings, service.secret, "rater", parts=RATER_PARTS)
    pages = (onboarding_pages, label_pages, answer_pages, desk_pages, watch_page)
    app = new_app("Portrayal labels", site, [page.router for page in pages])
    app.state.raters = build_rater_site(site, service, pictures, PAGES, password_hash)
    return guarded(app, site, rater_error, rater_needs_link, language=rater_language)
