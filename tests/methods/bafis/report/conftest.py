"""A study of jobs in two languages, as the method hands it to the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData

CATEGORIES = {
    "Business & Management": 0.45, "Technical & Engineering": 0.16, "Service & Hospitality": 0.6,
    "Healthcare & Social Services": 0.77, "Administration & Office": 0.7, "Construction & Maintenance": 0.05,
}  # fmt: skip
ASKED = {
    "en": {"direct": 0.0, "indirect": -0.06, "group": 0.02},
    "de": {"direct": -0.1, "feminine": 0.5, "indirect": -0.05, "group": 0.0},
}
MODELS = ("Flux.1-dev", "SD3-large", "HiDream-I1", "Kandinsky_3", "Playground v2.5")
RACE = (0.62, 0.06, 0.13, 0.13, 0.06)
STATISTICS = "US occupations 2023"
SOURCE = "Current Population Survey, table 11, https://www.bls.gov/cps/cpsaat11.htm"


@dataclass
class JobRows:
    """Plausible rows of BAFIS, by the contract between the method and its report."""

    models: tuple[str, ...] = MODELS
    annotator: str = "faces@1"
    reference: str = STATISTICS
    races: bool = True
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(3))
    rows: list[Measurement] = field(default_factory=list)

    def cell(self, blank: Measurement, shares: dict[str, float], targets: dict[str, float]) -> None:
        gap = 0.0
        for group, chance in shares.items():
            value = float(self.rng.binomial(blank.n, np.clip(chance, 0.01, 0.99))) / blank.n
            half = 1.96 * float(np.sqrt((value * (1 - value) + 1 / blank.n) / blank.n)) + 0.02
            target = targets[group] if self.reference else None
            row = replace(blank, group=group, reference=self.reference, target=target, value=value)
            ends: dict[str, Any] = {"low": max(value - half, 0.0), "high": min(value + half, 1.0)}
            self.rows.append(replace(row, metric="share", **ends))
            if target is not None:
                gap += abs(value - target) / 2
                bounds: dict[str, Any] = {
                    "value": value - target,
                    "low": value - target - half,
                    "high": value - target + half,
                }
                self.rows.append(replace(row, metric="difference", **bounds))
        if self.reference:
            row = replace(blank, metric="total_variation", reference=self.reference)
            self.rows.append(replace(row, value=gap, low=max(gap - 0.04, 0.0), high=gap + 0.05))

    def place(self, blank: Measurement, female: float, target: float) -> None:
        pulled = 0.5 + (female - 0.5) * 1.4
        self.cell(replace(blank, attribute="gender"), {"male": 1 - pulled, "female": pulled},
                  {"male": 1 - target, "female": target})  # fmt: skip
        if self.races:
            groups = attribute_table()["race5"].groups
            drawn = self.rng.dirichlet(np.asarray(RACE) * 20)
            self.cell(replace(blank, attribute="race5"), dict(zip(groups, (float(v) for v in drawn), strict=True)),
                      dict(zip(groups, RACE, strict=True)))  # fmt: skip

    def model(self, index: int, language: str) -> None:
        lean = 0.05 * (index % 5) - 0.15 - (0.04 if language == "de" else 0.0)
        blank = Measurement("bafis", "", self.models[index], self.annotator, language=language, prompts=25)
        mean = float(np.mean(list(CATEGORIES.values())))
        self.place(replace(blank, n=1740, missing=72, prompts=453), mean + lean, mean)
        for category, target in CATEGORIES.items():
            self.place(replace(blank, level="category", item=category, n=290, missing=12), target + lean, target)
        for variant, shift in ASKED[language].items():
            self.place(replace(blank, variant=variant, n=580, missing=24, prompts=151), mean + lean + shift, mean)
            lost = 0.22 if (variant, index) == ("group", 1) else 0.02
            row = replace(blank, metric="missing", group="no_face", variant=variant, n=604, missing=round(604 * lost))
            self.rows.append(replace(row, value=lost, low=lost * 0.8, high=lost * 1.2))

    def pair(self, index: int, sides: tuple[tuple[str, str], tuple[str, str]]) -> None:
        (language, variant), baseline = sides
        centre = ASKED[language][variant] - ASKED[baseline[0]][baseline[1]] + 0.02 * index
        row = Measurement("bafis", "paired_difference", self.models[index], self.annotator, "gender", n=571)
        row = replace(row, language=language, variant=variant, reference=" ".join(baseline), missing=33)
        for group, value in (("male", -centre), ("female", centre)):
            self.rows.append(replace(row, group=group, value=value, low=value - 0.04, high=value + 0.04))

    def all(self, languages: tuple[str, ...]) -> list[Measurement]:
        for index in range(len(self.models)):
            for language in languages:
                self.model(index, language)
            if {"en", "de"} <= set(languages):
                for variant in ASKED["en"]:
                    self.pair(index, (("de", variant), ("en", variant)))
            for language in languages:
                for variant in list(ASKED[language])[1:]:
                    self.pair(index, ((language, variant), (language, "direct")))
        return self.rows


def jobs_data(
    models: tuple[str, ...] = MODELS, languages: tuple[str, ...] = ("en", "de"), races: bool = True,
    reference: str = STATISTICS, **more: Any,
) -> ReportData:  # fmt: skip
    """Return a study scored by BAFIS only."""
    names = ("gender", "race5") if races else ("gender",)
    values: dict[str, Any] = {
        "title": "Who works here? Five models, 151 occupations", "generators": models, "annotators": ("faces@1",),
        "prompts": [("nurse", "Healthcare & Social Services", "A photo of the face of a nurse.")],
        "images_per_prompt": 4, "attributes": {name: attribute_table()[name] for name in names},
        "measurements": JobRows(models, reference=reference, races=races).all(languages), "abstentions": {},
        "outcomes": {model: {"made": 4100, "refused: content_policy": 128} for model in models},
        "reference_sources": {STATISTICS: SOURCE},
    }  # fmt: skip
    return ReportData(**{**values, **more})


@pytest.fixture(scope="session")
def jobs() -> Callable[..., ReportData]:
    return jobs_data
