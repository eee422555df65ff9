"""What lives in a Ray actor.

This file travels to the nodes as it is, by value: an actor must be able to say that Portrayal is not installed where it
is. So it imports nothing but Python's own library here, and nothing of Portrayal.
"""

from __future__ import annotations

import os
import pickle
import traceback
from typing import Any

__all__ = ["Actor", "Answer"]

Answer = tuple[bool, Any]
"""Whether it was done, and the result; else a line that a user can act on, or an exception."""


class Actor:
    """Builds its part once, and then works on batches."""

    def __init__(self) -> None:
        self._work: Any = None

    def start(self, version: str, build: bytes) -> tuple[str, str]:
        """Build the worker function; return the node, and in a line why that cannot be, or nothing."""
        import ray

        return ray.util.get_node_ip_address(), self._start(version, build)

    def _start(self, version: str, build: bytes) -> str:
        try:
            import portrayal

            if portrayal.__version__ != version:
                return f"has Portrayal {portrayal.__version__}, and the study is run by {version}; install that there"
            self._work = pickle.loads(build)()  # noqa: S301 - the driver wrote it
        except Exception as error:
            return _line(error)
        return ""

    def work(self, batch: Any) -> Answer:
        """Return the result for a batch, or what was raised, with where it was."""
        try:
            return True, self._work(batch)
        except Exception as error:
            if any(kind.__name__ == "PortrayalError" for kind in type(error).__mro__):
                return False, _line(error)
            error.add_note(traceback.format_exc())
            return False, _travelling(error)
        except BaseException:
            # As of a worker process, and to Ray, that is an end of the process, not an answer.
            traceback.print_exc()
            os._exit(1)


def _line(error: Exception) -> str:
    said = " ".join(_message(error).split())
    known = any(kind.__name__ == "PortrayalError" for kind in type(error).__mro__)
    return said if known and said else f"cannot start: {type(error).__name__}: {said}"


def _travelling(error: Exception) -> Exception:
    """Return an exception that can be taken apart and put together."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what was just written
    except Exception:  # as of one that holds an open file
        return RuntimeError(f"{type(error).__name__}: {_message(error)}")
    return error


def _message(error: Exception) -> str:
    """Return what an error says, as ``portrayal.errors.message_of`` does, which may not be here."""
    try:
        return str(error)
    except Exception:
        return ""
