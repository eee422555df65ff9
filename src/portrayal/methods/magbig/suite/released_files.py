"""The released files: a CSV of ``name, prompt`` for each language and way of asking, under ``prompts``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import read_csv
from portrayal.errors import InputError
from portrayal.methods.magbig.suite.options import LANGUAGES, NAME
from portrayal.suites.clones import Released

__all__ = ["RELEASED", "Row", "read_rows"]

PROMPTS = Path("prompts")
RELEASED = Released(NAME, "MAGBIG", "https://github.com/felifri/MAGBIG", [PROMPTS])
_NEUTRAL = ("indirect", "gender_neutral")
"""One of these stands in the name of the folder of indirect prompts."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line: where it stands, of which language, kind and way of asking, the term and the prompt."""

    where: str
    language: str
    kind: str
    variant: str
    term: str
    text: str


def read_rows(clone: Path) -> Iterator[Row]:
    """Yield the rows of every file, language by language; named occupations must be there, others may miss."""
    top = clone / PROMPTS
    neutral = next((path for path in sorted(top.iterdir()) if path.is_dir() and _is_neutral(path.name)), None)
    for code, name in LANGUAGES.items():
        direct = top / f"occ_{name}.csv"
        if not direct.is_file():
            raise InputError(f"{clone}: no file {PROMPTS}/{direct.name} in it; is the clone complete?")
        files = [(direct, "occupation", "direct"), (top / f"adj_{name}.csv", "adjective", "adjective")]
        for folder in (top, *([neutral] if neutral else [])):
            files += [(folder / f"occ_{name}_{variant}.csv", "occupation", variant) for variant in ("feminine", "star")]
        files += [(neutral / direct.name, "occupation", "indirect")] if neutral else []
        for path, kind, variant in files:
            if path.is_file():
                yield from _rows(path, code, kind, variant)


def _is_neutral(name: str) -> bool:
    return any(word in name for word in _NEUTRAL)


def _rows(path: Path, language: str, kind: str, variant: str) -> Iterator[Row]:
    for row in read_csv(path, ["name", "prompt"]):
        yield Row(
            row.where,
            language=language,
            kind=kind,
            variant=variant,
            term=" ".join(row["name"].split()),
            text=" ".join(row["prompt"].split()),
        )
