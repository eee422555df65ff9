"""What several looks at growing numbers cost, where each of them may be the last, for whatever reason.

A number that may be judged at any of ``looks`` looks has so many chances to be far off by accident. Each look is given
an equal part of the error rate (Bonferroni): a p-value counts so many times, and an interval is made for the part.
Where nobody says beforehand how many looks there will be, look k is given the k(k+1)th part, and all parts together
are the whole (Darling and Robbins 1967): a confidence sequence, which holds at all looks together, however many.
"""

from __future__ import annotations

__all__ = ["confidence_at_looks", "times_at_looks"]


def times_at_looks(planned: int, made: int) -> int:
    """Return how many times a p-value counts after so many looks ``made`` of those ``planned``; 0: without end.

    More looks than were planned count, too.

    >>> times_at_looks(6, 2), times_at_looks(6, 8), times_at_looks(0, 3), times_at_looks(0, 0)
    (6, 8, 12, 1)
    """
    return max(planned, made) if planned else max(made * (made + 1), 1)


def confidence_at_looks(error_rate: float, times: int) -> float:
    """Return the confidence of each of as many intervals as together fail with a chance of at most ``error_rate``.

    >>> confidence_at_looks(0.05, 5)
    0.99
    """
    return 1 - error_rate / times
