"""Prompts of a task: captions from a file of one's own that hold a target word, chosen as the authors' code does."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from portrayal.csvfile import read_csv
from portrayal.errors import ConfigError, InputError
from portrayal.inputfile import read_text
from portrayal.jsonfile import read_json

__all__ = ["SEED", "captions_of", "read_captions"]

SEED = 42
"""With which the authors' code shuffles captions before it takes the first."""


def read_captions(path: Path) -> list[str]:
    """Return the captions of a file: COCO's JSON, a CSV with a column ``caption``, or a text with one in each line."""
    kind = path.suffix.lower()
    if kind == ".json":
        return list(_coco(read_json(path), path))
    if kind == ".csv":
        return [row["caption"] for row in read_csv(path, ("caption",), others=True)]
    return [line.strip() for line in read_text(path).splitlines() if line.strip()]


def _coco(parsed: Any, path: Path) -> Iterator[str]:
    """Yield the captions of a file such as COCO's ``captions_train2017.json``."""
    rows = parsed.get("annotations") if isinstance(parsed, dict) else None
    if not isinstance(rows, list):
        raise InputError(f"{path}: no list 'annotations'; a file of COCO's captions has one")
    for number, row in enumerate(rows, start=1):
        caption = row.get("caption") if isinstance(row, dict) else None
        if not isinstance(caption, str):
            raise InputError(f"{path}: annotation {number} has no text 'caption'")
        yield caption


def captions_of(captions: Sequence[str], target: str, most: int, where: str) -> list[str]:
    """Return up to ``most`` different captions, small, that have the target as a word between blanks.

    They are shuffled as in the authors' code, so that the same file gives the same captions in the same order.
    """
    shuffled = list(captions)
    random.Random(SEED).shuffle(shuffled)  # noqa: S311 - it chooses prompts
    word = target.casefold()
    chosen = dict.fromkeys(caption.lower().strip() for caption in shuffled if word in caption.lower().split(" "))
    if not chosen:
        raise ConfigError(f"{where}: no caption has the word {target!r}; choose another target")
    return list(chosen)[:most]
