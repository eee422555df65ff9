"""A CSV of paths: one line for each image, with its model, its prompt, and whatever else is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.inputfile import read_text
from portrayal.records import FoundImage, Prompt
from portrayal.study.importing.image_terms import prompt_terms

__all__ = ["MANIFEST_NAME", "PATH_COLUMNS", "other_columns", "read_manifest"]

MANIFEST_NAME = "manifest.csv"
PATH_COLUMNS = ("path", "filename", "file_name", "file", "image")
"""What the column of paths may be called; where there are several of these, the first of them is it."""
_NEEDED = ("model", "prompt")
_OPTIONAL = ("seed", "term", "category", "variant", "language")
_KNOWN = (*PATH_COLUMNS, *_NEEDED, *_OPTIONAL)
_SEEDS = range(-(2**63), 2**63)


def read_manifest(
    folder: Path, manifest: Path | None = None, *, model: str = "", prompt: str = ""
) -> Iterator[FoundImage]:
    """Yield the images that a manifest lists, by default ``manifest.csv`` in the folder; paths start at the folder.

    ``model`` and ``prompt`` hold for a list that has no such column. Without a column for it the term is found as
    :func:`~portrayal.study.importing.image_terms.prompt_terms` says. Other columns are kept with the image.
    """
    path = manifest or folder / MANIFEST_NAME
    if not read_text(path).strip():
        raise InputError(f"{path}: the file is empty; its first line must name the columns path, model and prompt")
    rows = [_as_known(row) for row in read_csv(path, (), others=True)]
    given = {name: value for name, value in (("model", model), ("prompt", prompt)) if value}
    paths = _path_column(path, rows[0])
    _check_columns(path, rows[0], given)
    others = other_columns(rows[0].values)
    asked = [_Asked.of(row, paths, given) for row in rows]
    terms = prompt_terms((line.model, line.text) for line in asked if not line.row["term"])
    for line in asked:
        row = line.row
        meaning = Prompt(
            line.text,
            row["term"] or terms[line.text],
            category=row["category"],
            variant=row["variant"],
            language=row["language"] or "en",
        )
        about = {name: row[name] for name in others if row[name]}
        yield FoundImage(folder / row[paths], line.model, meaning, _seed(row), listed=True, about=about)


def _as_known(row: CsvRow) -> CsvRow:
    """Return the line with columns as they are known here: ``File name`` is ``file_name``, and ``text`` a prompt."""
    names = {name: name.casefold().replace(" ", "_") for name in row.values}
    known = {name: plain if plain in _KNOWN and plain not in row.values else name for name, plain in names.items()}
    if "prompt" not in known.values() and (text := next((n for n, plain in names.items() if plain == "text"), None)):
        known[text] = "prompt"
    if twice := [name for name in known.values() if list(known.values()).count(name) > 1]:
        raise InputError(f"{row.where}: two columns are called {twice[0]!r}; keep one")
    return CsvRow(row.where, {known[name]: value for name, value in row.values.items()})


@dataclass(frozen=True, slots=True)
class _Asked:
    """A line, and who drew its image by which text."""

    row: CsvRow
    model: str
    text: str

    @classmethod
    def of(cls, row: CsvRow, paths: str, given: Mapping[str, str]) -> _Asked:
        values = {name: row[name] or (given.get(name, "") if name not in row.values else "") for name in _NEEDED}
        for name, value in {paths: row[paths], **values}.items():
            if not value:
                raise InputError(f"{row.where}: column {name!r} is empty")
        return cls(row, values["model"], values["prompt"])


def _check_columns(path: Path, row: CsvRow, given: Mapping[str, str]) -> None:
    """Refuse a list without a column that nobody made up for, and what was given though a column has it."""
    for name in _NEEDED:
        if name in given and name in row.values:
            raise InputError(f"{path}: has a column {name!r} of its own; leave --{name} out")
        if name not in given and name not in row.values:
            columns = ", ".join(row.values)
            raise InputError(
                f"{path}: column {name!r} is missing; the file has {columns}{_likely(name, row)}; add the column, or "
                f"--{name} {'NAME' if name == 'model' else 'TEXT'} if it is the same for all images"
            )


def _likely(name: str, row: CsvRow) -> str:
    hint = did_you_mean(name, (column for column in row.values if column not in PATH_COLUMNS))
    return f" (is it {hint.split(chr(39))[1]!r}?)" if hint.endswith("?") else ""


def other_columns(header: Iterable[str]) -> list[str]:
    """Return the columns that are kept with each image as they are; one without a name is not."""
    known = list(header)
    paths = next((name for name in PATH_COLUMNS if name in known), "")
    return [name for name in known if name not in (paths, *_NEEDED, *_OPTIONAL, "")]


def _path_column(path: Path, row: CsvRow) -> str:
    present = [name for name in PATH_COLUMNS if name in row.values]
    if not present:
        first, *others = PATH_COLUMNS
        called = f"column {first!r} is missing, which may also be called {', '.join(others)}"
        raise InputError(f"{path}: {called}; the file has {', '.join(row.values)}")
    return present[0]


def _seed(row: CsvRow) -> int:
    text = row["seed"] or "0"
    try:
        seed = int(text)
    except ValueError:
        raise InputError(f"{row.where}: column 'seed' must be a whole number, got {text!r}") from None
    if seed not in _SEEDS:
        raise InputError(f"{row.where}: column 'seed' must fit into 64 bits, got {text}")
    return seed
