"""Sessions in signed cookies: who it is, since when, and a random id that is new with every start."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response

from portrayal.web.steady_clock import steady_clock

__all__ = ["Purpose", "Session", "SessionCookies"]

Purpose = Literal["rater", "annotator", "admin", "auditor", "visitor"]
"""A visitor is nobody yet: a session for the forms before a log-in."""

DAY = 24 * 60 * 60.0
LONGEST_COOKIE = 512
"""Characters of a cookie; who is at most some 300 bytes."""

_SHAPE = re.compile(r"([\w-]*)\.([\w-]{22})\.([0-9]{1,12})\.([\w-]{43})", re.ASCII)
_ENDED_KEPT = 10_000
_SKEW = DAY  # how far a clock set back between two runs of the server may put a cookie into the future


@dataclass(frozen=True, slots=True)
class Session:
    """One browser's session: whose it is, and what tells it from every other."""

    who: str
    id: str
    purpose: Purpose
    issued: int


class SessionCookies:
    """Starts, reads and ends sessions of one purpose. A cookie for one purpose is worth nothing for another.

    ``end`` also refuses the session's cookie from then on, as long as this object lives: a secret made at the start of
    the server makes that final. The cookie's name differs from secret to secret, because a host's cookies are sent to
    all its ports and two arenas on one host must not end each other's sessions.
    """

    def __init__(
        self,
        secret: bytes,
        purpose: Purpose,
        *,
        secure: bool,
        max_age: float = 30 * DAY,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.purpose: Purpose = purpose
        self.secure = secure
        self.max_age = max_age
        self._key = hmac.digest(secret, f"portrayal session {purpose}".encode(), "sha256")
        self._clock = clock or steady_clock()
        self._ended: OrderedDict[str, None] = OrderedDict()
        tag = hmac.digest(secret, b"portrayal cookie name", "sha256").hex()[:8]
        self.cookie_name = f"{'__Host-' if secure else ''}portrayal-{purpose}-{tag}"

    def new(self, who: str) -> Session:
        """Make a session that no cookie holds yet: a page needs its id for a form before there is a response."""
        return Session(who, secrets.token_urlsafe(16), self.purpose, int(self._clock()))

    def set_cookie(self, response: Response, session: Session) -> None:
        """Give a session to the browser."""
        max_age, value = int(self.max_age), self.encode(session)
        response.set_cookie(self.cookie_name, value, max_age, secure=self.secure, httponly=True, samesite="lax")

    def start(self, response: Response, who: str) -> Session:
        """Start a session with an id of its own, whatever cookie the browser came with."""
        session = self.new(who)
        self.set_cookie(response, session)
        return session

    def read(self, request: Request) -> Session | None:
        """Return the browser's session; None when it has none, an old one, a forged one, or more than one."""
        values = [
            value.strip(" \t")
            for header in request.headers.getlist("cookie")
            for name, _, value in (part.partition("=") for part in header.split(";"))
            if name.strip(" \t") == self.cookie_name
        ]
        return self.decode(values[0]) if len(values) == 1 else None

    def end(self, response: Response, session: Session | None) -> None:
        """Take the cookie back, and refuse what copies there are of it."""
        response.delete_cookie(self.cookie_name, secure=self.secure, httponly=True, samesite="lax")
        if session is not None:
            self._ended[session.id] = None
            if len(self._ended) > _ENDED_KEPT:
                self._ended.popitem(last=False)

    def encode(self, session: Session) -> str:
        """Return a session as a signed value."""
        body = f"{_text(session.who.encode())}.{session.id}.{session.issued}"
        return f"{body}.{self._sign(body)}"

    def decode(self, value: str) -> Session | None:
        """Return the session in a value if we signed it for this purpose, and not too long ago."""
        shape = _SHAPE.fullmatch(value) if len(value) <= LONGEST_COOKIE else None
        if shape is None:
            return None
        who, session, issued, signature = shape.groups()
        # The texts are compared, not the bytes they stand for: several texts stand for the same bytes.
        if not hmac.compare_digest(signature, self._sign(f"{who}.{session}.{issued}")):
            return None
        age = self._clock() - int(issued)
        if session in self._ended or not -_SKEW <= age < self.max_age:
            return None
        try:
            return Session(_bytes(who).decode(), session, self.purpose, int(issued))
        except (binascii.Error, UnicodeDecodeError):
            return None

    def _sign(self, body: str) -> str:
        return _text(hmac.digest(self._key, body.encode("ascii"), "sha256"))


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
