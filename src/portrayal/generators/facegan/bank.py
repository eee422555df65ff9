"""The faces that facegan can draw: latent seeds, labelled once by what the ``faces`` annotator perceives in them."""

from __future__ import annotations

import csv
import functools
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType

from portrayal.records import attribute_table

__all__ = ["CELLS", "BankFace", "FaceCell", "load_bank"]

FaceCell = tuple[str, str, str]
"""Perceived gender, age group, skin tone."""

CELLS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: attribute_table()[name].groups for name in ("gender", "age3", "tone3")}
)
"""The planted attributes and their groups, in the order of a :data:`FaceCell`."""


@dataclass(frozen=True, slots=True)
class BankFace:
    """A latent seed and what is perceived in its picture; ``certainty`` is the mass on the perceived gender."""

    seed: int
    gender: str
    age3: str
    tone3: str
    tone: int
    age: float
    intensity: float
    certainty: float

    @property
    def cell(self) -> FaceCell:
        """The group of each planted attribute."""
        return self.gender, self.age3, self.tone3


@functools.cache
def load_bank() -> Mapping[FaceCell, tuple[BankFace, ...]]:
    """Return the shipped faces by cell, each cell in the order of seeds."""
    text = (files("portrayal.generators.facegan") / "data" / "bank.csv").read_text(encoding="utf-8")
    cells: dict[FaceCell, list[BankFace]] = defaultdict(list)
    for row in csv.DictReader(text.splitlines()):
        groups = row["gender"], row["age3"], row["tone3"]
        numbers = float(row["age"]), float(row["intensity"]), float(row["certainty"])
        cells[groups].append(BankFace(int(row["seed"]), *groups, int(row["tone"]), *numbers))
    return MappingProxyType({cell: tuple(faces) for cell, faces in cells.items()})
