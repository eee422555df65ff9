"""Which of a rater's battles are attention checks."""

from __future__ import annotations

import hashlib
from functools import lru_cache

__all__ = ["check_numbers"]


@lru_cache(maxsize=4096)
def check_numbers(rater: str, total: int, checks: int, key: bytes = b"") -> frozenset[int]:
    """Return the numbers, from 1 to ``total``, of a rater's checks: spread out, never the first, always the same.

    They follow from the rater's id and the ``key`` alone, so that a server that starts again puts them in the same
    places. The key is the arena's secret: raters can read their id in their cookie, and the way it is done here.

    >>> sorted(check_numbers("ann", 33, 3)) == sorted(check_numbers("ann", 33, 3))
    True
    """
    slots = total - 1
    numbers = set()
    for check in range(checks):
        start, end = check * slots // checks, (check + 1) * slots // checks
        digest = hashlib.blake2b(f"{rater}/{check}".encode(), digest_size=8, key=key).digest()
        numbers.add(2 + start + int.from_bytes(digest) % (end - start))
    return frozenset(numbers)
