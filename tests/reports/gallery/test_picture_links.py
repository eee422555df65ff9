"""From the row of a chart to its pictures and back."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from portrayal.language.translation import NBSP
from portrayal.records import attribute_table
from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report
from portrayal.reports.gallery.gallery_section import OPEN_PICTURES
from portrayal.reports.gallery.picture_links import Back, Links, group_class, pictures_anchor, row_anchor, shown_groups

GENDER = attribute_table()["gender"]
PNG = b"\x89PNG\r\n\x1a\n"


def picture(term: str, group: str, thumbnail: bytes = PNG) -> Picture:
    return Picture(term, "p", "g", 1, "ab", thumbnail, 4, 4, [FaceView(None, [Perceived("gender", group, 0.9)])])


def test_a_row_leads_to_the_pictures_of_its_group_or_else_of_its_term() -> None:
    shown = shown_groups([picture("nurse", "male"), picture("CEO", "female"), picture("cook", "female", b"")])
    links = Links("m", "a", "gender", "female", shown)
    assert links.pictures("CEO") == pictures_anchor("CEO", "gender", "female")
    assert links.pictures("nurse") == links.pictures("nurse").partition("-")[0] == pictures_anchor("nurse")
    assert links.pictures("cook") == pictures_anchor("cook")
    assert links.pictures("judge") == ""


def test_a_picture_leads_to_the_row_that_counts_it_and_of_two_groups_to_the_one_drawn() -> None:
    drawn = row_anchor("m", "a", "gender", "female", "CEO")
    back = Back(["other", "m"], {drawn})
    assert back.row("a", GENDER, "female", "CEO") == back.row("a", GENDER, "male", "CEO") == drawn
    assert back.row("b", GENDER, "female", "CEO") == ""
    assert back.row("a", GENDER, "female", "nurse") == ""


def test_every_link_of_a_page_leads_somewhere_and_both_ways_are_there(sample: ReportData) -> None:
    pictures = [replace(own, faces=[replace(face, who="faces@1") for face in own.faces]) for own in sample.pictures]
    page = render_report(replace(sample, pictures=pictures))
    ids, links = re.findall(r' id="([\w-]+)"', page), set(re.findall(r'href="#([\w-]+)"', page))
    assert links <= set(ids)
    assert sum(link.startswith("r") and len(link) == 11 for link in links) > 20
    assert sum(link.startswith("p") and "-g" in link for link in links) > 20


@pytest.mark.slow
def test_pictures_of_the_group_stand_out_and_views_hide_the_others_without_scripts(
    browser: Browser, sample: ReportData, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("links") / "index.html"
    path.write_text(render_report(sample), encoding="utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(path.as_uri())
    term = sample.pictures[0].term
    seen = sample.pictures[0].faces[0].findings[1]
    name = group_class(seen.attribute, seen.group)
    term_box = page.locator(f".term:has(> #{pictures_anchor(term)})")
    page.locator(f'#terms a[href="#{pictures_anchor(term, seen.attribute, seen.group)}"]').first.click()
    assert term_box.locator(f".card.{name}").first.evaluate("own => getComputedStyle(own).opacity") == "1"
    faint = term_box.locator(f".card:not(.{name})")
    assert all(float(own.evaluate("own => getComputedStyle(own).opacity")) < 0.5 for own in faint.all())
    page.locator(".view-typical").check()
    typical = page.locator("#gallery .card.v-typical")
    assert all(own.is_visible() for own in typical.all())
    assert not any(own.is_visible() for own in page.locator("#gallery .card:not(.v-typical)").all())


@pytest.mark.slow
@pytest.mark.parametrize("scripts", [True, False])
def test_a_link_to_pictures_that_are_folded_shows_them(
    browser: Browser, sample: ReportData, tmp_path_factory: pytest.TempPathFactory, scripts: bool
) -> None:
    (first, *_), pictures = sample.pictures, sample.pictures
    filler = [replace(first, term="first", seed=seed) for seed in range(OPEN_PICTURES)]
    path = tmp_path_factory.mktemp("links") / "index.html"
    path.write_text(render_report(replace(sample, pictures=[*filler, *pictures])), encoding="utf-8")
    page = browser.new_context(java_script_enabled=scripts).new_page()
    page.goto(path.as_uri())
    card = page.locator(f".term:has(> #{pictures_anchor(first.term)}) .card").first
    assert not card.is_visible()
    page.locator(f'#terms a[href^="#{pictures_anchor(first.term)}"]').first.click()
    assert card.is_visible()


def test_a_term_of_which_not_all_pictures_are_shown_says_so(sample: ReportData) -> None:
    term = sample.pictures[0].term
    shown = sum(own.term == term for own in sample.pictures)
    for asked, said in ((shown + 7, f"{shown} of {shown + 7} images"), (shown, f"{shown} images")):
        page = render_report(replace(sample, asked={"g": {term: asked}})).replace(NBSP, " ")
        assert f"<span>{said}" in page
