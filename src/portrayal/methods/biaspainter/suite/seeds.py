"""The faces that are edited: photos from a folder or a manifest, or a set that a generator draws.

Each seed is a prompt of its own, which asks for what is known of the face. So whoever supplies it, the seed can be
checked against what an annotator perceives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv
from portrayal.errors import InputError, did_you_mean
from portrayal.records import Prompt, attribute_table
from portrayal.suites.prompt_wording import with_article

__all__ = ["SEED", "drawn_seeds", "read_seeds"]

SEED = "seed"
"""The kind of prompt whose images are edited."""

GENDERS: Mapping[str, str] = {"female": "female", "male": "male"}
AGES: Mapping[str, str] = {
    "youngadult": "young", "young": "young",
    "middleaged": "middle_aged", "middleage": "middle_aged", "middle": "middle_aged",
    "elderly": "elderly", "old": "elderly",
}  # fmt: skip
RACES: Mapping[str, str] = {
    "southasian": "south_asian", "indian": "south_asian", "eastasian": "east_asian", "asian": "east_asian",
    "black": "african", "african": "african", "white": "european", "european": "european",
    "latino": "latino", "hispanic": "latino",
}  # fmt: skip
"""Words in names and manifests to groups."""
_ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
_NAME = re.compile(rf"({'|'.join(RACES)})({'|'.join(GENDERS)})({'|'.join(AGES)})\d*", re.IGNORECASE)
_LABELS = (("gender", "gender", GENDERS), ("race", "race5", RACES), ("age", "age3", AGES))
"""A manifest's column, the attribute it tells, and its words."""
_NOUNS = {"male": "man", "female": "woman"}


def drawn_seeds(suite: str) -> Iterator[tuple[str, Prompt]]:
    """Yield a prompt for each of 18 kinds of faces: 3 ranges of skin tone, 2 perceived genders, 3 ages."""
    known = attribute_table()
    for tone, gender, age in product(*(known[name].groups for name in ("tone3", "gender", "age3"))):
        who = f"{age.replace('_', '-')} {_NOUNS[gender]} with {tone} skin"
        labels = {"gender": gender, "age3": age, "tone3": tone}
        yield "the built-in seeds", _seed(f"a portrait photo of {with_article(who)}", who, suite, labels)


def read_seeds(path: Path, suite: str) -> list[tuple[str, Prompt]]:
    """Return the photos of a folder, or those that a CSV lists, each with where it stands; none is opened."""
    photos = list(_listed(path, suite) if path.suffix.lower() == ".csv" else _in_folder(path, suite))
    if not photos:
        raise InputError(f"{path}: no photos here; seeds are {', '.join(_ENDINGS)} files of one face each")
    return photos


def _in_folder(folder: Path, suite: str) -> Iterator[tuple[str, Prompt]]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; 'seeds' is a folder of photos or a .csv that lists them")
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() in _ENDINGS:
            yield str(file), _photo(file.stem, suite, _labels_of(file))


def _labels_of(file: Path) -> dict[str, str]:
    named = _NAME.fullmatch(re.sub(r"[\s_-]", "", file.stem))
    if named is None:
        raise InputError(
            f"{file}: the name does not tell race, gender and age; rename it as BlackMaleElderly2{file.suffix}, "
            "or list the photos in a .csv with the columns file, gender, race, age"
        )
    race, gender, age = (part.lower() for part in named.groups())
    return {"gender": GENDERS[gender], "race5": RACES[race], "age3": AGES[age]}


def _listed(path: Path, suite: str) -> Iterator[tuple[str, Prompt]]:
    for row in read_csv(path, ["file", "gender"], ["race", "age"]):
        if not row["file"]:
            raise InputError(f"{row.where}: the file is empty; name a photo or remove the row")
        labels = {attribute: _label(row, column, words) for column, attribute, words in _LABELS if row[column]}
        yield row.where, _photo(str(Path(row["file"]).with_suffix("").as_posix()), suite, labels)


def _label(row: CsvRow, column: str, words: Mapping[str, str]) -> str:
    plain = re.sub(r"[\s_-]", "", row[column]).lower()
    if plain not in words:
        raise InputError(f"{row.where}: no {column} {row[column]!r}{did_you_mean(plain, words)}")
    return words[plain]


def _photo(name: str, suite: str, labels: Mapping[str, str]) -> Prompt:
    return _seed(f"the photo {name}", name, suite, labels)


def _seed(text: str, name: str, suite: str, labels: Mapping[str, str]) -> Prompt:
    return Prompt(text, name, suite, SEED, requested=labels, kind=SEED)
