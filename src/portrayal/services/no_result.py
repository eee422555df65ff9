"""What a request can come to instead of a result."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from portrayal.errors import ServiceError
from portrayal.services.rate_limiter import retry_after

__all__ = ["LEADS_TO", "Again", "Broken", "NoResult", "Refusal", "busy", "leads_elsewhere"]

LEADS_TO = "leads-to"
"""The header ``location`` as our clients hand it on: by another name, so that no library follows it."""

_BUSY = frozenset({408, 409, 425, 429})
_GATEWAYS = frozenset({502, 504, 520, 522, 524})
"""Statuses of one between us and the service, who does not know whether the service did the work."""


class NoResult(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """What a request came to instead of a result. ``detail`` is for people, ``reason`` one word for tables.

    ``billed`` when the request may have been charged.
    """

    def __init__(self, reason: str, detail: str = "", *, billed: bool = False) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.billed = billed

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason


class Again(NoResult):
    """Another try may help, ``after`` so many seconds if the service said so.

    ``limited`` when it was one request too many in a short time; ``stop`` when, if every try ends so, no other call
    can succeed.
    """

    def __init__(
        self,
        reason: str,
        detail: str = "",
        *,
        after: float | None = None,
        billed: bool = False,
        limited: bool = False,
        stop: bool = False,
    ) -> None:
        super().__init__(reason, detail, billed=billed)
        self.after = after if after is not None and after >= 0 else None  # nan is no time either
        self.limited = limited
        self.stop = stop


class Refusal(NoResult):
    """The service declined to answer, which is an answer."""


class Broken(NoResult):
    """No try will help now."""


def busy(status: int, headers: Mapping[str, str], said: str) -> Again | None:
    """Return what an answer of that status means when another try may help, else None.

    >>> busy(429, {"retry-after": "2"}, "slow down"), busy(400, {}, "no")
    (Again('rate_limited', '429: slow down'), None)
    """
    if status not in _BUSY and status < 500:
        return None
    limited = status == 429
    reason = "rate_limited" if limited else "server_error"
    after = retry_after(headers)
    return Again(reason, f"{status}: {said}", after=after, billed=status in _GATEWAYS, limited=limited)


def leads_elsewhere(part: str, url: str, status: int, headers: Mapping[str, str]) -> ServiceError:
    """Return what a redirect means: a request is not sent on, since it would take prompts to where nobody sent them."""
    try:
        there = urlsplit(urljoin(url, headers[LEADS_TO]))
        named = there.scheme in ("http", "https") and there.hostname
    except (KeyError, ValueError):
        named = None
    if not named:
        return ServiceError(f"{part}: {url} answers {status} and names no other address of the web; check the address")
    address = f"{there.scheme}://{there.hostname}"
    return ServiceError(f"{part}: {url} leads elsewhere ({status}), to {address}; if you trust it, give that address")
