"""A sheet for people to fill in: a random sample of a study's pictures that does not say who drew them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
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
from portrayal.store.image_name import image_name
from portrayal.study.importing.labels.read_sheet import columns
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["Sample", "write_sheet"]

_MADE = f"jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id AND ext <> ''"
_PROMPTS = f"SELECT DISTINCT jobs.prompt AS id FROM {_MADE} ORDER BY id"
_PICTURES = f"""
    SELECT image, any_value(ext) AS ext, min(jobs.prompt) AS prompt, min(jobs.generator) AS model,
           max(people) AS people, arg_min(text, jobs.prompt) AS text
    FROM {_MADE} JOIN prompts ON prompts.id = jobs.prompt WHERE jobs.prompt IN (SELECT id FROM chosen)
    GROUP BY image ORDER BY image
"""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """How many prompts, how many images of each by each model, and whether the sheet says which model it was."""

    prompts: int
    images: int
    seed: int
    models: bool = False


def write_sheet(study: OpenStudy, path: Path, annotator: Annotator, sample: Sample) -> int:
    """Write the sheet and return how many images it asks about."""
    if path.exists():
        raise InputError(f"{path}: there is a file already, perhaps filled in; choose another name")
    rng = np.random.default_rng(sample.seed)
    prompts = study.workspace.query(_PROMPTS)["id"].to_pylist()
    if not prompts:
        raise StudyError(f"{study.root}: no pictures to label yet; draw some, or import some")
    chosen = pa.table({"id": [prompts[place] for place in rng.permutation(len(prompts))[: sample.prompts]]})
    rows = list(_draw(study.workspace.query(_PICTURES, chosen=chosen).to_pylist(), sample.images, rng))
    asked = [name for name, attribute in columns(annotator.attributes).items() if name == attribute.name]
    named = ("image", "path", *(["model"] if sample.models else []), "prompt", "side")
    lines = []
    for row in rows:
        for side in SIDES if row["people"] == len(SIDES) else ("",):
            model = study.names.generator(row["model"])
            cells = {
                "image": row["image"],
                "path": _path(study, row),
                "model": model,
                "prompt": row["text"],
            }
            lines.append((*({**cells, "side": side}[name] for name in named), "", "", *("" for _ in asked)))
    write_atomic(path, csv_text((*named, "rater", PERSON, *asked), lines).encode())
    return len(rows)


def _draw(pictures: list[Row], images: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield the sample in random order, so that the order does not tell who drew what."""
    cells: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in pictures:
        cells[row["prompt"], row["model"]].append(row)
    drawn = [cell[place] for _, cell in sorted(cells.items()) for place in rng.permutation(len(cell))[:images]]
    for place in rng.permutation(len(drawn)):
        yield drawn[place]


def _path(study: OpenStudy, row: Row) -> str:
    images = study.workspace.images
    return f"{images.where}/{image_name(images.where, row['image'], row['ext'])}"
