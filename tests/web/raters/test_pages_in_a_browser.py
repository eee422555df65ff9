"""Pages of every site with raters in a real browser: the large picture, keys, languages, and the desk."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.samples.rater_sites import PASSWORD
from tests.web.raters.conftest import OVERFLOW

pytestmark = pytest.mark.slow
LARGE = {"arena": {"left": "z", "right": "x"}, "labels": {"picture": "z"}}
"""The pictures of a task, and the key that enlarges each."""
FIRST = {"arena": "ArrowLeft", "labels": "1"}
CHECKED = "input:checked[type=radio]"


def test_the_large_picture_by_key_button_and_picture(site: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(site.token())
    dialog = page.locator("#zoom")
    for picture, key in LARGE[site.kind.name].items():
        for way in ("key", "button", "picture"):
            if way == "key":
                page.keyboard.press(key)
            else:
                page.locator(f"a.zoom[data-zoom={picture}]" if way == "button" else f"#{picture}").click()
            expect(dialog).to_be_visible()
            alt = page.locator(f"#{picture}").get_attribute("alt") or ""
            expect(dialog.get_by_role("img", name=alt)).to_be_visible()
            page.keyboard.press(FIRST[site.kind.name])
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()
    assert page.locator(CHECKED).count() == 0, "keys do not answer behind the large picture"


def test_arrows_on_a_focused_answer_walk_through_the_answers(site: Any, open_page: Callable[..., Page]) -> None:
    """Whoever comes with Tab, as screen readers do, finds radio buttons that work as everywhere."""
    page = open_page(site.token())
    answers = page.locator(".aspect").first.locator("input[type=radio]")
    answers.first.focus()
    page.keyboard.press("Space")
    for key, place in (("ArrowRight", 1), ("ArrowDown", 2)):
        page.keyboard.press(key)
        expect(answers.nth(place)).to_be_checked()
        expect(answers.nth(place)).to_be_focused()
    assert page.locator(CHECKED).count() == 1


def test_keys_can_be_turned_off_and_stay_off(site: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(site.token())
    page.locator("#help summary").click()
    page.get_by_label("Use these keys").uncheck()
    page.keyboard.press(FIRST[site.kind.name])
    page.keyboard.press("s")
    page.reload()
    page.keyboard.press(FIRST[site.kind.name])
    assert page.locator(CHECKED).count() == 0


def test_what_a_screen_reader_finds(site: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(site.token())
    expect(page.get_by_role("heading", level=1, name=site.kind.number(1))).to_be_focused()
    groups = page.get_by_role("radiogroup")
    assert groups.count() == len(site.kind.answers)
    for group in groups.all():
        expect(group).to_have_accessible_name(group.locator("legend").inner_text())
        expect(group).to_have_accessible_description(group.locator(".hint").inner_text())
        for answer in group.get_by_role("radio").all():
            expect(answer).to_have_accessible_name(re.compile(r"^\w"))
    expect(page.get_by_role("progressbar")).to_have_accessible_name("0 of 5 done")
    for picture in LARGE[site.kind.name]:
        assert page.locator(f"#{picture}").get_attribute("alt")


def test_the_language_is_switched_where_one_is(site: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(site.token())
    task = page.locator(f"input[name={site.kind.field}]").get_attribute("value")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("h1")).to_have_text(site.kind.number(1, "de"))
    assert page.locator(f"input[name={site.kind.field}]").get_attribute("value") == task
    assert page.url.endswith(site.kind.path)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_desk(site: Any, browser: Browser, width: int) -> None:
    site.token("somebody")
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.goto(f"{site.address}/admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    assert page.evaluate(OVERFLOW) == 0
    page.get_by_label("How many").fill("2")
    page.get_by_role("button", name="Create links").click()
    expect(page.locator(".links code")).to_have_count(2)
    assert page.evaluate(OVERFLOW) == 0
    page.locator("main a[href='/admin']").click()
    leave_out = page.get_by_role("button", name="Leave out").first
    name = leave_out.inner_text().split()[-1]
    leave_out.click()
    page.get_by_role("button", name=f"Count again {name}").click()
    expect(page.get_by_role("button", name=f"Leave out {name}")).to_have_count(1)
    with page.expect_download() as download:
        page.locator(f"a[href='{site.kind.export}']").click()
    assert download.value.suggested_filename == site.kind.export.rpartition("/")[2]
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    page.context.close()
