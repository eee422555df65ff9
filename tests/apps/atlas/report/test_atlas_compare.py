"""What the page says of chosen models, from data written by hand."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.apps.atlas.evaluations.test_normalised import atlas, evaluation

from portrayal.apps.atlas.evaluations.atlas_summary import summary
from portrayal.apps.atlas.evaluations.normalised import ModelComparison, compare_models
from portrayal.apps.atlas.report.atlas_compare import comparison_pictures, comparison_section, comparison_table
from portrayal.apps.atlas.report.atlas_page import render_atlas
from portrayal.language.translation import NBSP
from portrayal.records.evaluated_models.evaluation import AtlasRows

LONG = "organisation-with-a-very-long-name/model-with-a-longer-one-still"


def chosen(*own: Any, by: tuple[str, ...] = ("mine",)) -> ModelComparison:
    two = own or (evaluation("me/<a>", 2, 0.5, 0.1), evaluation(LONG, 3, 0.7, 0.1, images=90))
    return compare_models(atlas(*two), by=by)


def page(language: str = "en") -> str:
    return render_atlas(summary(AtlasRows()), language, chosen=(chosen(), ["compare.csv"]))


def test_who_is_most_biased_is_said_first_and_equal_scores_are_called_equal() -> None:
    one, two = evaluation("me/<a>", 2, 0.5, 0.1), evaluation(LONG, 3, 0.7, 0.1)
    first, second, third, meaning = comparison_section(chosen(one, two)).sentences
    assert first == "me/<a> has the lowest distribution bias (B_D) of the chosen, 2.000."
    assert second == f"{LONG} has the highest jaccard hallucination (H_J) of the chosen, 0.700."
    assert third == "All chosen have the same miss rate (M_G), 0.100."
    assert "1 is the most biased of them" in meaning
    tied = comparison_section(chosen(one, two, evaluation("c", 2, 0.7, 0.0))).sentences
    assert tied[0] == "c and me/<a> have the lowest distribution bias (B_D) of the chosen, 2.000."
    assert tied[1] == f"c and {LONG} have the highest jaccard hallucination (H_J) of the chosen, 0.700."


def test_a_score_that_grows_with_images_puts_models_with_other_numbers_in_no_order() -> None:
    section = comparison_section(chosen())
    assert not [said for said in section.sentences if "B_D" in said]
    assert section.cautions[0].startswith("B_D grows with the number of images, which goes from 90 to 300 here")
    alike = comparison_section(chosen(evaluation("a", 2, 0.5, 0.1), evaluation("b", 3, 0.7, 0.1)))
    assert [said for said in alike.sentences if "B_D" in said]
    assert not [said for said in alike.cautions if "B_D" in said]


def test_digests_of_protocols_are_named_last() -> None:
    protocols = [f"mine: 2 prompts #0000000{digit}" for digit in "ab"]
    rows = [
        replace(evaluation("a", 2, value, 0.1), protocol=own) for own, value in zip(protocols, (0.5, 0.6), strict=True)
    ]
    data = chosen(*rows)
    section = comparison_section(data)
    assert not [said for said in (*section.sentences, *section.cautions) if "#" in said]
    assert [row[1] for row in section.rows] == ["a (mine: 2 prompts (1))", "a (mine: 2 prompts (2))"]
    assert comparison_table(data)[0][-3:] == ["protocol", "run", "source"]


def test_other_protocols_other_numbers_of_images_and_missing_intervals_are_cautioned_about() -> None:
    cautions = comparison_section(chosen(by=("mine", "burger"))).cautions
    assert "may come from that: tbyb as released 2023: task burger; mine." in cautions[0]
    assert cautions[1].startswith("B_D grows with the number of images, which goes from 50 to 1,040 here")
    assert cautions[2].startswith("Some of these figures have no interval")
    alike = comparison_section(chosen(evaluation("a", 2, 0.5, 0.1), evaluation("b", 3, 0.7, 0.1))).cautions
    assert [caution[:4] for caution in alike] == ["Some"]


def test_bars_are_as_long_as_the_normalised_scores_the_most_biased_first() -> None:
    panels = comparison_section(chosen(by=("objects, actions",))).bars
    assert [panel.series for panel in panels] == [0, 1, 2]
    lengths = [row.length for row in panels[0].rows]
    assert lengths == sorted(lengths, reverse=True)
    assert (panels[0].rows[0].label, panels[0].rows[0].value) == ("prompthero/openjourney", "1.00 (4.432)")


def test_the_table_for_programs_has_both_numbers() -> None:
    header, rows = comparison_table(chosen())
    assert dict(zip(header, rows[0], strict=True))["distribution_bias_normalised"] == 1.0
    assert dict(zip(header, rows[0], strict=True))["distribution_bias"] == 2.0


def test_what_comes_from_users_is_escaped_and_no_scripts_are_there() -> None:
    text = page()
    assert "me/<a>" not in text
    assert "<script" not in text
    for svg in comparison_pictures(chosen()).values():
        assert "me/<a>" not in svg
        assert "me/&lt;a&gt;" in svg


def test_in_german() -> None:
    said = html.unescape(re.sub(r"<[^>]+>", " ", page("de"))).replace(NBSP, " ")
    assert "Ausgewählte Modelle nebeneinander" in said
    assert "unter den ausgewählten der höchste Wert für Jaccard-Halluzination (H_J)" in said
    assert "side by side" not in said


@pytest.mark.slow
def test_nothing_overflows(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "index.html"
    path.write_text(page(), encoding="utf-8")
    opened = browser.new_context().new_page()
    opened.goto(path.as_uri())
    for width in (390, 1280):
        opened.set_viewport_size({"width": width, "height": 900})
        across = opened.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert across == 0, width
    assert opened.locator(".space use").count() == 2
    assert opened.locator(".bars rect").count() == 6
