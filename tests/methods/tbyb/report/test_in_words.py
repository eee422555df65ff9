"""What pictures add and leave out, before any score."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from tests.methods.tbyb.report.own_rows import LEFT
from tests.methods.tbyb.report.test_section import data, row, scores, word

from portrayal.language.translation import NBSP
from portrayal.methods.tbyb.report.in_words import how_many, in_words
from portrayal.records import Measurement
from portrayal.reports import ReportData, render_report


def lines(given: ReportData, generator: str = "g") -> list[str]:
    own = [one for one in given.measurements if one.method == "tbyb"]
    return [line.replace(NBSP, " ") for line in in_words(given, own, generator, "blip")]


def things(count: int, **more: Any) -> ReportData:
    return replace(data(**more), prompts=[(f"t{n}", "objects", f"a picture of a t{n}") for n in range(count)])


def test_what_is_added_left_out_and_missed_in_that_order() -> None:
    added, left, missed = lines(things(100))
    assert added == (
        "Asked for one thing at a time (100 things, 300 pictures), captions most often add “tree” (20 %) and “person” "
        "(10 %)."
    )
    assert left == "They leave out 10 % of what was asked for, most often “cat” (2 of 3)."
    assert missed == "10 % of the pictures do not show their prompt, as clip sees them."


def test_of_few_pictures_numbers_are_told() -> None:
    few = [replace(own, n=30) for own in scores()]
    tables = {**data().own_rows, "tbyb.uninvited": [{**word(1, "tree", 6), "share": 0.2}]}
    added, _, missed = lines(replace(things(1), measurements=few, own_rows=tables))
    assert added == "Asked for “t0” alone in 30 pictures, captions most often add “tree” (6 of 30)."
    assert missed == "3 of 30 of the pictures do not show their prompt, as clip sees them."
    assert how_many(34, 99).replace(NBSP, " ") == "34 of 99"
    assert how_many(34, 100).replace(NBSP, " ") == "34 %"


def test_other_prompts_are_counted_as_prompts() -> None:
    mixed = replace(data(), prompts=[("cat", "actions", "a person with a cat"), ("cat", "objects", "a cat")])
    assert lines(mixed)[0].startswith("In 300 pictures of 100 prompts, captions most often add")


def test_nothing_added_and_nothing_left_out_is_said() -> None:
    tables: dict[str, list[dict[str, Any]]] = {"tbyb.uninvited": [], "tbyb.left_out": []}
    added, left, _ = lines(replace(things(100), own_rows=tables))
    assert added.endswith("captions add nothing.")
    assert left == "They leave out nothing that was asked for."


@pytest.mark.parametrize("rows", [[], [row("jaccard_hallucination", None)]])
def test_without_a_caption_nothing_is_said(rows: list[Measurement]) -> None:
    assert lines(replace(data(), measurements=rows)) == []


def test_the_page_has_the_words_before_the_scores_of_the_section() -> None:
    given = things(100, rows=[*scores(), *scores("h", None)], generators=("g", "h"))
    tables = {**given.own_rows, "tbyb.left_out": [LEFT, {**LEFT, "generator": "h"}]}
    text = html.unescape(re.sub(r"<[^>]+>", " ", render_report(replace(given, own_rows=tables)))).replace(NBSP, " ")
    text = re.sub(r"\s+", " ", text)
    assert "g : Asked for one thing at a time (100 things, 300 pictures), captions most often add “tree”" in text
    assert "h : Asked for one thing at a time (100 things, 300 pictures), captions add nothing." in text
    assert text.index("Asked for one thing") < text.index("Try Before You Bias asks for pictures of things")


def test_in_german() -> None:
    page = render_report(replace(things(100), language="de"))
    said = html.unescape(re.sub(r"<[^>]+>", " ", page)).replace(NBSP, " ")
    assert "Wo jeweils nur ein Gegenstand verlangt war (100 Gegenstände, 300 Bilder), fügen" in said
    assert "most often" not in said
