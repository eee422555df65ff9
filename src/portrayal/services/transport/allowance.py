"""What one request may take: time over all its steps, and bytes."""

from __future__ import annotations

import time

from portrayal.services.no_result import Broken

__all__ = ["LARGEST_ANSWER", "LARGEST_ERROR", "LARGEST_HEAD", "MEBIBYTE", "Allowance", "too_large"]

MEBIBYTE = 1024 * 1024
LARGEST_HEAD = MEBIBYTE // 4
"""Bytes of status line and headers, with all interim answers (``100 Continue``) before them."""
LARGEST_ERROR = MEBIBYTE
"""Bytes of the body of an error; what is longer is cut there, since the status says enough."""
LARGEST_ANSWER = 48 * MEBIBYTE
"""Bytes of a body, unpacked: room for a picture of 36 MiB in base64."""


class Allowance(float):
    """Seconds for a whole request, in the form in which HTTP libraries take a timeout for each of its steps.

    The libraries hand it on as it is. So the sockets, who get it in the end, know what is left of the time and how many
    bytes may still come, however many steps there were.
    """

    def __init__(self, seconds: float) -> None:
        self.ends = time.monotonic() + seconds
        self.bytes_left = LARGEST_HEAD

    def left(self) -> float:
        """Return how many seconds are left, 0 when none are."""
        return max(0.0, self.ends - time.monotonic())

    def receive(self, count: int) -> None:
        """Count bytes that came; raise :class:`Broken` when they are too many."""
        self.bytes_left -= count
        if self.bytes_left < 0:
            raise too_large()


def too_large() -> Broken:
    """Return what an answer means that is longer than any honest one."""
    return Broken("answer_too_large", f"over {LARGEST_ANSWER // MEBIBYTE} MiB, or too much before it", billed=True)
