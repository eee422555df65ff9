"""The studio in a real browser: by mouse and keyboard, on a phone, in both languages, watched by axe-core."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
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
    page.locator("input[name=generator][value=simulated]").check()
    page.get_by_text("Choose another one").press("Enter")
    page.locator("input[name=annotator][value=simulated]").check()
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
    for _ in range(2):
        page.wait_for_load_state("networkidle")  # while Chromium changes pages it has no history to go back in
        page.go_back()
    page.get_by_role("link", name="Read the report").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Nurses")


def by_mouse(place: Locator) -> None:
    place.click()


def by_keys(place: Locator) -> None:
    """Do what whoever has no mouse does: everything can be reached, and Enter or the space bar is enough."""
    place.focus()
    expect(place).to_be_focused()
    ticked = place.get_attribute("type") in ("radio", "checkbox")
    place.press(" " if ticked else "Enter")


@pytest.mark.parametrize(("use", "width"), [(by_mouse, 1200), (by_keys, 390)])
def test_an_audit_from_the_first_question_to_the_decision(
    tmp_path: Path,
    start: Callable[..., Any],
    open_page: Callable[..., Page],
    use: Callable[[Locator], None],
    width: int,
) -> None:
    page = open_page(start(), viewport={"width": width, "height": 800})

    def press(name: str) -> None:
        with page.expect_navigation():
            use(page.get_by_role("main").get_by_role("button", name=name, exact=True))

    def follow(name: str) -> None:
        with page.expect_navigation():
            use(page.get_by_role("main").get_by_role("link", name=name, exact=True).first)

    follow("New study")
    page.get_by_label("Title of the study").fill("Two models")
    use(page.get_by_role("radio", name="Prompts of your own"))
    page.get_by_label("Prompts of your own, one a line").fill("a photo of one nurse\na photo of one CEO")
    use(page.locator("input[name=generator][value=simulated]"))
    use(page.get_by_text("Choose another one"))
    use(page.locator("input[name=annotator][value=simulated]"))
    page.get_by_label("Images of each prompt").fill("4")
    press("Show the prompts")
    expect(page.get_by_text("a photo of one CEO", exact=True)).to_be_visible()
    press("Create the study")
    # A second model beside the first, as an editor of study.toml would add it.
    [study] = list_studies(tmp_path)
    toml = study.folder / "study.toml"
    second = '\n[[generators]]\nuse = "simulated"\nname = "B"\nimages = 4\noptions = {size = 25}\n'
    toml.write_text(toml.read_text().replace("images = 4", 'images = 4\nname = "A"', 1) + second)
    page.reload()
    # Much is asked for, the run is stopped, and goes on with less to do than it had.
    page.locator("#images").fill("4000")
    press("Change the number")
    press("Run")
    use(page.get_by_role("button", name="Stop"))
    page.get_by_text("Stopped. Nothing is lost").wait_for()
    toml.write_text(toml.read_text().replace("images = 4000", "images = 6"))
    page.reload()
    press("Run again, or go on")
    page.get_by_role("link", name="Read the report").wait_for()
    expect(page.get_by_role("region", name="Over all prompts together")).to_be_visible()
    follow("Look at the pictures")
    expect(page.locator(".wall img")).to_have_count(24)
    for number in (0, 1):
        use(page.locator(".wall input[type=checkbox]").nth(number))
    use(page.get_by_text("Leave ticked pictures out"))
    page.get_by_label("Why?").fill("blurred")
    press("Leave them out")
    expect(page.locator(".wall .out")).to_have_count(2)
    use(page.locator(".wall a").first)
    page.get_by_role("link", name="Next picture").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("link", name="Previous picture").wait_for()
    page.goto(f"{page.url.split('/picture')[0]}")
    follow("Compare")
    expect(page.get_by_role("region", name="Every comparison")).to_be_visible()
    page.go_back()
    follow("Decide by rules")
    page.get_by_label("At least, in per cent").fill("30")
    page.get_by_label("Who says so?").fill("Our decision of today")
    page.get_by_label("Why do these limits fit?").fill("Both are asked for")
    press("Add the rule")
    expect(page.locator(".verdict h2")).to_contain_text("decided")
    page.go_back()
    assert page.evaluate(OVERFLOW) == 0


def test_two_windows_show_the_same_run_and_start_it_once(
    tmp_path: Path, start: Callable[..., Any], open_page: Callable[..., Page]
) -> None:
    add_study(tmp_path / "one", 9_000, size=0)
    studio = start()
    [study] = list_studies(tmp_path)
    address = f"{studio.address}/s/{study.key}"
    one, other = open_page(studio), open_page(studio, "de")
    for page in (one, other):
        page.goto(address)
    one.get_by_role("button", name="Run", exact=True).click()
    one.get_by_role("button", name="Stop").wait_for()
    process = studio.service.queue.files(study.key).read().pid
    other.get_by_role("button", name="Starten", exact=True).click()  # its page is from before
    other.get_by_role("button", name="Anhalten").wait_for()
    assert studio.service.queue.files(study.key).read().pid == process
    other.get_by_role("button", name="Anhalten").click()
    one.get_by_text("Stopped. Nothing is lost").wait_for()
    expect(other.get_by_text("Angehalten.")).to_be_visible()
    # A form of a window that was left open still counts, on what is there by now.
    other.goto(address)
    one.locator("#images").fill("9001")
    one.get_by_role("button", name="Change the number").click()
    one.wait_for_load_state()
    other.locator("#images").fill("9002")
    other.get_by_role("button", name="Zahl ändern").click()
    other.wait_for_load_state("networkidle")
    expect(other.locator("#images")).to_have_value("9002")
    assert "images = 9002" in (study.folder / "study.toml").read_text()


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
    studio = start(password="a long enough one")
    page = open_page(studio, language, viewport={"width": width, "height": 800}, color_scheme=scheme)
    stranger = open_page(studio, language, viewport={"width": width, "height": 800}, color_scheme=scheme)
    stranger.context.clear_cookies()
    stranger.goto(studio.address)
    assert stranger.locator("#password").is_visible()
    assert check_axe(stranger) == []
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
    paths += [f"/s/{second.key}/{name}" for name in ("missing", "side-by-side", "decide", "people", "share")]
    paths += [f"/s/{second.key}/compare?other={first.key}", "/atlas", f"/history?s={first.key}&s={second.key}"]
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
