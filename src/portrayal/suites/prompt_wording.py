"""English small words: articles and the case of terms inside a sentence."""

from __future__ import annotations

import re

__all__ = ["fill", "in_sentence", "with_article"]

_SPOKEN_WITH_CONSONANT = re.compile(
    r"(?:uni(?!n|mp|ma|de)|use|usu|uti|ura|uro|ukr|eu|ewe|one(?![ir])|once|ufo)", re.IGNORECASE
)
_NUMBER_WITH_VOWEL = re.compile(r"8|1[18](?!\d)")
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
    spelled = first.isupper() or (len(first) == 1 and first.isalpha())
    if spelled and first not in _SPOKEN_AS_WORD:
        vowel = first[0].upper() in _SPELLED_WITH_VOWEL
    else:
        vowel = first[:1].lower() in "aeiou" and not _SPOKEN_WITH_CONSONANT.match(first)
        vowel = vowel or bool(_SILENT_H.match(first) or _NUMBER_WITH_VOWEL.match(first))
    return f"{'an' if vowel else 'a'} {term}"


def fill(template: str, term: str) -> str:
    """Put ``term`` into a template at ``{term}``, or with its article at ``{a_term}``.

    >>> fill("a portrait photo of {a_term}", "Muslim woman"), fill("one {term}", "CEO")
    ('a portrait photo of a Muslim woman', 'one CEO')
    """
    return template.replace("{a_term}", with_article(term)).replace("{term}", term)


def in_sentence(title: str) -> str:
    """Return a title as it is written inside a sentence: small, but for abbreviations and languages.

    >>> in_sentence("Art Teacher"), in_sentence("English Teacher"), in_sentence("TV Presenter")
    ('art teacher', 'English teacher', 'TV presenter')
    """
    return " ".join(_small(word) for word in title.split())


def _small(word: str) -> str:
    capitals = sum(character.isupper() for character in word)
    return word if capitals > 1 or word in _PROPER else word.lower()
