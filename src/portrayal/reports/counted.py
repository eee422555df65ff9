"""A share of images of which only the sum over prompts is known, as a row that a chart can draw."""

from __future__ import annotations

from dataclasses import replace

from portrayal.records import Measurement

__all__ = ["counted"]


def counted(row: Measurement, part: int, n: int) -> Measurement:
    """Return ``row`` with the share that ``part`` is of ``n`` images, over as many prompts as the row tells.

    The interval is that of every share, where the sum says what each prompt's share is: with one prompt, and where none
    or all of the images are meant. Else there is none, as nobody can tell from the sum how far prompts differ.

    >>> row = counted(Measurement("m", "missing", "g", prompts=3), 0, 12)
    >>> row.value, row.low, round(row.high, 2)
    (0.0, 0.0, 0.51)
    """
    told = replace(row, value=part / n if n else None, low=None, high=None, n=n, missing=part)
    if not n or not row.prompts or (row.prompts > 1 and 0 < part < n):
        return told
    from portrayal.stats.cells import PromptShares, share_intervals  # needs scipy, which most pages do without

    cell = PromptShares.of([[part / n]] * row.prompts, [n / row.prompts] * row.prompts)
    low, high = share_intervals(cell)
    return replace(told, low=float(low[0]), high=float(high[0]))
