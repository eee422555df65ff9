from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.methods.faintbench.suite.prompt_texts import SUFFIXES, WORDS
from portrayal.reports.text.notes import plain_adjustment
from portrayal.settings import parse_settings

TWELVE = (
    "Nurse", "CEO", "Judge", "Actor", "Chef", "Cook", "Baker", "rich", "poor", "Pilot", "Farmer", "Peasant",
)  # fmt: skip
WORDS_CHANGED = {"gender": {"male": "masculine", "female": "feminine"}}


def adjusted(folder: Path = Path(), **options: Any) -> list[str]:
    found = faintbench(parse_settings(FaintbenchSuiteOptions, options, "study.toml"), folder)
    return list(map(plain_adjustment, found.adjusted))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"kinds": ["relation", "occupation", "characteristic"], "visibility": ["explicit", "implicit"]},
        {"weights": {"Nurse": 5}},
        {"suffix": SUFFIXES, "words": WORDS},
        {"attributes": ["gender", "race5", "age3"], "sample": 2654},
    ],
)
def test_what_changes_nothing_is_not_mentioned(options: dict[str, Any]) -> None:
    assert adjusted(**options) == []


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({"visibility": ["implicit"]}, ["214 of 2,654 prompts: visibility implicit"]),
        (
            {"kinds": ["occupation"], "categories": ["food"], "attributes": ["gender"]},
            ["15 of 2,654 prompts: kinds occupation; categories food; attributes perceived gender"],
        ),
        ({"drop": ["Nurse", "CEO"]}, ["2,632 of 2,654 prompts: without the terms Nurse, CEO"]),
        (
            {"terms": ["Nurse"], "sample": 3, "sample_seed": 7},
            ["3 of 2,654 prompts: only the terms Nurse; a stratified sample of 3 (seed 7)"],
        ),
        (
            {"weights": {"nurse": 2.5, "rich": 1}},
            ["weights changed: Nurse 2.5 (published 5); rich 1 (published 5)"],
        ),
        ({"reference": "uniform"}, ["references: uniform instead of the published"]),
        ({"suffix": {"relation": ""}}, ["photorealism suffix changed"]),
        (
            {"words": WORDS_CHANGED},
            [
                "2,212 of 2,654 prompts and 442 others: other words for perceived gender",
                "other words for the groups of perceived gender: male “masculine”; female “feminine”",
            ],
        ),
        ({"words": WORDS_CHANGED, "visibility": ["implicit"], "attributes": ["age3"]},
         ["214 of 2,654 prompts: visibility implicit; attributes perceived age group"]),
    ],
)  # fmt: skip
def test_every_change_is_told(options: dict[str, Any], lines: list[str]) -> None:
    assert adjusted(**options) == lines


def test_a_table_of_ones_own_tells_what_it_changes(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text(
        "kind,category,term,weight,male,female\n"
        "occupation,healthcare,Nurse,1,0.3,0.7\n"
        "occupation,healthcare,Surgeon,5,0.79,0.21\n"
        "occupation,healthcare,Midwife,1,0.1,0.9\n"
    )
    assert adjusted(tmp_path, table="terms.csv", attributes=["gender"]) == [
        "6 of 2,654 prompts and 3 others: attributes perceived gender; terms of terms.csv",
        "weights changed: Nurse 1 (published 5)",
        "references changed: Nurse",
    ]


def test_long_lists_are_cut() -> None:
    (line,) = adjusted(weights=dict.fromkeys(TWELVE, 9))
    assert line.endswith("and 2 more")
