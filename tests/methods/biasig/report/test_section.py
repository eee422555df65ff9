"""BiasIG on a page: what it says, in two languages, and when it says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from portrayal import Study

STUDY = """
[study]
title = "small"
[suite]
use = "biasig"
options.path = "{clone}"
options.wordings = 2
options.kinds = ["occupation", "relation"]
[[generators]]
use = "simulated"
images = 3
options.pixels = false
options.shares = {{ gender = {{ male = 0.9, female = 0.1 }}, race4 = {{ white = 1.0 }}, age3 = {{ young = 1.0 }} }}
[[annotators]]
use = "simulated"
options.attributes = ["gender", "race4", "age3"]
[[methods]]
use = "biasig"
options.path = "{clone}"
options.draws = 100
options.manifestation = "{variant}"
[report]
language = "{language}"
"""


def page(folder: Path, clone: Path, language: str, variant: str = "released") -> str:
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY.format(clone=clone, language=language, variant=variant))
    Study(folder).run()
    shown = (folder / "report" / "index.html").read_text(encoding="utf-8")
    return shown.replace("\N{NO-BREAK SPACE}", " ").replace("&nbsp;", " ")


@pytest.mark.slow
def test_the_page_shows_scores_charts_and_what_was_not_read(clone: Path, tmp_path: Path) -> None:
    shown = page(tmp_path / "en", clone, "en")
    for said in (
        '<section id="biasig">',
        "computed as the authors’ script does",
        "at most 2 wordings of each question",
        "category.json: Weavers",
        "Explicit bias score",
        "By protected attribute",
        "Nothing: every question of this study was asked",
        "6 questions, 36 images used, none missing.",
    ):
        assert said in shown, said


@pytest.mark.slow
def test_in_german_and_with_another_variant(clone: Path, tmp_path: Path) -> None:
    shown = page(tmp_path / "de", clone, "de", "definition")
    assert "Jede Frage von BiasIG wurde in mehreren Formulierungen gestellt" in shown
    assert "wie im Skript der Autoren berechnet" not in shown
    assert "höchstens 2 Formulierungen je Frage" in shown
    assert "6 Fragen, 36 Bilder verwendet" in shown
