"""Forms that only our own pages can send: a token in each, and what the browser says about where it came from."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request

from portrayal.web.security.session_cookies import Session

__all__ = ["CSRF_FIELD", "CsrfTokens"]

CSRF_FIELD = "csrf"
"""The form field that holds the token."""

_OWN_SITES = frozenset({"same-origin", "none"})


class CsrfTokens:
    """Makes and checks tokens, each for one session. Sessions before a log-in have them too.

    ``origin`` is the site's public address, such as ``https://arena.example.org``, for when a proxy changes the
    ``Host`` that browsers send; without it, ``Host`` is what ``Origin`` is compared with.
    """

    def __init__(self, secret: bytes, origin: str = "") -> None:
        self._key = hmac.digest(secret, b"portrayal form token", "sha256")
        self._origin = origin.rstrip("/").lower()

    def token(self, session: Session) -> str:
        """Return the token for a session's forms."""
        return hmac.digest(self._key, f"{session.purpose} {session.id}".encode(), "sha256").hex()

    def check(self, request: Request, form: Mapping[str, str], session: Session | None) -> None:
        """Raise 403 unless the form was sent from one of our pages, in this session."""
        if session is None or not self.has_token(form, session):
            raise HTTPException(403, "This form has expired. Go back, reload the page and try again.")
        if not self._from_here(request):
            raise HTTPException(403, "This form was sent from another site.")

    def has_token(self, form: Mapping[str, str], session: Session) -> bool:
        """Return whether the form holds the session's token. That alone does not say where it was sent from."""
        given = form.get(CSRF_FIELD, "")
        return given.isascii() and hmac.compare_digest(given, self.token(session))

    def _from_here(self, request: Request) -> bool:
        sites = request.headers.getlist("sec-fetch-site")
        origins = request.headers.getlist("origin")
        return all(site in _OWN_SITES for site in sites) and all(self._is_own(request, origin) for origin in origins)

    def _is_own(self, request: Request, origin: str) -> bool:
        if self._origin:
            return origin.lower() == self._origin
        host = request.headers.get("host", "").lower()
        # A proxy may speak http with us and https with the browser, so that only the host tells.
        return bool(host) and origin.lower() in (f"http://{host}", f"https://{host}")
