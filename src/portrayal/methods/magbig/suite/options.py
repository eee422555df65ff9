"""What of MAGBIG's suite can be chosen."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from portrayal.settings import Settings

__all__ = ["CITATION", "KINDS", "LANGUAGES", "NAME", "VARIANTS", "MagbigSuiteOptions"]

NAME = "magbig"
LANGUAGES = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian",
    "ru": "russian", "ar": "arabic", "zh": "chinese", "ja": "japanese", "ko": "korean",
}  # fmt: skip
"""Language to how the release's files name it."""
VARIANTS = ("direct", "indirect", "feminine", "star", "adjective")
KINDS = ("occupation", "adjective")
CITATION = (
    "Felix Friedrich et al. (2025): Multilingual Text-to-Image Generation Magnifies Gender Stereotypes and Prompt "
    "Engineering May Not Help You. ACL 2025. https://github.com/felifri/MAGBIG (prompts, measures)"
)


class MagbigSuiteOptions(Settings):
    """Which of the released prompts are asked; the defaults are all of them.

    ``path`` is the folder of a clone. ``sample`` keeps so many terms (0: all), each in all that is asked about it.
    """

    path: Path | None = None
    languages: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    sample: int = Field(default=0, ge=0)
    sample_seed: int = Field(default=0, ge=0)
