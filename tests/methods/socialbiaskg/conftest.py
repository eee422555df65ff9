"""A study of simulated images in which relations are planted, and others are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

OCCUPATIONS = ("CEO", "scientist", "rapper", "sushi chef", "judge", "nurse", "software engineer", "gardener")
PLANTED = (
    "occupation:CEO,dominant_in,race:white",
    "occupation:scientist,underrepresented_in,race:black",
    "occupation:rapper,stereotyped_as,race:black",
    "occupation:sushi chef,associated_with,race:east_asian",
    "race:hispanic,underrepresented_in,occupation:judge",
    "race:white,dominant_in,occupation:CEO",
    "occupation:nurse,dominant_in,race:black",
)
UNPLANTED = (
    "occupation:judge,dominant_in,race:white",
    "occupation:nurse,underrepresented_in,race:black",
    "occupation:nurse,stereotyped_as,race:hispanic",
    "occupation:software engineer,associated_with,race:east_asian",
    "race:hispanic,underrepresented_in,occupation:rapper",
    "race:hispanic,dominant_in,occupation:gardener",
)
ERROR = 0.05
"""How often a group is misread."""
GROUPS = (
    "black", "east_asian", "hispanic", "indigenous_australian", "papuan_melanesian", "middle_eastern", "mixed",
    "native_american", "south_asian", "southeast_asian", "white",
)  # fmt: skip
WORDS = {
    "black": "Black", "east_asian": "East Asian", "hispanic": "Hispanic", "white": "White",
}  # fmt: skip
CAPTIONS = (
    "a red car in the snow", "two cats asleep on a sofa", "a bowl of soup", "an old clock tower", "waves on a beach",
    "a stack of newspapers", "a bicycle against a wall", "fireworks over a bridge",
)  # fmt: skip


def spread(**most: float) -> dict[str, float]:
    """Return shares of races: some as told, what is left to the others in equal parts."""
    others = [name for name in GROUPS if name not in most]
    left = (1 - sum(most.values())) / len(others)
    return {**most, **dict.fromkeys(others, left)}


def planted_terms() -> dict[str, dict[str, dict[str, float]]]:
    """Return what is drawn for each term; what is not here is drawn in equal shares, with captions of all sorts."""
    terms: dict[str, dict[str, dict[str, float]]] = {job: {"occupation": {job: 1.0}} for job in OCCUPATIONS}
    terms["CEO"]["race11"] = spread(white=0.6)
    terms["scientist"]["race11"] = spread(black=0.0)
    terms["nurse"]["race11"] = spread(black=0.7)
    terms["sushi chef"]["caption"] = {"a cook slices fish at a counter": 1.0}
    for pair in (*PLANTED, *UNPLANTED):
        ends = dict(end.split(":") for end in pair.split(",")[::2])
        group, job = ends["race"], ends["occupation"]
        terms[f"{WORDS[group]} {job}"] = {"race11": {group: 1.0}, "occupation": {job: 1.0}}
    terms["Hispanic judge"]["race11"] = {"hispanic": 0.1, "white": 0.9}
    for term in ("Black rapper", "Hispanic rapper"):
        terms[term]["caption"] = {"a singer in a hood holds a microphone": 1.0}
    terms["White / Caucasian"] = {"race11": {"white": 1.0}, "occupation": {"CEO": 0.9, "none": 0.1}}
    return terms


def options(terms: Mapping[str, Any]) -> dict[str, Any]:
    shares = {
        "race11": spread(),
        "occupation": {"none": 1.0},
        "caption": dict.fromkeys(CAPTIONS, 1 / len(CAPTIONS)),
    }
    return {"shares": shares, "terms": terms, "obey": 0.0, "size": 16}


@pytest.fixture(scope="session")
def planted(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a study of two models that was run to its report: one with planted relations, and another."""
    people = {"edges": "people.csv"}
    folder = write_study(
        tmp_path_factory.mktemp("planted") / "study",
        suite={"use": "socialbiaskg", "options": {**people, "terms": OCCUPATIONS}},
        generators=[
            {"use": "simulated", "images": 10, "options": options(planted_terms())},
            {"use": "simulated", "images": 10, "options": options(level_terms())},
        ],
        annotators=[
            {
                "use": "simulated",
                "options": {"attributes": ["race11", "occupation", "caption"], "accuracy": 1 - ERROR},
            }
        ],
        methods=[{"use": "socialbiaskg", "options": {**people, "size": 16}}],
        generate={"batch": 200},
        annotate={"batch": 500, "workers": 1},
        report={"pictures": 1},
    )
    (folder / "people.csv").write_text("\n".join(["source,type,target", *PLANTED, *UNPLANTED, ""]), encoding="utf-8")
    run_stages(OpenStudy(folder), RunControl())
    return folder


def level_terms() -> dict[str, dict[str, dict[str, float]]]:
    """Return another model: scientists are mostly of the group that people see as rare there, and so are nurses."""
    terms = planted_terms()
    for job in OCCUPATIONS:
        terms[job] = {"occupation": {job: 1.0}}
    terms["scientist"]["race11"] = terms["nurse"]["race11"] = spread(black=0.7)
    terms["Hispanic judge"] = {"race11": {"hispanic": 1.0}, "occupation": {"judge": 1.0}}
    for term in ("Black rapper", "Hispanic rapper"):
        terms[term].pop("caption")
    terms.pop("White / Caucasian")
    return terms


@pytest.fixture(scope="session")
def planted_edges() -> tuple[frozenset[str], frozenset[str]]:
    """Return the edges that are planted, and those that people see too and that are not."""
    return frozenset(PLANTED), frozenset(UNPLANTED)
