"""The admin's password: never stored, only what scrypt makes of it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import secrets
import unicodedata
from dataclasses import dataclass

from portrayal.errors import ConfigError

__all__ = ["LONGEST_PASSWORD", "PasswordCheck", "ScryptCost", "generate_password", "hash_password"]

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 1024

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without those that are mistaken for each other
_GROUPS, _GROUP = 6, 4
_SALT = 16
_DIGEST = 32
_MOST_MEMORY = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ScryptCost:
    """What one guess costs: 32 MiB and some 0.2 s. It is stored with each hash, so that it can grow."""

    n: int = 2**15
    r: int = 8
    p: int = 3

    @property
    def is_sane(self) -> bool:
        """Whether scrypt takes these numbers, and neither memory nor time without end."""
        small = 1 < self.n <= 2**20 and 1 <= self.r <= 64 and 1 <= self.p <= 16
        return small and self.n.bit_count() == 1 and 128 * self.n * self.r <= _MOST_MEMORY


@dataclass(frozen=True, slots=True)
class _PasswordHash:
    cost: ScryptCost
    salt: bytes
    digest: bytes


def generate_password() -> str:
    """Return a new password of 118 bits that can be read out and typed."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))


def hash_password(password: str, cost: ScryptCost = ScryptCost()) -> str:
    """Return what to store of a password; :class:`ConfigError` when it is too short or too long."""
    if len(_normal(password)) < SHORTEST_PASSWORD:
        raise ConfigError(f"the admin password has fewer than {SHORTEST_PASSWORD} characters; choose a longer one")
    if len(password) > LONGEST_PASSWORD:
        raise ConfigError(f"the admin password has more than {LONGEST_PASSWORD} characters; choose a shorter one")
    salt = secrets.token_bytes(_SALT)
    parts = (salt, _digest(password, salt, cost))
    return "$".join(["scrypt", *map(str, (cost.n, cost.r, cost.p)), *(base64.b64encode(p).decode() for p in parts)])


class PasswordCheck:
    """Checks passwords against a stored one, off the event loop and one at a time, for each takes much memory.

    A wrong one takes as long as the right one.
    """

    def __init__(self, stored: str) -> None:
        self._stored = _parse(stored)
        self._turn = asyncio.Lock()

    async def matches(self, password: str) -> bool:
        """Return whether this is the password."""
        async with self._turn:
            return await asyncio.to_thread(_matches, password, self._stored)


def _matches(password: str, stored: _PasswordHash) -> bool:
    same = hmac.compare_digest(_digest(password[:LONGEST_PASSWORD], stored.salt, stored.cost), stored.digest)
    return same and len(password) <= LONGEST_PASSWORD


def _parse(stored: str) -> _PasswordHash:
    try:
        name, n, r, p, salt, digest = stored.split("$")
        cost = ScryptCost(int(n), int(r), int(p))
        parts = _PasswordHash(cost, base64.b64decode(salt, validate=True), base64.b64decode(digest, validate=True))
        sound = name == "scrypt" and len(parts.digest) == _DIGEST and cost.is_sane
    except ValueError:  # binascii.Error is one, too
        sound = False
    if not sound:
        raise ConfigError("the stored admin password is damaged; set a new one")
    return parts


def _digest(password: str, salt: bytes, cost: ScryptCost) -> bytes:
    data = _normal(password).encode("utf-8", "surrogatepass")
    return hashlib.scrypt(data, salt=salt, n=cost.n, r=cost.r, p=cost.p, maxmem=2 * _MOST_MEMORY, dklen=_DIGEST)


def _normal(password: str) -> str:
    # An umlaut is one character from some keyboards and two from others.
    return unicodedata.normalize("NFKC", password)
