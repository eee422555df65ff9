"""What the languages of prompts are called."""

from __future__ import annotations

from portrayal.language.translation import word

__all__ = ["language_title"]

LANGUAGES = {
    "": "all languages", "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French",
    "it": "Italian", "ja": "Japanese", "ko": "Korean", "ru": "Russian", "zh": "Chinese",
}  # fmt: skip


def language_title(code: str) -> str:
    """Return the name of a language; one that has none here is called by its code."""
    return word(LANGUAGES[code]) if code in LANGUAGES else code
