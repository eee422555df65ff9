"""How a site is reached: its public address, and whether a proxy stands before it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from portrayal.errors import ConfigError

__all__ = ["SiteSettings", "public_address"]


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """What the pages need to know about their server.

    ``address`` is where browsers reach it, without a slash at the end.
    """

    address: str
    behind_proxy: bool = False
    title: str = ""

    @property
    def secure(self) -> bool:
        """Whether browsers come over TLS, so that cookies must not travel without it."""
        return self.address.startswith("https://")

    def link(self, token: str) -> str:
        """Return somebody's personal link."""
        return f"{self.address}/r/{token}"


def public_address(root_url: str, host: str, port: int) -> str:
    """Return the address that browsers use: what the user says it is, else where the server listens."""
    if not root_url:
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{port}"
    parts = urlsplit(root_url)
    try:
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        known = False
    if not known or parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ConfigError(
            f"--root-url {root_url!r} is not an address such as https://arena.example.org; give scheme and host alone"
        )
    return f"{parts.scheme}://{parts.netloc}".lower()
