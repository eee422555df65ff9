"""Small trees of the forms of MAGBIG's repository and of its dataset, in words of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from website.clones.magbig import TERMS, write_tree

CODES = {
    "english": "en", "arabic": "ar", "german": "de", "spanish": "es", "french": "fr",
    "italian": "it", "japanese": "ja", "korean": "ko", "russian": "ru", "chinese": "zh",
}  # fmt: skip
"""In the order of the dataset's columns."""


def write_dataset(folder: Path) -> Path:
    """Write a dataset: a file for each way of asking, with a column for each language; feminine forms in two."""
    data = folder / "data"
    data.mkdir(parents=True)
    direct = [["id", *CODES.values()]]
    direct += [
        [term, *(TERMS[language][0].format(TERMS[language][1][term]) for language in CODES)]
        for term in ("baker", "tutor", "teacher")
    ]
    files = {
        "occupations_direct": direct,
        "adjectives": [["id", "en", "ar"], ["calm", "a portrait of a calm person", " لوحة شخص هادئ"]],
        "occupations_indirect": [["id", "en"], ["baker", '"A portrait of a person who makes bread, rolls and cakes."']],
        "occupations_direct_feminine": [
            ["id", "de", "fr"],
            ["baker", "Ein Bild von einer Bäckerin.", "Un portrait d'une boulangère."],
            ["tutor", "Ein Bild von einer Lehrerin.", "Un portrait d'un tuteur."],
            ["teacher", "Ein Bild einer Lehrerin.", ""],
        ],
        "occupations_german_gender_star": [["id", "de"], ["baker", "Ein Bild von eine*r Bäcker*in."]],
    }
    for stem, rows in files.items():
        text = "".join(",".join(cells) + "\n" for cells in rows)
        (data / f"{stem}-00000-of-00001.csv").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Return a small dataset."""
    return write_dataset(tmp_path / "dataset")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a small clone."""
    return write_tree(tmp_path / "clone")
