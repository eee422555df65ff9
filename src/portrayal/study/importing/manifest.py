"""A CSV of paths: one line for each image, with its model, its prompt, and whatever else is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError
from portrayal.records import FoundImage, Prompt

__all__ = ["MANIFEST_NAME", "PATH_COLUMNS", "other_columns", "read_manifest"]

MANIFEST_NAME = "manifest.csv"
PATH_COLUMNS = ("path", "filename", "file_name", "file", "image")
"""What the column of paths may be called; where there are several of these, the first of them is it."""
_NEEDED = ("model", "prompt")
_OPTIONAL = ("seed", "term", "category", "variant", "language")
_SEEDS = range(-(2**63), 2**63)


def read_manifest(folder: Path, manifest: Path | None = None) -> Iterator[FoundImage]:
    """Yield the images that a manifest lists, by default ``manifest.csv`` in the folder; paths start at the folder.

    Without a column for it the term is the prompt up to the first comma, as a photorealism suffix may follow. Columns
    that mean nothing here are kept with the image.
    """
    path = manifest or folder / MANIFEST_NAME
    rows = read_csv(path, _NEEDED, others=True)
    paths = _path_column(path, rows[0])
    others = other_columns(rows[0].values)
    for row in rows:
        for name in (paths, *_NEEDED):
            if not row[name]:
                raise InputError(f"{row.where}: column {name!r} is empty")
        prompt = Prompt(
            row["prompt"],
            row["term"] or row["prompt"].partition(",")[0].strip() or row["prompt"],
            category=row["category"],
            variant=row["variant"],
            language=row["language"] or "en",
        )
        about = {name: row[name] for name in others if row[name]}
        yield FoundImage(folder / row[paths], row["model"], prompt, _seed(row), listed=True, about=about)


def other_columns(header: Iterable[str]) -> list[str]:
    """Return the columns that are kept with each image as they are; one without a name is not."""
    known = list(header)
    paths = next((name for name in PATH_COLUMNS if name in known), "")
    return [name for name in known if name not in (paths, *_NEEDED, *_OPTIONAL, "")]


def _path_column(path: Path, row: CsvRow) -> str:
    found = [name for name in PATH_COLUMNS if name in row.values]
    if not found:
        first, *others = PATH_COLUMNS
        called = f"column {first!r} is missing, which may also be called {', '.join(others)}"
        raise InputError(f"{path}: {called}; the file has {', '.join(row.values)}")
    return found[0]


def _seed(row: CsvRow) -> int:
    text = row["seed"] or "0"
    try:
        seed = int(text)
    except ValueError:
        raise InputError(f"{row.where}: column 'seed' must be a whole number, got {text!r}") from None
    if seed not in _SEEDS:
        raise InputError(f"{row.where}: column 'seed' must fit into 64 bits, got {text}")
    return seed
