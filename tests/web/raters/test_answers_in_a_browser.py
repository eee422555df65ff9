"""Every site with raters in a real browser: undo, a closed tab, an unfinished answer, no scripts, large targets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FIRST = {"arena": "ArrowLeft", "labels": "1"}
"""The key of the first answer."""


def task_of(page: Page, site: Any) -> str | None:
    return page.locator(f"input[name={site.kind.field}]").get_attribute("value")


def wait_for_next(page: Page, site: Any, task: str | None) -> None:
    """Return when another task than ``task`` is shown, or none, and the page's script has run."""
    shown = f"document.querySelector('input[name={site.kind.field}]')?.value"
    page.wait_for_function(f"was => {shown} !== was", arg=task)
    page.wait_for_load_state()


def answer_by_keys(page: Page, site: Any) -> None:
    """Give the first answer to every question; where the site does not go on by itself, go on."""
    task = task_of(page, site)
    for _ in site.kind.answers:
        page.keyboard.press(FIRST[site.kind.name])
    if page.locator("#ballot[data-auto]").count() == 0:
        page.keyboard.press("Enter")
    wait_for_next(page, site, task)


def test_a_session_by_keyboard_alone(site: Any, open_page: Callable[..., Page]) -> None:
    token = site.token()
    page = open_page(token)
    while not page.url.endswith("/done"):
        page.wait_for_function("document.activeElement === document.querySelector('h1')")
        answer_by_keys(page, site)
    cast = site.cast(token)
    assert len(cast) == 5
    assert {answer for task in cast for answer in site.kind.said(task)} == {"left"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_session_by_touch_on_a_phone(site: Any, open_page: Callable[..., Page], language: str) -> None:
    token = site.token()
    page = open_page(token, locale=language, **PHONE)
    number = 0
    while not page.url.endswith("/done"):
        number += 1
        expect(page.locator("h1")).to_have_text(site.kind.number(number, language))
        task = task_of(page, site)
        for question in page.locator(".aspect").all():
            question.locator(".choice").first.tap()
        if page.locator("#ballot[data-auto]").count() == 0:
            page.locator("#next").tap()
        wait_for_next(page, site, task)
    assert len(site.cast(token)) == number == 5


def test_targets_are_large_enough_for_a_finger(site: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(site.token(), **PHONE)
    page.evaluate("document.getElementById('help').hidden = false")
    small = """[...document.querySelectorAll('button, a:not(.jump), .choice, summary, label.check')]
        .map(item => [item.textContent.trim(), item.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 44 || box.width < 44))
        .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
    assert page.evaluate(small) == []


def test_an_unfinished_answer_is_kept_and_said(site: Any, open_page: Callable[..., Page]) -> None:
    token = site.token()
    page = open_page(token)
    page.keyboard.press(FIRST[site.kind.name])
    page.locator("#next").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator(".aspect.lacking").count() == 2
    assert page.locator("input:checked[type=radio]").count() == 1
    assert site.cast(token) == []


def test_undo_by_key_and_by_button(site: Any, open_page: Callable[..., Page]) -> None:
    token = site.token()
    page = open_page(token)
    first = task_of(page, site)
    button = page.get_by_role("button", name="Undo the last answer")
    assert button.count() == 0
    for way in ("key", "button"):
        answer_by_keys(page, site)
        page.keyboard.press("u") if way == "key" else button.click()
        shown = f"document.querySelector('input[name={site.kind.field}]')?.value"
        page.wait_for_function(f"is => {shown} === is", arg=first)
        page.wait_for_load_state()
        assert site.cast(token) == []


def test_a_closed_tab_is_resumed_with_the_link_and_without(
    site: Any, open_page: Callable[..., Page], browser: Browser
) -> None:
    token = site.token()
    page = open_page(token)
    answer_by_keys(page, site)
    expect(page.locator("h1")).to_have_text(site.kind.number(2))
    task, context = task_of(page, site), page.context
    page.close()
    again = context.new_page()
    again.goto(site.address)
    assert task_of(again, site) == task
    elsewhere = browser.new_page()
    elsewhere.goto(f"{site.address}/r/{token}")
    assert task_of(elsewhere, site) == task
    elsewhere.close()


def test_everything_works_without_scripts(site: Any, open_page: Callable[..., Page]) -> None:
    token = site.token()
    page = open_page(token, java_script_enabled=False)
    page.locator(".choice").first.click()
    page.locator("#next").click()
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator("input:checked[type=radio]").count() == 1
    for number in range(1, 6):
        expect(page.locator("h1")).to_have_text(site.kind.number(number))
        for question in page.locator(".aspect").all():
            question.locator(".choice").first.click()
        page.locator("#next").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert len(site.cast(token)) == 5
    page.goto(f"{site.address}/admin/login")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(site: Any, browser: Browser, scheme: Any) -> None:
    page = browser.new_context(bypass_csp=True, color_scheme=scheme).new_page()
    found: dict[str, list[str]] = {}

    def look(name: str) -> None:
        page.wait_for_load_state()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        violations = page.evaluate("axe.run()")["violations"]
        found[name] = [one["id"] for one in violations if one["impact"] in ("serious", "critical")]

    page.goto(f"{site.address}/r/{site.token()}")
    look("consent")
    page.locator("main button.main").click()
    look("questions")
    page.locator("main button.main").click()
    page.wait_for_url(f"**{site.kind.path}")
    look("task")
    while not page.url.endswith("/done"):
        answer_by_keys(page, site)
    look("done")
    page.goto(f"{site.address}/admin")
    page.fill("#password", "correct horse battery")
    page.locator("main button.main").click()
    look("desk")
    assert found == {name: [] for name in ("consent", "questions", "task", "done", "desk")}
    page.context.close()
