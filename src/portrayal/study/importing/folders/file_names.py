"""Prompts that stand in the names of image files, as many programs write them there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portrayal.study.importing.folders.walk import plain_name

__all__ = ["NamedFile", "by_words", "counts", "named_file", "prompts_in_names"]

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TIME = re.compile(r"^.*?\d{4}-\d\d-\d\d[ T]\d\d[.:-]\d\d[.:-]\d\d - ")
"""A program, a date and a time before the prompt, as DALL-E's page names files."""
_FIRST = re.compile(r"^(?:0\d+|\d{5,})(?:[- ]\d+)*[-. ]+(?=.*[^\W\d])")
"""A number that is filled up with zeros, or a long one, and perhaps a seed: a prompt begins with neither."""
_SETTINGS = re.compile(r"(?:^|\s)--\w.*$")
_LAST = re.compile(
    r"[#(\[]\d+[)\]]?|\d+[)\]]|0\d+|\d{5,}|(?=[0-9a-f]*\d)[0-9a-f]{8,}|seed[=-]?\d+|\(?copy\)?", re.IGNORECASE
)
"""What no prompt ends with: a number in brackets, filled up with zeros or long, a seed, an identifier."""
_NUMBER = re.compile(r"\d{1,4}")
"""What may be a counter, or the end of a prompt, as in ``nurse aged 30``; other names say which."""
_JOINED = re.compile(r"(?<=\w)-(?:0\d+|\d{3,})$")


@dataclass(frozen=True, slots=True)
class NamedFile:
    """The words in a file's name, and a number behind them; ``is_apart`` says that only a space parts the two."""

    text: str
    number: int | None = None
    is_apart: bool = False

    @property
    def whole(self) -> str:
        """The words with the number."""
        return self.text if self.number is None else f"{self.text} {self.number}"


def named_file(stem: str) -> NamedFile:
    """Return what a file's name holds, without its ending; no text if there are no words.

    Underscores are spaces, and so are hyphens in a name that has neither. Numbers, seeds and identifiers around the
    prompt are left out, and Midjourney's settings behind it. Names with an identifier such as Midjourney's
    begin with the name of a user, and what counts stands behind the identifier.

    >>> named_file("a_photo_of_a_nurse_001").whole, named_file("00012-3456789-a photo of a nurse").whole
    ('a photo of a nurse', 'a photo of a nurse')
    >>> named_file("ann_a_photo_of_3_nurses_--ar_2_3_5e7a2c4d-0000-4b1c-9d3e-1f2a3b4c5d6e_0").whole
    'a photo of 3 nurses'
    >>> named_file("DALL·E 2024-05-01 12.30.45 - A nurse").whole, named_file("0001").whole, named_file("IMG_2041")
    ('A nurse', '', NamedFile(text='IMG', number=2041, is_apart=False))
    """
    stem = plain_name(stem)
    before, identifier, _ = stem.partition(match[0]) if (match := _UUID.search(stem)) else (stem, "", "")
    by_user = bool(identifier and before.strip(" _-"))
    text = (before if by_user else _UUID.sub(" ", stem)).replace("_", " ").strip()
    if " " not in text:
        text = text.replace("-", " ")
    words = _SETTINGS.sub("", _FIRST.sub("", _TIME.sub("", text))).split()
    if by_user:
        words = words[1:]
    number, words = None, _without_counters(words)
    if words and not by_user and _NUMBER.fullmatch(words[-1]):
        number, words = int(words[-1]), _without_counters(words[:-1])
    text = _JOINED.sub("", " ".join(words)).strip(" -")
    is_apart = bool(re.search(rf"\w\s+{number}\b", stem))
    return NamedFile(text, number, is_apart) if any(map(str.isalpha, text)) else NamedFile("")


def _without_counters(words: list[str]) -> list[str]:
    while words and _LAST.fullmatch(words[-1]):
        words = words[:-1]
    return words


def prompts_in_names(stems: Sequence[str]) -> dict[str, str]:
    """Return the prompt in each of the names, which say together whether numbers at their ends only count.

    >>> prompts_in_names(["a nurse 1", "a nurse 2", "nurse aged 30", "nurse aged 60", "CEO_1"]).values()
    dict_values(['a nurse', 'a nurse', 'nurse aged 30', 'nurse aged 60', 'CEO'])
    """
    files = {stem: named_file(stem) for stem in stems}
    counting = {text for text, group in by_words(files.values()).items() if counts(group)}
    return {stem: file.text if file.text in counting else file.whole for stem, file in files.items()}


def by_words(files: Iterable[NamedFile]) -> dict[str, list[NamedFile]]:
    """Return the names that have the same words before their number, by these words."""
    groups: dict[str, list[NamedFile]] = defaultdict(list)
    for file in files:
        if file.text:
            groups[file.text].append(file)
    return groups


def counts(group: Sequence[NamedFile]) -> bool:
    """Return whether the numbers behind the same words count: nearly from one on, or without a gap from another.

    A name without a number is the first, as where a program puts a number behind the second. A number alone
    counts if an underscore or a hyphen parts it from the words, or if it is the first.
    """
    numbers = {1 if file.number is None else file.number for file in group}
    if len(numbers) == 1:
        return min(numbers) <= 1 or not any(file.is_apart for file in group)
    gaps = max(numbers) - min(numbers) + 1 - len(numbers)
    return gaps <= (len(numbers) if min(numbers) <= 1 else 0)
