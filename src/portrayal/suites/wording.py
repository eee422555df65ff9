"""English small words: articles and the case of terms inside a sentence."""

from __future__ import annotations

import re

__all__ = ["fill", "with_article"]

_SPOKEN_WITH_CONSONANT = re.compile(r"(?:uni(?!n)|use|usu|uti|ura|eu|ewe|one|once|ufo)", re.IGNORECASE)
_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_SPELLED_WITH_VOWEL = frozenset("AEFHILMNORSX")
_SPOKEN_AS_WORD = frozenset({"STEM", "NASA", "NATO", "FIFA"})
_PROPER = frozenset({"American", "Arabic", "Chinese", "English", "French", "German", "Indian", "Spanish"})


def with_article(term: str) -> str:
    """Return ``term`` with ``a`` or ``an`` before it, as it is spoken.

    >>> [with_article(term) for term in ("nurse", "accountant", "university professor", "honest person", "MC", "CEO")]
    ['a nurse', 'an accountant', 'a university professor', 'an honest person', 'an MC', 'a CEO']
    """
    first = re.split(r"[\s-]", term.strip(), maxsplit=1)[0]
    if first.isupper() and len(first) > 1 and first not in _SPOKEN_AS_WORD:
        vowel = first[0] in _SPELLED_WITH_VOWEL
    else:
        vowel = first[:1].lower() in "aeiou" and not _SPOKEN_WITH_CONSONANT.match(first)
        vowel = vowel or bool(_SILENT_H.match(first))
    return f"{'an' if vowel else 'a'} {term}"


def fill(template: str, term: str) -> str:
    """Put ``term`` into a template at ``{term}``, or with its article at ``{a_term}``.

    Titles are written small inside a sentence; abbreviations and languages stay as they are.

    >>> fill("a portrait photo of {a_term}", "Art Teacher"), fill("one {term}", "CEO")
    ('a portrait photo of an art teacher', 'one CEO')
    """
    words = " ".join(_small(word) for word in term.split())
    return template.replace("{a_term}", with_article(words)).replace("{term}", words)


def _small(word: str) -> str:
    capitals = sum(character.isupper() for character in word)
    return word if capitals > 1 or word in _PROPER else word.lower()
