"""How BAFIS' authors lay out images: ``DIR/metadata.json`` beside ``0.png``, ``1.png``, …"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from portrayal.errors import InputError
from portrayal.jsonfile import read_json
from portrayal.records import FoundImage, Prompt, plain_text

__all__ = ["read_metadata"]

_NEEDED = ("occupation", "model", "prompt")


def read_metadata(folder: Path) -> Iterator[FoundImage]:
    """Yield the images that ``metadata.json`` describes."""
    path = folder / "metadata.json"
    entries = read_json(path)
    if not isinstance(entries, dict):
        raise InputError(f"{path}: must hold an object from image number to its description")
    for number, entry in entries.items():
        yield _image(folder, f"{path}, image {number!r}", number, entry)


def _image(folder: Path, where: str, number: str, entry: Any) -> FoundImage:
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: must be an object with occupation, model and prompt")
    values = {name: _word(entry, name, where) for name in (*_NEEDED, "prompt_group", "language")}
    if missing := [name for name in _NEEDED if not values[name]]:
        raise InputError(f"{where}: {missing[0]!r} is missing or empty")
    prompt = Prompt(
        values["prompt"],
        values["occupation"],
        suite="bafis",
        variant=values["prompt_group"],
        language=values["language"] or "en",
    )
    return FoundImage(folder / f"{Path(number).name}.png", values["model"], prompt, listed=True)


def _word(entry: Mapping[str, Any], name: str, where: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str | int | float | None):
        raise InputError(f"{where}: {name!r} must be text, got {json.dumps(value)}")
    return "" if value is None else plain_text(str(value)).strip()
