"""A share of images of which only the sum over prompts is known, as a row that a chart can draw."""

from __future__ import annotations

from dataclasses import replace

from portrayal.records import Measurement

__all__ = ["counted"]


def counted(row: Measurement, part: int, n: int) -> Measurement:
    """Return ``row`` with the share that ``part`` is of ``n`` images.

    Its interval is the exact one of as many independent images: where prompts differ, their sum varies less.

    >>> row = counted(Measurement("m", "missing", "g", prompts=3), 0, 12)
    >>> row.value, row.low, round(row.high, 2)
    (0.0, 0.0, 0.26)
    """
    share = replace(row, value=part / n if n else None, low=None, high=None, n=n, missing=part)
    if not n:
        return share
    from portrayal.stats.intervals import clopper_pearson  # needs scipy, which most pages do without

    low, high = clopper_pearson(part / n, n)
    return replace(share, low=float(low), high=float(high))
