"""What can be set about shares by language."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from portrayal.methods.base import Counting, Draws
from portrayal.suites.named_references import TableChoice

__all__ = ["LanguageOptions"]


class LanguageOptions(Counting):
    """``people`` and ``evidence``: how images become counts, see :class:`~portrayal.methods.base.Counting`.

    ``references``: attribute to the name of a reference, a CSV path, or a table with the region and the year to take;
    attributes not named are compared with nothing. ``language`` is the one that others
    are compared with, ``variant`` the way of asking that others are compared with. ``draws``: bootstrap draws.
    ``small``: fewer images or pairs than this carry a warning.
    """

    references: Mapping[str, str | TableChoice] = {}
    language: str = "en"
    variant: str = "direct"
    draws: Draws = 1000
    small: int = Field(default=30, ge=1)
