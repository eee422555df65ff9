"""Why images are left out that the authors' own results leave out."""

from __future__ import annotations

from portrayal.records import Reason

__all__ = ["REASONS"]

REASONS = (Reason("set_aside_by_authors", nobody=True),)
"""Nobody is shown."""
