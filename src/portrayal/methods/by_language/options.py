"""What can be set about shares by language."""

from __future__ import annotations

from portrayal.methods.comparing_method import ComparingOptions

__all__ = ["LanguageOptions"]


class LanguageOptions(ComparingOptions):
    """``language`` and ``variant`` (the way of asking) are those that others are compared with.

    ``small`` is about pairs of images, too.
    """

    language: str = "en"
    variant: str = "direct"
