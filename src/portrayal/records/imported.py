"""What comes in from outside: images that lie in folders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from portrayal.records.prompt import Prompt

__all__ = ["FoundImage", "plain_prompt", "plain_text"]


@dataclass(frozen=True, slots=True)
class FoundImage:
    """A file that is said to be the picture of a prompt by a model."""

    path: Path
    model: str
    prompt: Prompt
    seed: int = 0


def plain_text(name: str) -> str:
    """Return a file's name as text that can be stored; bytes that are not UTF-8 become question marks."""
    return name.encode("utf-8", "replace").decode()


def plain_prompt(text: str) -> str:
    """Return a prompt's text as it is compared: case, underscores and runs of spaces do not matter.

    >>> plain_prompt("A_photo of  one Nurse")
    'a photo of one nurse'
    """
    return " ".join(text.replace("_", " ").casefold().split())
