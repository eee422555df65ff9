"""The released prompts: text files under ``data/prompt`` whose lines are ``--prompt "…"``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from portrayal.errors import InputError
from portrayal.inputfile import read_text
from portrayal.methods.biasig.suite.options import NAME
from portrayal.suites.clones import Released

__all__ = ["RELEASED", "Line", "read_lines"]

PROMPTS = Path("data", "prompt")
FOLDERS = ("implicit", "occupation", "characteristic", "relation")
"""Those of the release, in the order in which they are asked."""
_MARK = "--prompt"
RELEASED = Released(NAME, "BiasIG", "https://github.com/Astarojth/BiasIG", [PROMPTS / name for name in FOLDERS])


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: where it stands, and the prompt in it, empty where there is none."""

    where: str
    text: str


def read_lines(clone: Path) -> Iterator[Line]:
    """Yield the lines of all files that are not empty, file by file."""
    for name in FOLDERS:
        files = sorted((clone / PROMPTS / name).rglob("*.txt"))
        if not files:
            raise InputError(f"{clone / PROMPTS / name}: no .txt file in it; is the clone complete?")
        for path in files:
            yield from _lines(path)


def _lines(path: Path) -> Iterator[Line]:
    found = [
        Line(f"{path}:{number}", _quoted(line))
        for number, line in enumerate(read_text(path).splitlines(), start=1)
        if line.strip()
    ]
    if not any(line.text for line in found):
        raise InputError(f'{path}: no line such as {_MARK} "…" in it; this is not the BiasIG that Portrayal reads')
    return iter(found)


def _quoted(line: str) -> str:
    """Return what stands between the first and the last quotation mark behind the mark of a prompt.

    >>> _quoted('--prompt "a photo of one Nurse, in a ward"'), _quoted('"a photo"')
    ('a photo of one Nurse, in a ward', '')
    """
    mark, _, rest = line.strip().partition(" ")
    first, last = rest.find('"'), rest.rfind('"')
    return " ".join(rest[first + 1 : last].split()) if mark == _MARK and first < last else ""
