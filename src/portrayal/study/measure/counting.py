"""Which images count: an edit may be made several times, and those that were rejected are kept but do not."""

from __future__ import annotations

__all__ = ["COUNTING"]

COUNTING = """
    SELECT job, attempt, image, ext FROM outcomes
    WHERE status = 'made' AND (job, attempt) NOT IN (SELECT (job, attempt) FROM outcomes WHERE status = 'rejected')
"""
"""SQL: the rows of images that count."""
