"""The head of a Ray cluster: Ray itself ends the program when it is gone for a minute, with lines of its own."""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass, field

from portrayal.errors import ServiceError

__all__ = ["Head"]

_PATIENCE = 30.0
"""Seconds for which a head may be away, as while it is started again; Ray waits twice as long."""
_ASKED_FOR = 2.0
"""Seconds for an answer."""


@dataclass(slots=True)
class Head:
    """Where it listens, ``host:port``; "" where a client of the cluster has no way to it."""

    address: str = ""
    _away_since: float | None = field(default=None, init=False)

    def answers(self) -> bool:
        """Return whether it is there at this moment.

        Raises
        ------
        ServiceError
            It has been away for too long.
        """
        if not self.address:
            return True
        host, _, port = self.address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _ASKED_FOR).close()
        except OSError:
            self._check_patience()
            return False
        self._away_since = None
        return True

    def _check_patience(self) -> None:
        now = time.monotonic()
        self._away_since = now if self._away_since is None else self._away_since
        if now - self._away_since >= _PATIENCE:
            raise ServiceError(
                f"the head of the Ray cluster at {self.address} does not answer any more; what was done is kept: run "
                "again once there is a cluster"
            )
