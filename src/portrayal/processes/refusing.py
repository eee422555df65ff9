"""A while in which this process reaches nobody and starts nothing, whatever the code that runs in it does."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

from portrayal.errors import PortrayalError

__all__ = ["reaching_nobody"]

_EVENTS = {
    "socket.connect": "the network",
    "socket.getaddrinfo": "the network",
    "socket.gethostbyname": "the network",
    "socket.sendto": "the network",
    "subprocess.Popen": "another program",
    "os.system": "another program",
    "os.exec": "another program",
    "os.posix_spawn": "another program",
    "os.fork": "another process",
}
"""What Python says before it does such a thing, and what it would reach."""
_lock = threading.Lock()
_state = {"hooked": False, "depth": 0}


@contextlib.contextmanager
def reaching_nobody() -> Iterator[None]:
    """Refuse connections and programs of this process until the block ends, in all of its threads.

    Python is asked before it does so; compiled code that does not go through Python is not. So this is the second line:
    the first is not to ask such code at all.
    """
    with _lock:
        if not _state["hooked"]:
            sys.addaudithook(_refuse)  # for as long as the process lives: it cannot be taken away again
            _state["hooked"] = True
        _state["depth"] += 1
    try:
        yield
    finally:
        with _lock:
            _state["depth"] -= 1


def _refuse(event: str, _arguments: object) -> None:
    if _state["depth"] and event in _EVENTS:
        raise PortrayalError(f"an untrusted study may not reach {_EVENTS[event]} ({event}); nothing was done")
