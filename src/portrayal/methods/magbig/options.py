"""What can be set about MAGBIG."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from portrayal.methods.by_language.options import LanguageOptions

__all__ = ["MagbigOptions"]


class MagbigOptions(LanguageOptions):
    """See :class:`~portrayal.methods.by_language.options.LanguageOptions`; parity is the
    only reference, of the attributes named there.

    ``occupations`` and ``images``: of how many a user would look at, for the largest deviation that such a user meets.
    """

    references: Mapping[str, Literal["uniform"]] = {"gender": "uniform"}
    occupations: int = Field(default=10, ge=1)
    images: int = Field(default=10, ge=1)
