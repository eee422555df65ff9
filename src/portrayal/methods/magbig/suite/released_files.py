"""The released files: a CSV for each language and way of asking in the repository, one for each way in the dataset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.csvfile import read_csv
from portrayal.errors import InputError
from portrayal.methods.magbig.suite.options import LANGUAGES, NAME
from portrayal.suites.clones import Released

__all__ = ["RELEASED", "Release", "Row", "read_release"]

PROMPTS, DATA = Path("prompts"), Path("data")
RELEASED = Released(NAME, "MAGBIG", "https://github.com/felifri/MAGBIG", [])
_NEUTRAL = ("indirect", "gender_neutral")
"""One of these stands in the name of the repository's folder of indirect prompts."""
_STAR_LANGUAGE = "german"
_DIRECT = "occupations_direct"
_FILES = (
    (_DIRECT, "occupation", "direct"),
    ("adjectives", "adjective", "adjective"),
    ("occupations_indirect", "occupation", "indirect"),
    ("occupations_direct_feminine", "occupation", "feminine"),
    ("occupations_german_gender_star", "occupation", "star"),
)
"""How the dataset's files begin, and the kind and the way of asking of each."""


@dataclass(frozen=True, slots=True)
class Row:
    """A prompt: of which language, kind and way of asking, the term and the words."""

    language: str
    kind: str
    variant: str
    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Release:
    """The prompts of a folder, and what of the release the folder lacks: files, and cells without words."""

    rows: list[Row] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Keep a prompt, or note that it has no words."""
        if row.text:
            self.rows.append(row)
        else:
            self.lacking.append(f"{row.term} ({row.language} {row.variant})")


def read_release(folder: Path) -> Release:
    """Return the prompts of a clone of the repository or of the dataset; direct prompts must be there in all languages.

    What else is not there is noted; a file of another form is refused.
    """
    if (folder / PROMPTS).is_dir():
        return _repository(folder)
    if _dataset_file(folder, _DIRECT):
        return _dataset(folder)
    raise InputError(
        f"{folder}: neither a folder {PROMPTS} nor a file {DATA}/{_DIRECT}*.csv in it; options.path must be a clone of "
        "MAGBIG's repository or of its dataset"
    )


def _repository(folder: Path) -> Release:
    release, top = Release(), folder / PROMPTS
    neutral = next((path for path in sorted(top.iterdir()) if path.is_dir() and _is_neutral(path.name)), None)
    for code, name in LANGUAGES.items():
        direct, described = f"occ_{name}.csv", neutral or top / _NEUTRAL[0]
        if not (top / direct).is_file():
            raise InputError(f"{folder}: no file {PROMPTS}/{direct} in it; is the clone complete?")
        released = [(top / direct, "direct"), (top / f"adj_{name}.csv", "adjective"), (described / direct, "indirect")]
        released += [(described / f"occ_{name}_star.csv", "star")] if name == _STAR_LANGUAGE else []
        more = [(place / f"occ_{name}_{way}.csv", way) for place in (top, described) for way in ("feminine", "star")]
        for path, variant in dict.fromkeys((*released, *more)):
            if path.is_file():
                kind = "adjective" if variant == "adjective" else "occupation"
                _read(release, _by_language(path, code), kind, variant)
            elif (path, variant) in released:
                release.lacking.append(str(path.relative_to(folder)))
    return release


def _is_neutral(name: str) -> bool:
    return any(word in name for word in _NEUTRAL)


def _by_language(path: Path, language: str) -> Iterator[tuple[str, str, str]]:
    for row in read_csv(path, ["name", "prompt"]):
        yield row["name"], language, row["prompt"]


def _dataset(folder: Path) -> Release:
    release = Release()
    for stem, kind, variant in _FILES:
        path = _dataset_file(folder, stem)
        if path:
            _read(release, _by_column(path, [*LANGUAGES] if stem == _DIRECT else []), kind, variant)
        else:
            release.lacking.append(f"{DATA}/{stem}*.csv")
    return release


def _dataset_file(folder: Path, stem: str) -> Path | None:
    """Return the file, whose name may end in its place among the parts of the dataset: ``stem-00000-of-00001.csv``."""
    found = [*(folder / DATA).glob(f"{stem}.csv"), *sorted((folder / DATA).glob(f"{stem}-*.csv"))]
    return next(iter(found), None)


def _by_column(path: Path, required: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield term, language and words: the first column has the terms, whatever it is called, each other a language."""
    for row in read_csv(path, required, others=True):
        (first, term), *cells = row.values.items()
        if first in LANGUAGES or not cells or any(language not in LANGUAGES for language, _ in cells):
            known = ", ".join(LANGUAGES)
            raise InputError(f"{path}: its columns must be the term, then some of {known}; another version of MAGBIG?")
        yield from ((term, language, text) for language, text in cells)


def _read(release: Release, cells: Iterable[tuple[str, str, str]], kind: str, variant: str) -> None:
    for term, language, text in cells:
        release.add(Row(language, kind, variant, " ".join(term.split()), " ".join(text.split())))
