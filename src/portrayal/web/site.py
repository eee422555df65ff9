"""What all pages of a site share: sessions, form tokens, limits on attempts, templates and static files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePath
from typing import Any

from jinja2 import Environment
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from portrayal.language.numbers import count, decimal, percent
from portrayal.language.translation import spoken, t, word
from portrayal.reports.templating import environment
from portrayal.reports.text.words import capital
from portrayal.web.security.csrf import CsrfTokens
from portrayal.web.security.session_cookies import Purpose, SessionCookies
from portrayal.web.security.throttle import Throttle, client_key
from portrayal.web.site_settings import SiteSettings

__all__ = ["Site", "build_site"]

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_SHARED = "portrayal.web"
_STATIC_CACHE = "public, max-age=86400"
_VISITOR_MAX_AGE = 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class Site:
    """The parts of a site.

    ``sessions`` are of people who came with a personal link, ``visitor_sessions`` of those who did not.
    """

    settings: SiteSettings
    sessions: SessionCookies
    visitor_sessions: SessionCookies
    csrf: CsrfTokens
    link_throttle: Throttle
    templates: Environment
    static_files: Mapping[str, bytes]
    static_version: str
    styles: tuple[str, ...]
    scripts: tuple[str, ...]

    def client(self, request: Request) -> str:
        """Return what stands for a client where attempts are counted. It is kept in memory only."""
        return client_key(request, self.settings.behind_proxy)

    async def static(self, name: str) -> Response:
        """Return a file that pages load; there are no others, so no path can lead anywhere else."""
        if name not in self.static_files:
            raise HTTPException(404)
        kind = _TYPES[PurePath(name).suffix]
        return Response(self.static_files[name], media_type=kind, headers={"Cache-Control": _STATIC_CACHE})


def build_site(
    package: str,
    settings: SiteSettings,
    secret: bytes,
    purpose: Purpose,
    *,
    more: Mapping[str, bytes] | None = None,
    parts: Mapping[str, str] | None = None,
) -> Site:
    """Put a site together from the folders ``templates`` and ``static`` of a package.

    ``more`` are static files that no page of its own asks for. ``parts`` are other packages with such folders, by the
    prefix that their templates have.
    """
    beside = {"web": _SHARED, **(parts or {})}
    files = {name: data for place in (*beside.values(), package) for name, data in _static(place).items()}
    every = {**files, **(more or {})}
    return Site(
        settings=settings,
        sessions=SessionCookies(secret, purpose, secure=settings.secure),
        visitor_sessions=SessionCookies(secret, "visitor", secure=settings.secure, max_age=_VISITOR_MAX_AGE),
        csrf=CsrfTokens(secret, settings.address if settings.secure else ""),
        # Of wrong links: nobody guesses 192 bits, this only keeps the noise down.
        link_throttle=Throttle(30, 600, limit_of_all=100_000),
        templates=_templates(package, beside),
        static_files=every,
        static_version=hashlib.sha256(b"".join(every.values())).hexdigest()[:12],
        styles=tuple(name for name in files if name.endswith(".css")),
        scripts=tuple(name for name in files if name.endswith(".js")),
    )


def _static(package: str) -> dict[str, bytes]:
    folder = resources.files(package).joinpath("static")
    files = {file.name: file for file in folder.iterdir() if PurePath(file.name).suffix in _TYPES}
    return {name: files[name].read_bytes() for name in sorted(files)}


def _templates(package: str, beside: Mapping[str, str]) -> Environment:
    loaded = environment(package, beside)
    macros: Any = loaded.get_template("web/macros.html.j2").module
    loaded.globals.update({name: getattr(macros, name) for name in ("hidden", "paragraphs", "contact", "alert")})
    loaded.globals.update(t=t, spoken=spoken)
    loaded.filters.update(count=count, decimal=decimal, percent=percent, word=word, capital=capital)
    return loaded
