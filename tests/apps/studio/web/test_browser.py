"""The studio in a real browser: by mouse and keyboard, on a phone, in both languages, watched by axe-core."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.apps.studio.conftest import add_study

from portrayal.api.study import Study
from portrayal.apps.studio.listed_studies import list_studies

pytestmark = pytest.mark.slow

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LONG = 10 * 60_000


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page that fails the test for a message in the console or a request elsewhere."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(studio: Any, language: str = "en", **options: Any) -> Page:
        context = browser.new_context(locale=language, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: problems.extend([asked.url] * (not asked.url.startswith(studio.address))))
        page.goto(f"{studio.address}/r/{studio.service.token}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def test_from_an_empty_folder_to_the_report(start: Callable[..., Any], open_page: Callable[..., Page]) -> None:
    page = open_page(start())
    page.get_by_role("main").get_by_role("link", name="New study").click()
    page.get_by_label("Title of the study").fill("Nurses")
    page.get_by_role("radio", name="Prompts of your own").check()
    page.get_by_label("Prompts of your own, one a line").fill("a photo of one nurse\na photo of one CEO")
    page.get_by_role("radio", name="simulated tiny").check()
    page.get_by_text("Choose another one").press("Enter")
    page.get_by_role("radio", name="simulated reads").check()
    page.get_by_label("Images of each prompt").fill("5")
    page.get_by_role("button", name="Create the study").press("Enter")
    page.get_by_role("button", name="Run", exact=True).click()
    # The script sees that the run has ended, and shows what there is then.
    page.get_by_role("link", name="Read the report").wait_for(timeout=LONG)
    page.get_by_role("link", name="Look at the pictures").click()
    expect(page.locator(".wall img")).to_have_count(10)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("[...document.images].filter((image) => image.naturalWidth > 0).length") > 0
    page.get_by_label("Perceived gender").select_option("female")
    page.get_by_role("button", name="Show these").click()
    assert "gender=female" in page.url
    page.go_back()
    page.go_back()
    page.get_by_role("link", name="Read the report").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Nurses")


@pytest.mark.parametrize(("language", "width", "scheme"), [("en", 1200, "light"), ("de", 390, "dark")])
def test_every_page_fits_and_axe_finds_nothing(
    tmp_path: Path,
    start: Callable[..., Any],
    open_page: Callable[..., Page],
    check_axe: Callable[[Page], list[tuple[str, str]]],
    language: str,
    width: int,
    scheme: str,
) -> None:
    Study(add_study(tmp_path / "one", 8)).run(progress=False)
    Study(add_study(tmp_path / "a-study-with-quite-a-long-name-that-has-no-place-to-break", 8)).run(progress=False)
    studio = start()
    page = open_page(studio, language, viewport={"width": width, "height": 800}, color_scheme=scheme)
    first, second = list_studies(tmp_path)
    paths = [
        "/",
        "/new",
        "/own",
        _lot(page, studio.address),
        f"/s/{second.key}",
        f"/s/{second.key}/pictures",
        f"/s/{second.key}/settings",
    ]
    paths += [f"/s/{second.key}/compare?other={first.key}"]
    for path in paths:
        page.goto(f"{studio.address}{path}")
        assert page.evaluate(OVERFLOW) == 0, path
        assert check_axe(page) == [], path
    page.goto(f"{studio.address}/s/{second.key}/pictures")
    page.locator(".wall a").first.click()
    assert page.evaluate(OVERFLOW) == 0
    assert check_axe(page) == []


def _lot(page: Page, address: str) -> str:
    """Bring in a picture, and return where it is asked what it is."""
    picture = io.BytesIO()
    Image.new("RGB", (8, 8)).save(picture, "PNG")
    page.goto(f"{address}/own")
    page.locator("#files").set_input_files({"name": "IMG_1.png", "mimeType": "image/png", "buffer": picture.getvalue()})
    page.locator("main button").click()
    page.wait_for_url("**/own/*")
    return page.url.removeprefix(address)
