"""A sheet for people to fill in: a random sample of a study's pictures that does not say who drew them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.annotators import Annotator
from portrayal.csvfile import csv_text
from portrayal.errors import InputError, StudyError
from portrayal.records import PERSON, SIDES
from portrayal.store.files import write_atomic
from portrayal.store.images.image_name import image_name
from portrayal.study.correction.next_labels import next_labels
from portrayal.study.importing.labels.read_sheet import PROBABILITY, columns
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["Row", "Sample", "drawn_pictures", "write_sheet"]

_MADE = f"jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id AND ext <> ''"
_PROMPTS = f"SELECT DISTINCT jobs.prompt AS id FROM {_MADE} ORDER BY id"
_PICTURES = f"""
    SELECT image, any_value(ext) AS ext, min(jobs.prompt) AS prompt, min(jobs.generator) AS model,
           max(people) AS people, arg_min(text, jobs.prompt) AS text
    FROM {_MADE} JOIN prompts ON prompts.id = jobs.prompt WHERE {{where}}
    GROUP BY image ORDER BY image
"""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """How many prompts, how many images of each by each model, and whether the sheet says which model it was.

    With ``worthiest`` it is as many images as that instead: those whose labels narrow corrected shares the most. With
    ``pictures`` it is these images, by the 64 digits of their names.
    """

    prompts: int
    images: int
    seed: int
    models: bool = False
    worthiest: int = 0
    pictures: tuple[str, ...] = ()


def write_sheet(study: OpenStudy, path: Path, annotator: Annotator, sample: Sample) -> tuple[int, str]:
    """Write the sheet; return how many images it asks about, and what their labels are worth where that is known."""
    if path.exists():
        raise InputError(f"{path}: there is a file already, perhaps filled in; choose another name")
    rows, worth = drawn_pictures(study, annotator, sample)
    asked = [name for name, attribute in columns(annotator.attributes).items() if name == attribute.name]
    more = [*(["model"] if sample.models else []), *([PROBABILITY] if sample.worthiest else [])]
    named = ("image", "path", *more, "prompt", "side")
    lines = []
    for row in rows:
        for side in SIDES if row["people"] == len(SIDES) else ("",):
            cells = {
                "image": row["image"],
                "path": _path(study, row),
                "model": study.names.generator(row["model"]),
                "prompt": row["text"],
                PROBABILITY: row.get(PROBABILITY, ""),
                "side": side,
            }
            lines.append((*(cells[name] for name in named), "", "", *("" for _ in asked)))
    write_atomic(path, csv_text((*named, "rater", PERSON, *asked), lines).encode())
    return len(rows), worth


def drawn_pictures(study: OpenStudy, annotator: Annotator, sample: Sample) -> tuple[list[Row], str]:
    """Return the pictures that a sample asks about, in random order, and what their labels are worth where it is known.

    Each says how likely an image of its prompt and model was drawn.
    """
    rng = np.random.default_rng(sample.seed)
    if sample.pictures:
        return _named(study, sample.pictures, rng), ""
    if sample.worthiest:
        plan = next_labels(study, annotator, sample.worthiest, rng)
        return _chosen(study, plan.images, rng), plan.worth
    return _random(study, sample, rng), ""


def _random(study: OpenStudy, sample: Sample, rng: np.random.Generator) -> list[Row]:
    prompts = study.workspace.query(_PROMPTS)["id"].to_pylist()
    if not prompts:
        raise StudyError(f"{study.root}: no pictures to label yet; draw some, or import some")
    chosen = pa.table({"id": [prompts[place] for place in rng.permutation(len(prompts))[: sample.prompts]]})
    pictures = _PICTURES.format(where="jobs.prompt IN (SELECT id FROM chosen)")
    return list(_draw(study.workspace.query(pictures, chosen=chosen).to_pylist(), sample.images, rng))


def _named(study: OpenStudy, images: Sequence[str], rng: np.random.Generator) -> list[Row]:
    """Return these pictures; how likely they were drawn nobody knows."""
    pictures = _PICTURES.format(where="image IN (SELECT id FROM chosen)")
    rows = study.workspace.query(pictures, chosen=pa.table({"id": list(images)})).to_pylist()
    if missing := set(images) - {row["image"] for row in rows}:
        raise StudyError(f"{study.root}: {min(missing)} is no picture that counts in this study")
    return [{**rows[place], PROBABILITY: ""} for place in rng.permutation(len(rows))]


def _chosen(study: OpenStudy, images: Mapping[str, float], rng: np.random.Generator) -> list[Row]:
    if not images:
        raise StudyError(f"{study.root}: no picture of one person is left to label")
    pictures = _PICTURES.format(where="image IN (SELECT id FROM chosen)")
    rows = study.workspace.query(pictures, chosen=pa.table({"id": list(images)})).to_pylist()
    return [{**rows[place], PROBABILITY: f"{images[rows[place]['image']]:.4f}"} for place in rng.permutation(len(rows))]


def _draw(pictures: list[Row], images: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the sample in random order, so that the order does not tell who drew what."""
    cells: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in pictures:
        cells[row["prompt"], row["model"]].append(row)
    drawn = [
        {**cell[place], PROBABILITY: f"{min(images / len(cell), 1):.4f}"}
        for _, cell in sorted(cells.items())
        for place in rng.permutation(len(cell))[:images]
    ]
    for place in rng.permutation(len(drawn)):
        yield drawn[place]


def _path(study: OpenStudy, row: Row) -> str:
    images = study.workspace.images
    return f"{images.where}/{image_name(images.where, row['image'], row['ext'])}"
