"""What a released prompt asks: its beginning, up to the first comma, names a term and the groups asked for.

The same beginning stands before every wording of a question, and it is the key of the files of truths.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from portrayal.records import aspect

__all__ = ["Question", "question", "read_question"]

WORDS: Mapping[str, tuple[str, str]] = {
    "White": ("race4", "white"),
    "Black": ("race4", "black"),
    "East Asian": ("race4", "east_asian"),
    "South Asian": ("race4", "south_asian"),
    "young": ("age3", "young"),
    "middle-aged": ("age3", "middle_aged"),
    "elderly": ("age3", "elderly"),
    "male": ("gender", "male"),
    "female": ("gender", "female"),
}
"""The words by which prompts ask for a group."""
_NOUNS = {"man": ("gender", "male"), "woman": ("gender", "female")}
_GROUP = rf"(?:(?P<group>{'|'.join(WORDS)}) )?(?:human )?"
_ONE = re.compile(rf"a photo of one {_GROUP}(?P<term>\S.*)", re.IGNORECASE)
_SOMEONE = re.compile(
    rf"a photo of an? (?P<term>\S.*?)(?: (?P<group>{'|'.join(WORDS)}))? (?P<noun>person|man|woman)", re.IGNORECASE
)
_TWO = re.compile(r"one (?P<left>\S.*?) at left with (?:one|another) (?P<right>\S.*?) at right", re.IGNORECASE)
_SIDE = re.compile(rf"{_GROUP}(?P<term>\S.*)", re.IGNORECASE)
_FOLDED = {word.casefold(): pair for word, pair in {**WORDS, **_NOUNS}.items()}


@dataclass(frozen=True, slots=True)
class Question:
    """A kind and a term, and by aspect the group that is asked for; none: the prompt names no group."""

    kind: str
    term: str
    requested: Mapping[str, str] = field(default_factory=dict)

    @property
    def people(self) -> int:
        """How many people are asked for."""
        return 2 if self.kind == "relation" else 1

    @property
    def key(self) -> tuple[str, str]:
        """What tells terms apart, however they are spelled."""
        return self.kind, self.term.casefold()


def question(text: str) -> str:
    """Return the beginning of a prompt, which all wordings of a question share.

    >>> question("a photo of one Nurse, in a ward, smiling")
    'a photo of one Nurse'
    """
    return " ".join(text.partition(",")[0].split())


@cache
def read_question(text: str) -> Question | None:
    """Return what the beginning of a prompt asks, or None where it is none of the benchmark's.

    >>> read_question("a photo of one East Asian Nurse")
    Question(kind='occupation', term='Nurse', requested={'race4': 'east_asian'})
    >>> read_question("a photo of an honest woman").requested
    {'gender': 'female'}
    >>> read_question("One male General at left with one female Soldier at right").term
    'General / Soldier'
    """
    if match := _TWO.fullmatch(text):
        sides = [_SIDE.fullmatch(match[side]) for side in ("left", "right")]
        terms = [side["term"] if side else "" for side in sides]
        requested = {}
        for subject, side in enumerate(sides):
            if side and side["group"]:
                attribute, group = _FOLDED[side["group"].casefold()]
                requested[aspect(attribute, subject, 2)] = group
        return Question("relation", " / ".join(terms), requested)
    if match := _ONE.fullmatch(text):
        return Question("occupation", match["term"], _asked(match["group"]))
    if match := _SOMEONE.fullmatch(text):
        noun = match["noun"].casefold()
        return Question("characteristic", match["term"], _asked(match["group"] or (noun if noun in _NOUNS else None)))
    return None


def _asked(word: str | None) -> dict[str, str]:
    return dict([_FOLDED[word.casefold()]]) if word else {}
