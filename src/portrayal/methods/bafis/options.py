"""What can be set about BAFIS."""

from __future__ import annotations

from typing import Literal

from portrayal.methods.by_language.options import LanguageOptions

__all__ = ["BafisOptions"]


class BafisOptions(LanguageOptions):
    """See :class:`~portrayal.methods.by_language.options.LanguageOptions`; groups are counted person by person."""

    people: Literal["one", "each", "asked"] = "asked"
