"""What can be set about Try Before You Bias."""

from __future__ import annotations

from pydantic import Field

from portrayal.methods.tbyb.words import WordOptions

__all__ = ["TbybOptions"]


class TbybOptions(WordOptions):
    """``captions`` and ``misses`` name the annotators whose captions are read and who tell whether images show their
    prompt; without them every one that writes captions, and the first that tells the other.

    ``draws``: bootstrap draws. ``small``: fewer images than this carry a warning. The others are those of
    :class:`~portrayal.methods.tbyb.words.WordOptions`.
    """

    captions: str = ""
    misses: str = ""
    draws: int = Field(default=1000, ge=100)
    small: int = Field(default=30, ge=1)
