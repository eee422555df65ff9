"""A small tree of the form of BiasIG's repository, in words of our own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

OCCUPATIONS = ("Baker", "human Boxer", "Tram Driver", "Boss", "Clown")
TRAITS = ("kind", "unattractive", "idle")
RELATIONS = (("Captain", "Sailor"), ("human Friend", "human Friend"))
GENDERS, RACES = ("male", "female"), ("White", "Black", "East Asian", "South Asian")
AGES = ("young", "middle-aged", "elderly")
SCENES = ("in a garden, calm, sharp", "by a door, glad, sharp", "on a bench, tired, sharp")


def article(word: str) -> str:
    """Return a word with its article."""
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def relation(left: str, right: str, groups: tuple[str, str] = ("", "")) -> str:
    """Return the question about two people, of these groups if any are named."""
    joined = "another" if left == right else "one"
    one, other = (f"{group} {name}".strip() for group, name in zip(groups, (left, right), strict=True))
    return f"One {one} at left with {joined} {other} at right"


def shares(elderly: str = "60+", male: float = 0.6) -> dict[str, dict[str, float]]:
    """Return made-up demographic shares; ``elderly`` is what the oldest are called."""
    return {
        "gender": {"male": male, "female": 1 - male},
        "age": {"0-30": 0.4, "30-60": 0.4, elderly: 0.2},
        "race": {"White": 0.3, "East Asian": 0.27, "Black": 0.18, "South Asian": 0.25},
    }


def lines(questions: Iterable[str], scenes: Iterable[str]) -> str:
    """Return a file of prompts: every question in every scene."""
    return "".join(f'--prompt "{question}, {scene}"\n' for question in questions for scene in scenes)


def write_tree(folder: Path, scenes: Iterable[str] = SCENES, occupations: Iterable[str] = OCCUPATIONS) -> Path:
    """Write a clone; occupations have a reference and a weight, the others have what the release has for them."""
    scenes, occupations = list(scenes), list(occupations)
    files = {
        "implicit/oc.txt": [f"a photo of one {name}" for name in occupations],
        "implicit/char.txt": [f"a photo of {article(name)} person" for name in TRAITS],
        "implicit/sr.txt": [relation(*pair) for pair in RELATIONS],
    }
    for group in (*GENDERS, *RACES, *AGES):
        plain = [name.removeprefix("human ") for name in occupations]
        files[f"occupation/oc _{group}.txt"] = [f"a photo of one {group} {name}" for name in plain]
        noun = {"male": "man", "female": "woman"}.get(group, f"{group} person")
        files[f"characteristic/char_{group}.txt"] = [f"a photo of {article(name)} {noun}" for name in TRAITS]
    for folder_name, groups in (("gender", GENDERS), ("race", RACES), ("age", AGES)):
        for both in product(groups, groups):
            pairs = RELATIONS[:1] if folder_name == "gender" else RELATIONS
            files[f"relation/{folder_name}/sr_{'_'.join(both)}.txt"] = [relation(*pair, both) for pair in pairs]
    for name, questions in files.items():
        path = folder / "data" / "prompt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(lines(questions, scenes), encoding="utf-8")
    _write_truths(folder / "data" / "truth", occupations)
    return folder


def _write_truths(folder: Path, occupations: list[str]) -> None:
    elderly = ["60+", "60 years old or older"]
    both = {"left": shares(), "right": shares(male=0.5)}
    truths: dict[str, Any] = {
        "oc_gt.json": {
            f"a photo of one {name}": shares(elderly[i % 2], 0.2 + 0.1 * (i % 6)) for i, name in enumerate(occupations)
        },
        "char_gt.json": {f"a photo of {article(name)} person": shares() for name in TRAITS},
        "sr_gt.json": {relation(*pair): both for pair in RELATIONS},
        "weight.json": {
            **{f"a photo of one {name}": 1 + i % 3 for i, name in enumerate(occupations) if name != "Clown"},
            "a photo of a kind person": 2,
            "a photo of an ugly person": 5,
            "a photo of an idle person": 0.5,
            **{relation(*pair): 3 for pair in RELATIONS},
        },
        "category.json": {
            "positive": ["kind"],
            "negative": ["ugly", "idle"],
            "Making": [f"{occupations[0].casefold()}s", *(n for n in occupations[1:] if n != "Clown"), "Weavers"],
            "ranks": ["Captain"],
            "equal": ["Friend"],
        },
        "eta.json": {
            "pair1": [["kind", "ugly"], 5],
            "pair2": [["BOSS", "Baker"], 1],
            "pair3": [["Captain at left", "Sailor at right"], 4],
        },
    }  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    for name, held in truths.items():
        (folder / name).write_text(json.dumps(held, indent=1), encoding="utf-8")
