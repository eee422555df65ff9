"""Which of our languages somebody reads."""

from __future__ import annotations

from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response

from portrayal.language.translation import LANGUAGES
from portrayal.web.site import Site

__all__ = ["keep_language", "preferred_language", "reading_language", "requested_language"]

LANGUAGE_COOKIE = "portrayal-language"
_YEAR = 365 * 24 * 60 * 60


class _Reader(Protocol):
    @property
    def language(self) -> str: ...


def reading_language(request: Request, reader: _Reader | None) -> str:
    """Return the language that a person reads, or that the browser wants of who is nobody yet or has said none."""
    return reader.language if reader and reader.language in LANGUAGES else requested_language(request)


def requested_language(request: Request) -> str:
    """Return the language that was chosen in this browser before, or that it asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    return chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", ""))


def keep_language(response: Response, site: Site, language: str) -> None:
    """Have the browser remember a language."""
    secure = site.settings.secure
    response.set_cookie(LANGUAGE_COOKIE, language, _YEAR, secure=secure, httponly=True, samesite="lax")


def preferred_language(accepts: str) -> str:
    """Return the language that a browser's ``Accept-Language`` wants most among ours; the first where it wants none.

    >>> preferred_language("fr, de-CH;q=0.9, en;q=0.8")
    'de'
    >>> preferred_language("")
    'en'
    """
    wanted = [_weighted(part) for part in accepts[:200].split(",")]
    known = [(weight, name) for weight, name in wanted if name in LANGUAGES and weight > 0]
    return max(known, key=lambda pair: pair[0], default=(0.0, LANGUAGES[0]))[1]


def _weighted(part: str) -> tuple[float, str]:
    name, _, weight = part.partition(";q=")
    try:
        return float(weight or 1), name.strip().lower().partition("-")[0]
    except ValueError:
        return 0.0, ""
