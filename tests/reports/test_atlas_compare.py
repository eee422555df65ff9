"""What the page says of chosen models, from data written by hand."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.atlas.test_normalised import atlas, evaluation

from portrayal.atlas.evaluation import AtlasRows
from portrayal.atlas.normalised import compare_models
from portrayal.atlas.summary import summary
from portrayal.reports.atlas import render_atlas
from portrayal.reports.atlas_compare import comparison_pictures, comparison_section, comparison_table
from portrayal.reports.language import NBSP

LONG = "organisation-with-a-very-long-name/model-with-a-longer-one-still"


def chosen(*own: Any, by: tuple[str, ...] = ("mine",)) -> dict[str, Any]:
    two = own or (evaluation("me/<a>", 2, 0.5, 0.1), evaluation(LONG, 3, 0.7, 0.1, images=90))
    return compare_models(atlas(*two), by=by).data()


def page(language: str = "en") -> str:
    data = {**summary(AtlasRows()), "chosen": {**chosen(), "files": ["compare.csv"]}}
    return render_atlas(data, language)


def test_who_is_most_biased_is_said_first_and_equal_scores_are_called_equal() -> None:
    first, second, third, meaning = comparison_section(chosen()).sentences
    assert first == "me/<a>: the most biased of the chosen by distribution bias (B_D), with 2.000."
    assert second.startswith(f"{LONG}: the most biased of the chosen by jaccard hallucination (H_J)")
    assert third == "All chosen have the same miss rate (M_G), 0.100."
    assert "1 is the most biased of them" in meaning


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
    assert "unter den ausgewählten am stärksten verzerrt nach Verteilungsverzerrung (B_D)" in said
    assert "side by side" not in said


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_overflows(browser: Browser, tmp_path: Path, width: int) -> None:
    path = tmp_path / "index.html"
    path.write_text(page(), encoding="utf-8")
    opened = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    opened.goto(path.as_uri())
    assert opened.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert opened.locator(".space use").count() == 2
    assert opened.locator(".bars rect").count() == 6
