"""The section and the pages of words in a real browser: nothing overflows, and the pairs are in the first screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from portrayal.reports import render_report
from portrayal.reports.page import report_pages
from portrayal.study.report.gather_data import gather

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def written(study: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, data = tmp_path_factory.mktemp("report"), gather(study[0])
    for name, text in {"index.html": render_report(data), **report_pages(data)}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def opened(browser: Browser, path: Path, width: int) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    return page


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_nothing_overflows(browser: Browser, written: Path) -> None:
    words = sorted((written / "biaspainter" / "words").glob("*nurse*"))
    assert words
    for path in (written / "index.html", *words):
        page = opened(browser, path, 1280)
        for width in (390, 768, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert overflow(page) == 0, (path.name, width)


def test_the_pairs_are_in_the_first_screen_and_words_are_one_click_away(browser: Browser, written: Path) -> None:
    page = opened(browser, written / "index.html", 1280)
    box = page.locator("#found .told .behind").first.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 900
    page.locator(".pages a", has_text="nurse").first.click()
    assert "nurse" in page.title()
    page.locator(".kicker a").click()
    assert page.url.endswith("index.html#biaspainter")
