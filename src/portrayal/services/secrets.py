"""Keys of services: read from the environment where they are used, shown nowhere."""

from __future__ import annotations

import json
import os
import re
from urllib.parse import quote, quote_plus

from portrayal.errors import ConfigError
from portrayal.services.key_hosts import host_of, may_send

__all__ = ["HIDDEN", "Secret"]

HIDDEN = "***"
"""What stands where a key stood."""

_SHORTEST = 8


class Secret:
    """The key in the environment variable ``variable``; it is never held, so that no copy, dump or log can show it.

    ``part`` is who needs it, such as ``generator 'openai'``, and ``url`` the service it is for: it is revealed only
    when the user has allowed that variable for that host. A service that is not ``needed`` to have a key, since it is
    one's own, gets none when the variable is unset. An empty ``variable`` means that there is no key.
    """

    def __init__(self, part: str, variable: str, url: str, *, needed: bool = True) -> None:
        if not re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)?", variable):
            # What was given may be the key itself, so it is not repeated.
            raise ConfigError(f"{part}: key_env is no name of an environment variable; give the name, never the key")
        if needed and not variable:
            raise ConfigError(f"{part}: key_env is empty; name the environment variable that holds the key")
        self.part = part
        self.variable = variable
        self.url = url
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
        if key and not may_send(self.variable, self.url):
            host = host_of(self.url)
            raise ConfigError(
                f"{self.part}: the study would send the key in {self.variable} to {host}, which you have not allowed; "
                f"if it may, run: portrayal keys allow {self.variable} {host}"
            )
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
