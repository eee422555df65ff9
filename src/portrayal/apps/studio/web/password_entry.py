"""The other way in beside the link: a password that whoever started the studio chose."""

from __future__ import annotations

from dataclasses import dataclass, field

from portrayal.web.page_context import too_many_requests
from portrayal.web.security.passwords import PasswordCheck, hash_password
from portrayal.web.security.throttle import Lockout, Throttle

__all__ = ["PasswordEntry"]


@dataclass
class PasswordEntry:
    """Checks passwords; wrong ones make the next try slower, for whoever tries and for all together."""

    _check: PasswordCheck
    _throttle: Throttle = field(default_factory=lambda: Throttle(60, 60, limit_of_all=60))
    _lockout: Lockout = field(default_factory=Lockout)

    @classmethod
    def of(cls, password: str) -> PasswordEntry | None:
        """Return the way in by this password; None where there is none."""
        return cls(PasswordCheck(hash_password(password))) if password else None

    async def matches(self, password: str, client: str) -> bool:
        """Return whether this is the password; an error to wait where there were too many tries."""
        # While others try too often, an attempt that is not looked at must not count against who makes it.
        if wait := (
            self._throttle.retry_after("all") or self._lockout.attempt(client) or self._throttle.attempt("all")
        ):
            raise too_many_requests(wait)
        if not await self._check.matches(password):
            return False
        self._lockout.clear(client)
        return True
