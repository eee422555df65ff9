"""How other projects lay out their images: who drew which file, for which prompt.

``faintbench``: ``DIR/model/prompt/image.png``; the prompt ends at the first comma of the folder's name, since a
photorealism suffix may follow. ``bafis``: ``DIR/metadata.json`` beside ``0.png``, ``1.png``, … ``manifest``: a CSV
with the columns ``path, model, prompt`` and optionally ``seed, term, category, variant, language``; paths start at DIR.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portrayal.csvfile import read_csv, read_text
from portrayal.errors import InputError
from portrayal.records import Prompt

__all__ = ["LAYOUTS", "Found", "read_layout"]


@dataclass(frozen=True, slots=True)
class Found:
    """A file that is said to be the picture of a prompt by a model."""

    path: Path
    model: str
    prompt: Prompt
    seed: int = 0


def read_layout(layout: str, folder: Path, manifest: Path | None = None) -> list[Found]:
    """Return what ``folder`` holds, in a fixed order; no file is opened yet."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; --images takes the folder that holds the images")
    if manifest is not None and layout != "manifest":
        raise InputError(f"--manifest goes with --layout manifest, not with {layout}")
    found = list(_from_manifest(folder, manifest) if layout == "manifest" else LAYOUTS[layout](folder))
    if not found:
        raise InputError(f"{folder}: no files laid out as {layout!r} found here; see: portrayal import --help")
    return found


def _from_tree(folder: Path) -> Iterator[Found]:
    for model in _folders(folder):
        for asked in _folders(model):
            text = asked.name.partition(",")[0].strip()
            for path in _files(asked):
                yield Found(path, model.name, Prompt(text, text))


def _from_bafis(folder: Path) -> Iterator[Found]:
    path = folder / "metadata.json"
    try:
        entries = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(entries, dict):
        raise InputError(f"{path}: must hold an object from image number to its description")
    for number, entry in entries.items():
        yield _bafis_entry(folder, f"{path}, image {number!r}", number, entry)


def _bafis_entry(folder: Path, where: str, number: str, entry: Any) -> Found:
    if not isinstance(entry, Mapping):
        raise InputError(f"{where}: must be an object with occupation, model and prompt")
    values = {
        name: str(entry.get(name) or "") for name in ("occupation", "model", "prompt", "prompt_group", "language")
    }
    if missing := [name for name in ("occupation", "model", "prompt") if not values[name]]:
        raise InputError(f"{where}: {missing[0]!r} is missing or empty")
    prompt = Prompt(
        values["prompt"],
        values["occupation"],
        suite="bafis",
        variant=values["prompt_group"],
        language=values["language"] or "en",
    )
    return Found(folder / f"{Path(number).name}.png", values["model"], prompt)


def _from_manifest(folder: Path, manifest: Path | None) -> Iterator[Found]:
    path = manifest or folder / "manifest.csv"
    for row in read_csv(path, ["path", "model", "prompt"], ["seed", "term", "category", "variant", "language"]):
        for name in ("path", "model", "prompt"):
            if not row[name]:
                raise InputError(f"{row.where}: column {name!r} is empty")
        prompt = Prompt(
            row["prompt"],
            row["term"] or row["prompt"],
            category=row["category"],
            variant=row["variant"],
            language=row["language"] or "en",
        )
        yield Found(folder / row["path"], row["model"], prompt, int(row.number("seed", default=0)))


LAYOUTS: Mapping[str, Callable[[Path], Iterator[Found]]] = {
    "faintbench": _from_tree,
    "bafis": _from_bafis,
    "manifest": lambda folder: _from_manifest(folder, None),
}


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
