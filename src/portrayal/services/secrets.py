"""Keys of services: read from the environment where they are used, shown nowhere."""

from __future__ import annotations

import ipaddress
import json
import os
import re
from urllib.parse import quote, quote_plus, urlsplit

from portrayal.errors import ConfigError

__all__ = ["HIDDEN", "Secret", "check_url", "is_local"]

HIDDEN = "***"
"""What stands where a key stood."""

_SHORTEST = 8


class Secret:
    """The key in the environment variable ``variable``; it is never held, so that no copy, dump or log can show it.

    ``part`` is who needs it, such as ``generator 'openai'``. A service that is not ``needed`` to have a key, since it
    is one's own, gets none when the variable is unset. An empty ``variable`` means that there is no key.
    """

    def __init__(self, part: str, variable: str, *, needed: bool = True) -> None:
        if not re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)?", variable):
            # What was given may be the key itself, so it is not repeated.
            raise ConfigError(f"{part}: key_env is no name of an environment variable; give the name, never the key")
        if needed and not variable:
            raise ConfigError(f"{part}: key_env is empty; name the environment variable that holds the key")
        self.part = part
        self.variable = variable
        self.needed = needed

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def reveal(self) -> str:
        """Return the key, to be passed on at once; empty when there is none and none is needed."""
        key = self._key()
        if not key and self.needed:
            raise ConfigError(f"{self.part}: set the environment variable {self.variable} to the key of the service")
        if not (key.isascii() and key.isprintable()):
            raise ConfigError(f"{self.part}: the key in {self.variable} holds characters that no key can have")
        return key

    def clean(self, text: str) -> str:
        """Return ``text`` with ``***`` for the key, however it is written in it.

        A key of less than 8 characters is no secret but a placeholder, and may well be a word of the text.
        """
        key = self._key()
        if len(key) < _SHORTEST:
            return text
        spellings = {key, quote(key), quote(key, safe=""), quote_plus(key), json.dumps(key)[1:-1], repr(key)[1:-1]}
        for spelling in sorted(spellings, key=len, reverse=True):
            text = text.replace(spelling, HIDDEN)
        return text

    def _key(self) -> str:
        return os.environ.get(self.variable, "").strip() if self.variable else ""


def check_url(part: str, url: str) -> None:
    """Refuse an address that is none, or that holds what should be secret: it would end up in tables and reports.

    >>> check_url("generator 'openai'", "http://127.0.0.1:8000/v1")
    """
    try:
        parts = urlsplit(url)
        plain = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        plain = False
    if not plain:
        raise ConfigError(f"{part}: give the address of the service as http://host:port or https://host")
    if "@" in parts.netloc or parts.query or parts.fragment:
        # Not repeated: it may hold a password.
        raise ConfigError(f"{part}: the address holds a user, a password or a query; give a key by key_env instead")


def is_local(url: str) -> bool:
    """Return whether ``url`` is of this machine or this network, where services need no key.

    >>> [is_local(url) for url in ("http://localhost:11434", "http://10.0.0.7/v1", "http://[::1]", "http://vllm:8000")]
    [True, True, True, True]
    >>> [is_local(url) for url in ("", "https://api.openai.com/v1", "http://8.8.8.8")]
    [False, False, False]
    """
    host = (urlsplit(url).hostname or "") if url else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return bool(host) and ("." not in host or host.endswith((".local", ".localhost", ".internal")))
    return address.is_loopback or address.is_private or address.is_link_local
