"""How other projects lay out their images: who drew which file, for which prompt.

``faintbench``: ``DIR/model/prompt/image.png``; the prompt ends at the first comma of the folder's name, since a
photorealism suffix may follow. ``bafis``: ``DIR/metadata.json`` beside ``0.png``, ``1.png``, … ``manifest``: a CSV
with the columns ``path, model, prompt`` and optionally ``seed, term, category, variant, language``; paths start at DIR.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from portrayal.csvfile import CsvRow, read_csv, read_text
from portrayal.errors import InputError
from portrayal.records import Prompt

__all__ = ["ENDINGS", "Found", "plain_text", "read_layout"]

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "PNG": ("png",),
    "JPEG": ("jpg", "jpeg"),
    "MPO": ("jpg", "jpeg"),  # cameras and telephones put several views into one JPEG file
    "WEBP": ("webp",),
    "GIF": ("gif",),
    "BMP": ("bmp",),
    "TIFF": ("tif", "tiff"),
    "AVIF": ("avif",),
}
"""What Pillow calls a format, and how its files end."""
_SEEDS = range(-(2**63), 2**63)


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
    try:
        found = list(_READERS[layout](folder, manifest))
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read: {error.strerror}") from None
    if not found:
        raise InputError(f"{folder}: no files laid out as {layout!r} found here; see: portrayal import --help")
    _check_any(folder, found)
    return found


def plain_text(name: str) -> str:
    """Return a file's name as text that can be stored; bytes that are not UTF-8 become question marks."""
    return name.encode("utf-8", "replace").decode()


def _check_any(folder: Path, found: Sequence[Found]) -> None:
    """Refuse a folder that is surely the wrong one; single bad files are recorded later."""
    endings = {f".{ending}" for endings in ENDINGS.values() for ending in endings}
    if not any(file.path.suffix.lower() in endings for file in found):
        raise InputError(f"{folder}: none of the {len(found)} files here is an image; check --images and --layout")
    if not any(os.path.lexists(file.path) for file in found):
        raise InputError(
            f"{folder}: none of the {len(found)} files listed is here, such as {found[0].path}; check --images"
        )


def _from_tree(folder: Path) -> Iterator[Found]:
    for model in _folders(folder):
        for asked in _folders(model):
            text = plain_text(asked.name).partition(",")[0].strip()
            if not text:
                raise InputError(f"{asked}: empty prompt; name the folder after the prompt its images were asked with")
            for path in _files(asked):
                yield Found(path, plain_text(model.name), Prompt(text, text))


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
    values = {name: _word(entry, name, where) for name in ("occupation", "model", "prompt", "prompt_group", "language")}
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


def _word(entry: Mapping[str, Any], name: str, where: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str | int | float | None):
        raise InputError(f"{where}: {name!r} must be text, got {json.dumps(value)}")
    return "" if value is None else plain_text(str(value)).strip()


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
        yield Found(folder / row["path"], row["model"], prompt, _seed(row))


def _seed(row: CsvRow) -> int:
    text = row["seed"] or "0"
    try:
        seed = int(text)
    except ValueError:
        raise InputError(f"{row.where}: column 'seed' must be a whole number, got {text!r}") from None
    if seed not in _SEEDS:
        raise InputError(f"{row.where}: column 'seed' must fit into 64 bits, got {text}")
    return seed


_READERS: Mapping[str, Callable[[Path, Path | None], Iterator[Found]]] = {
    "faintbench": lambda folder, _: _from_tree(folder),
    "bafis": lambda folder, _: _from_bafis(folder),
    "manifest": _from_manifest,
}


def _folders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
