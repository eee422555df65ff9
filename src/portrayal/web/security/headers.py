"""Headers that every answer carries: pages, pictures, static files and errors alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "HSTS", "SANDBOX", "SecurityHeaders"]

HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
            "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        # Not no-referrer: under that, browsers send "Origin: null" with our own forms, and the check of Origin is lost.
        # Other sites see nothing either way.
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "X-Robots-Tag": "noindex, nofollow",
    }
)
"""What every answer says, whatever the route says."""

SANDBOX = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: 'self'; "
    "style-src 'unsafe-inline' 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page says that was made elsewhere, such as a report: it may style itself, and can do nothing else here."""

HSTS = "max-age=31536000"
"""Said over https only: from then on a browser asks for this host over https alone, for a year."""


class SecurityHeaders:
    """ASGI middleware; wrap it around the whole application, so that its error pages have the headers too.

    A page that says it is a ``SANDBOX`` stays one.

    ``Cache-Control`` is ``no-store`` unless the route sets another. Nothing is held back: parts of an answer go out as
    they come. If the application fails before it answers, the answer is a bare 500, and the error goes on to the
    server's log.
    """

    def __init__(self, app: ASGIApp, secure: bool = False) -> None:
        self.app = app
        self._fixed = {**HEADERS, "Strict-Transport-Security": HSTS} if secure else dict(HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answered = False

        async def send_with_headers(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                self._set_headers(MutableHeaders(scope=message))
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception:
            if not answered:
                await PlainTextResponse("Internal Server Error", 500)(scope, receive, send_with_headers)
            raise

    def _set_headers(self, headers: MutableHeaders) -> None:
        del headers["Server"]
        policy = "Content-Security-Policy"
        kept = {policy: SANDBOX} if headers.get(policy) == SANDBOX else {}
        headers.update({**self._fixed, **kept})
        headers.setdefault("Cache-Control", "no-store")
