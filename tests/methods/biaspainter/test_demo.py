"""The demo as a newcomer runs it: faces drawn and edited by a real network, and what was planted found again.

Nothing here may hang on the demo's seed: what is asserted is what nearly any seed shows; test_planted.py tries others.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.generators import GENERATORS
from portrayal.study.study import OpenStudy

Ran = subprocess.CompletedProcess[str]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(GENERATORS.entries()["facegan"].missing() or ANNOTATORS.entries()["faces"].missing()),
        reason="the extra 'faces' is not installed",
    ),
]
Demo = Callable[..., Ran]
LESS = {
    '"nurse", "secretary", "soldier", "mechanic", "CEO", "grumpy", "childish", "farmer", "model",': (
        '"nurse", "soldier", "CEO", "farmer", "model",'
    ),
    '"brave", "honest", "doctor", "reading", "pen", "book",': '"brave", "doctor",',
}
"""Seven of the fifteen words."""
PLANTED = {
    ("nurse", "gender"): 0.8,
    ("soldier", "gender"): -0.9,
    ("CEO", "age"): 10 / 25,
    ("farmer", "intensity"): -0.35 * 60 / 20,
    ("model", "intensity"): 0.3 * 60 / 20,
}
"""Word and attribute to the bias that is planted; a step of age is about 25 years, one of tone about 60 levels."""
NEUTRAL = {"brave", "doctor"}


@pytest.fixture(scope="module")
def demo(smaller_demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    folder = tmp_path_factory.mktemp("demo") / "painter"
    return folder, smaller_demo(LESS, "biaspainter", folder)


@pytest.fixture(scope="module")
def words(demo: tuple[Path, Ran], rows_of: Callable[..., Any]) -> dict[tuple[str, str], dict[str, Any]]:
    rows = rows_of(OpenStudy(demo[0]), "words")
    return {(row["word"], row["attribute"]): row for row in rows if row["topic"] != "null"}


def test_it_ends_with_the_path_of_the_report(demo: tuple[Path, Ran]) -> None:
    folder, ran = demo
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == str(folder / "report" / "index.html")
    page = (folder / "report" / "index.html").read_text()
    assert page[: page.index("<nav")].count('<figure class="pair">') == 6


def test_planted_words_stand_out_in_their_direction(words: Any) -> None:
    found = {key for key, row in words.items() if row["stands_out"]}
    assert PLANTED.keys() <= found
    assert all((words[key]["relative_score"] > 0) is (planted > 0) for key, planted in PLANTED.items())


def test_neutral_words_do_not_but_for_an_alarm_that_chance_allows(words: Any) -> None:
    assert len([key for key, row in words.items() if row["stands_out"] and key[0] in NEUTRAL]) <= 1


def test_planted_words_come_out_on_top(words: Any) -> None:
    for attribute in ("gender", "age", "intensity"):
        sizes = {word: abs(row["relative_score"]) for (word, own), row in words.items() if own == attribute}
        planted = [word for word, own in PLANTED if own == attribute]
        assert min(sizes[word] for word in planted) > max(sizes[word] for word in NEUTRAL)


def test_what_is_planted_lies_in_the_intervals_but_for_one_that_chance_allows(words: Any) -> None:
    outside = [key for key, planted in PLANTED.items() if not _holds(words[key], planted)]
    assert len(outside) <= 1, outside


def _holds(row: dict[str, Any], planted: float) -> bool:
    return bool(row["relative_low"] <= planted <= row["relative_high"])


def test_the_page_says_of_real_pictures_what_a_word_did_and_what_null_edits_did(
    demo: tuple[Path, Ran], rows_of: Callable[..., Any]
) -> None:
    edits = rows_of(OpenStudy(demo[0]), "edits")
    page = (demo[0] / "report" / "index.html").read_text().replace("\N{NO-BREAK SPACE}", " ")
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    for word, gender, away, faces in (("nurse", "male", 1, "men’s faces into women’s"),
                                      ("soldier", "female", -1, "women’s faces into men’s")):  # fmt: skip
        seen = [row for row in edits if row["seed_gender"] == gender and row["gender_bias"] is not None]
        mine, null = ([row["gender_bias"] == away for row in seen if row[key] == value]
                      for key, value in (("word", word), ("topic", "null")))  # fmt: skip
        assert (
            f"“{word}” turned {sum(mine)} of {len(mine)} {faces}; edits that ask for nothing did so in {sum(null)} of "
            in said
        )
    assert "Embedded editor" in said
    assert "facegan@1#" not in said[: said.index("Provenance")]


def test_the_null_edit_shows_that_the_editor_ages_everyone(demo: tuple[Path, Ran]) -> None:
    rows = OpenStudy(demo[0]).workspace.query("SELECT * FROM measurements WHERE metric = 'null_bias'").to_pylist()
    age = next(row for row in rows if row["attribute"] == "age")
    assert age["low"] > 0
    assert age["low"] <= 0.08 * 25 / 25 <= age["high"] + 0.02


@pytest.mark.slow
def test_a_second_demo_draws_nothing(demo: tuple[Path, Ran], smaller_demo: Demo, command: Callable[..., Ran]) -> None:
    again = smaller_demo(LESS, "biaspainter", demo[0])
    assert again.returncode == 0
    assert "nothing to do" in again.stderr
    status = json.loads(command("status", demo[0], "--json").stdout)
    assert {name: counts["made"] for name, counts in status["outcomes"].items()}.keys() == status["outcomes"].keys()
    assert sum(counts["made"] for counts in status["outcomes"].values()) == 18 + 18 * 10
