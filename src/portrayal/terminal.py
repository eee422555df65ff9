"""Words and tables on the terminal, and JSON for machines: nothing that a file or a service said moves the cursor.

Names of models, titles and paths come from files that others wrote. On a terminal some characters are commands: they
colour, erase, rename the window or turn the direction of writing. They are shown as what they are, ``\\u001b``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import typer

__all__ = [
    "counted",
    "from_here",
    "one_line",
    "printable",
    "say",
    "say_json",
    "say_table",
    "say_text",
    "tell",
    "text_table",
]

# Control characters but for line breaks and tabs, line separators, changes of direction, halves of surrogate pairs.
_COMMANDS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_BREAKS = re.compile(r"[\n\t]")


def from_here(path: Path) -> Path:
    """Return a path as one would type it in the folder that one works in: shorter, if it lies in there."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def printable(text: str) -> str:
    r"""Return text that only prints; line breaks and tabs are kept.

    >>> print(printable("a\x1b[2Jb"))
    a\u001b[2Jb
    """
    return _COMMANDS.sub(_shown, text)


def one_line(text: str) -> str:
    r"""Return text that prints in one line; tabs are kept.

    >>> print(one_line("a folder\nmeasurements: 7"))
    a folder\u000ameasurements: 7
    """
    return printable(text).replace("\n", r"\u000a")


def counted(number: int, noun: str, several: str = "") -> str:
    """Return a number with its noun, for the terminal; pages say theirs in the reader's language.

    >>> counted(1, "study", "studies"), counted(1200, "image")
    ('1 study', '1,200 images')
    """
    return f"{number:,} {noun if number == 1 else several or noun + 's'}"


def say(*lines: str) -> None:
    """Print results to standard output, each in a line, whatever breaks the names in it have."""
    typer.echo("\n".join(map(one_line, lines)))


def say_text(text: str) -> None:
    """Print a text of several lines to standard output, as it is written."""
    typer.echo(printable(text))


def tell(text: str) -> None:
    """Print a line about the work to standard error, where it does not mix with results."""
    typer.echo(one_line(text), err=True)


def say_json(data: object) -> None:
    """Print data as JSON."""
    # What is shown instead of a character is JSON's own way to write it, so the data stay the same.
    typer.echo(printable(json.dumps(data, indent=2, ensure_ascii=False)))


def say_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under a header, as wide as they need to be."""
    typer.echo("\n".join(text_table(header, rows)))


def text_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return lines: rows under a header, as wide as they need to be.

    >>> text_table(["term", "n"], [["nurse", "16"]])
    ['term   n', 'nurse  16']
    """
    lines = [[_BREAKS.sub(_shown, printable(cell)) for cell in line] for line in (header, *rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def _shown(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
