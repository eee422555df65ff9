"""Names as a sheet of paper has room for: without digests, never too long, and never two alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count

from portrayal.reports.data import ReportData
from portrayal.reports.text.words import capital

__all__ = ["PlainNames", "cropped"]

NAME, TERM = 34, 44
"""Characters of a name or of a term that are printed at most."""
_VERSION = re.compile(r"^([\w.-]+)@\d{1,3}(?=$|[:#])")
"""As identities of parts begin: ``diffusers@1:org/sdxl#1a2b3c4d``. A name of the user's own may end in any number."""
_DIGEST = re.compile(r"#[0-9a-f]{6,}$")
_COMMIT = re.compile(r"@[0-9a-f]{8,}$")
_BROUGHT = re.compile(r"^imported:")


def cropped(text: str, most: int) -> str:
    """Return a text with its middle left out where it is too long: versions differ at the end.

    >>> cropped("a very long name of a model v2", 12)
    'a very…el v2'
    """
    plain = " ".join(text.split())
    if len(plain) <= most:
        return plain
    end = (most - 1) // 2
    return f"{plain[: most - 1 - end].rstrip()}…{plain[-end:].lstrip()}"


@dataclass(frozen=True)
class PlainNames:
    """What models, annotators and terms are called on the sheet, where that is not what the report calls them.

    ``numbered`` is whether some are told apart by a number alone.
    """

    plain: Mapping[str, str]
    numbered: bool = False

    @classmethod
    def of(cls, data: ReportData) -> PlainNames:
        """Return the plain names of everything that the sentences of a page name."""
        models, numbered = _unlike(data.generators, NAME)
        annotators, annotators_numbered = _unlike(data.annotators, NAME)
        items = (*(row.item for row in data.measurements), *(term for term, _, _ in data.prompts))
        terms, _ = _unlike((item for item in items if len(item) > TERM), TERM, plain=cropped)
        every = {**terms, **annotators, **models}
        every |= {capital(name): capital(plain) for name, plain in every.items()}
        changed = {name: plain for name, plain in every.items() if name and name != plain}
        return cls(changed, numbered or annotators_numbered)

    def __call__(self, text: str) -> str:
        """Return a text of the page with plain names."""
        if not self.plain:
            return text
        longest_first = sorted(self.plain, key=len, reverse=True)
        return re.sub("|".join(map(re.escape, longest_first)), lambda name: self.plain[name[0]], text)


def _bare(name: str, most: int) -> str:
    """Return the name of a part without digests and versions that only tables need."""
    bare = _BROUGHT.sub("", _COMMIT.sub("", name))
    if _VERSION.match(bare):
        bare = _DIGEST.sub("", _VERSION.sub(r"\1", bare))
    return cropped(bare or name, most)


def _unlike(names: Iterable[str], most: int, plain: Callable[[str, int], str] = _bare) -> tuple[dict[str, str], bool]:
    """Return short names, a number behind those that would be the same, and whether there are any such."""
    wanted = {name: plain(name, most) for name in dict.fromkeys(names)}
    often = Counter(wanted.values())
    taken = {short for short, times in often.items() if times == 1}
    result = {}
    for name, short in wanted.items():
        candidates = (f"{short} ({number})" for number in count(1))
        result[name] = short if often[short] == 1 else next(each for each in candidates if each not in taken)
        taken.add(result[name])
    return result, any(times > 1 for times in often.values())
