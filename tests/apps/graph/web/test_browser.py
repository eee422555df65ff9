"""The annotation in a real browser: by mouse, by keyboard, on a phone, in both languages, and without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from portrayal.apps.graph.database.open_answers import read_answers

pytestmark = pytest.mark.slow

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
UNFINISHED = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
WORDS = {
    "en": ("I agree, begin", "Begin", "Save and go on", "Leave this page unjudged", "Thank you!"),
    "de": ("Ich bin einverstanden", "Beginnen", "Speichern und weiter", "Diese Seite nicht beurteilen", "Vielen Dank!"),
}


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page that fails the test for a message in the console or a request elsewhere."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(annotation: Any, path: str, language: str = "en", **options: Any) -> Page:
        context = browser.new_context(locale=language, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.extend({message.text} - {UNFINISHED}))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: problems.extend([asked.url] * (not asked.url.startswith(annotation.address))))
        page.goto(f"{annotation.address}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def types(annotation: Any, name: str) -> dict[str, list[str] | None]:
    found = read_answers(annotation.folder, annotation.domain)
    (who,) = [own.id for own in found.annotators if own.name == name]
    own = [one for one in found.judgements if one.annotator == who]
    return {f"{one.pair[0].name} > {one.pair[1].name}": None if one.types is None else sorted(one.types) for one in own}


@pytest.mark.parametrize(("language", "width", "scripts"), [("en", 1200, True), ("de", 390, True), ("en", 390, False)])
def test_from_the_link_to_the_end(
    annotation: Any, open_page: Callable[..., Page], language: str, width: int, scripts: bool
) -> None:
    agree, begin, save, leave, thanks = WORDS[language]
    name = f"{language} {width} {'with' if scripts else 'without'} scripts"
    size = {"width": width, "height": 800}
    page = open_page(annotation, f"/r/{annotation.token(name)}", language, viewport=size, java_script_enabled=scripts)
    page.get_by_role("button", name=agree).click()
    page.get_by_role("link", name=begin, exact=True).click()
    page.wait_for_url("**/vertex/1")
    first, second = page.locator("section").nth(0), page.locator("section").nth(1)
    first.locator(".pair").nth(0).locator("label").nth(1).click()
    first.locator(".pair").nth(1).locator("label.unjudged").click()
    second.locator(".pair").nth(1).locator("label").nth(0).click()
    if scripts:
        assert page.evaluate(OVERFLOW) == 0
    page.get_by_role("button", name=save).click()
    page.wait_for_url("**/vertex/2")
    assert types(annotation, name) == {
        "judge > red": ["associated_with"],
        "judge > blue": None,
        "red > judge": [],
        "blue > judge": ["dominant_in"],
    }
    page.get_by_role("button", name=leave).click()
    page.wait_for_url("**/vertex/3")
    page.get_by_role("button", name=save).click()
    page.wait_for_url("**/done")
    expect(page.locator("h1")).to_have_text(thanks)
    page.get_by_role("link").last.click()
    page.wait_for_url("**/overview")
    expect(page.locator("li.done")).to_have_count(3)
    if scripts:
        assert page.evaluate(OVERFLOW) == 0


def test_by_keyboard_alone(annotation: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(annotation, f"/r/{annotation.token('keys')}")
    page.get_by_role("button", name="I agree, begin").press("Enter")
    page.get_by_role("link", name="Begin", exact=True).press("Enter")
    page.wait_for_url("**/vertex/1")
    box = page.get_by_role("group", name="Red people").first.get_by_role("checkbox", name="Stereotype")
    box.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")  # in a box it sends the form
    page.wait_for_url("**/vertex/2")
    assert types(annotation, "keys")["judge > red"] == ["associated_with", "stereotyped_as"]


def test_a_second_click_sends_nothing(annotation: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(annotation, f"/r/{annotation.token('twice')}")
    page.get_by_role("button", name="I agree, begin").click()
    page.goto(f"{annotation.address}/vertex/1")
    sent: list[str] = []
    page.on("request", lambda asked: sent.extend([asked.url] * (asked.method == "POST")))
    page.get_by_role("button", name="Save and go on").dblclick()
    page.wait_for_url("**/vertex/2")
    assert sent == [f"{annotation.address}/vertex/1"]
