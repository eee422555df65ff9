"""The arena in a real browser: by mouse, by keyboard, by touch, in both languages, and without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = pytest.mark.slow

ASPECTS = ("bias", "quality", "alignment")
WORDS = {
    "en": ("I agree, begin", "Continue", "Next", "Thank you!"),
    "de": ("Ich bin einverstanden", "Weiter", "Weiter", "Vielen Dank!"),
}
UNFINISHED = "Failed to load resource: the server responded with a status of 422"
"""What Chromium says of any page that answers an unfinished form."""
TIGHT = """all => all.map(span => {
    const text = document.createRange()
    text.selectNodeContents(span)
    const [inner, outer] = [text.getBoundingClientRect(), span.getBoundingClientRect()]
    return [span.innerText, Math.min(inner.left - outer.left, outer.right - inner.right)]
}).filter(([, gap]) => gap < 4)"""
"""Answers nearer to their border than four pixels."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def arena(arena_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory, start_module: Any) -> Any:
    return start_module(arena_study(tmp_path_factory.mktemp("browser") / "study", leaderboard=True))


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a page that fails the test for a message in the console, a request elsewhere, or an overflow."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(arena: Any, path: str, language: str = "en", **options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        context = browser.new_context(locale=language, **options)
        contexts.append(context)

        def own(url: str) -> str:
            return url if url.startswith(arena.address) else ""

        page = context.new_page()
        page.on("console", lambda message: problems.extend([message.text] * (UNFINISHED not in message.text)))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: problems.extend({asked.url} - {own(asked.url)}))
        page.goto(f"{arena.address}{path}")
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            assert page.evaluate(OVERFLOW) == 0, page.url
        context.close()
    assert problems == []


def agree(page: Page, language: str) -> None:
    begin, onward, _, _ = WORDS[language]
    assert page.evaluate(OVERFLOW) == 0
    page.get_by_role("button", name=begin).click()
    page.wait_for_url("**/questions")
    assert page.evaluate(OVERFLOW) == 0
    page.get_by_role("button", name=onward, exact=True).click()
    page.wait_for_url("**/battle")


def wait_for_next(page: Page, battle: str | None) -> None:
    """Return when another comparison than ``battle`` is shown, or none, and the page's script has run."""
    page.wait_for_function("was => document.querySelector('input[name=battle]')?.value !== was", arg=battle)
    page.wait_for_load_state()


def answered(arena: Any, token: str) -> list[Any]:
    rater = arena.service.rater_by_token(token)
    return [battle for battle in arena.service.answered_battles() if battle.rater == rater.id]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_session_by_mouse(arena: Any, open_page: Callable[..., Page], language: str) -> None:
    token = arena.token()
    page = open_page(arena, f"/r/{token}", language)
    agree(page, language)
    assert page.locator("html").get_attribute("lang") == language
    seen = []
    while not page.url.endswith("/done"):
        battle = page.locator("input[name=battle]").get_attribute("value")
        seen.append(battle)
        for place, aspect in enumerate(ASPECTS):
            choice = ("left", "draw", "skip")[place]
            page.locator(f".aspect:has(input[name={aspect}]) .choice.{choice}").click()
        page.get_by_role("button", name=WORDS[language][2], exact=True).click()
        wait_for_next(page, battle)
    expect(page.get_by_role("heading", name=WORDS[language][3])).to_be_visible()
    cast = answered(arena, token)
    assert len(seen) == len(cast) == 5
    assert all(dict(battle.choices) == {"bias": "left", "quality": "draw", "alignment": "skip"} for battle in cast)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_session_by_keyboard(arena: Any, open_page: Callable[..., Page], language: str) -> None:
    token = arena.token()
    page = open_page(arena, f"/r/{token}", language)
    for address in ("**/questions", "**/battle"):  # the whole way by keys: Tab to the button, Enter
        page.locator("main button.main").focus()
        page.keyboard.press("Enter")
        page.wait_for_url(address)
    rounds = [("ArrowLeft", "ArrowRight", "ArrowDown"), ("d", "s", "ArrowLeft"), *[("ArrowRight",) * 3] * 3]
    for keys in rounds:
        battle = page.locator("input[name=battle]").get_attribute("value")
        expect(page.locator("h1")).to_be_focused()
        for place, key in enumerate(keys):
            expect(page.locator(".aspect").nth(place)).to_have_class("aspect current")
            page.keyboard.press(key)
        expect(page.locator("#next")).to_be_focused()
        page.keyboard.press("Enter")
        wait_for_next(page, battle)
    expect(page).to_have_url(f"{arena.address}/done")
    cast = sorted(answered(arena, token), key=lambda battle: battle.number)
    assert dict(cast[0].choices) == {"bias": "left", "quality": "right", "alignment": "draw"}
    assert dict(cast[1].choices) == {"bias": "draw", "quality": "skip", "alignment": "left"}
    assert all(set(battle.choices.values()) == {"right"} for battle in cast[2:])


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_session_by_touch_on_a_phone(arena: Any, open_page: Callable[..., Page], language: str) -> None:
    token = arena.token()
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page(arena, f"/r/{token}", language, **phone)
    agree(page, language)
    while not page.url.endswith("/done"):
        battle = page.locator("input[name=battle]").get_attribute("value")
        for side in ("left", "right"):
            expect(page.locator(f"#{side}")).to_be_in_viewport(ratio=1)
            box = page.locator(f"#{side}").bounding_box()
            assert box is not None
            assert box["width"] > 150
        for aspect in ASPECTS:
            page.locator(f".aspect:has(input[name={aspect}]) .choice.right").tap()
        expect(page.locator("#next")).to_be_in_viewport()
        page.locator("#next").tap()
        wait_for_next(page, battle)
    assert len(answered(arena, token)) == 5


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_answer_touches_its_border(arena: Any, open_page: Callable[..., Page], language: str) -> None:
    page = open_page(arena, f"/r/{arena.token()}", language)
    begin, onward, _, _ = WORDS[language]
    for button in (begin, onward, ""):
        for width in (320, 390, 700, 960, 1280):
            page.set_viewport_size({"width": width, "height": 844})
            assert (width, page.evaluate(OVERFLOW), page.locator(".choice span").evaluate_all(TIGHT)) == (width, 0, [])
        if button:
            page.get_by_role("button", name=button, exact=True).click()
            page.wait_for_url("**/questions" if button == begin else "**/battle")
    assert page.locator(".choice span").count() >= 3 * len(ASPECTS)


def test_an_unfinished_answer_is_kept_and_said(arena: Any, open_page: Callable[..., Page]) -> None:
    token = arena.token()
    page = open_page(arena, f"/r/{token}")
    agree(page, "en")
    page.keyboard.press("ArrowLeft")
    page.locator("#next").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Please choose an answer for: Picture quality, Fit to the description. Use Skip where you cannot tell."
    )
    assert page.locator("input[name=bias][value=left]").is_checked()
    assert page.locator(".aspect.lacking").count() == 2
    page.keyboard.press("ArrowRight")
    page.keyboard.press("s")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("status")).to_contain_text("All answered")
    assert answered(arena, token) == []


def test_what_a_screen_reader_finds(arena: Any, open_page: Callable[..., Page]) -> None:
    page = open_page(arena, f"/r/{arena.token()}")
    agree(page, "en")
    expect(page.get_by_role("heading", level=1, name="Comparison 1 of 5")).to_be_focused()
    for name in ("Fairness", "Picture quality", "Fit to the description"):
        group = page.get_by_role("radiogroup", name=name)
        expect(group).to_have_accessible_description(group.locator(".hint").inner_text())
        for choice in ("Left", "Draw", "Right", "Skip"):
            expect(group.get_by_role("radio", name=choice)).to_have_count(1)
    expect(page.get_by_role("progressbar")).to_have_accessible_name("0 of 5 done")
    for side in ("left", "right"):
        expect(page.get_by_role("img", name=f"Picture on the {side}")).to_be_visible()
        expect(page.get_by_role("link", name=f"Enlarge the picture on the {side}")).to_be_visible()
    assert page.locator(".prompt").get_attribute("lang") in ("en", "de")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_on_its_ground(arena: Any, open_page: Callable[..., Page], scheme: str) -> None:
    """WCAG AA: text reaches 4.5 to 1 on what it stands on, borders of controls 3 to 1."""
    page = open_page(arena, "/", color_scheme=scheme)
    names = ["paper", "card", "shade", "ink", "soft", "dim", "accent", "warn", "edge", "on-accent", "pick", "warn-bg"]
    read = "names => names.map(name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())"
    table = dict(zip(names, map(luminance, page.evaluate(read, names)), strict=True))
    pairs = [
        (text, ground) for text in ("ink", "soft", "dim", "accent", "warn") for ground in ("paper", "card", "shade")
    ]
    for text, ground in [*pairs, ("on-accent", "accent"), ("ink", "pick"), ("ink", "warn-bg"), ("warn", "warn-bg")]:
        assert contrast(table[text], table[ground]) >= 4.5, (text, ground)
    assert all(contrast(table["edge"], table[ground]) >= 3 for ground in ("paper", "card"))


def contrast(one: float, two: float) -> float:
    dark, light = sorted((one, two))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_those_who_cannot_see_it(
    arena: Any, browser: Browser, check_axe: Callable[[Page], list[tuple[str, str]]], scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": 390, "height": 844})
    page = context.new_page()
    found = {}
    page.goto(f"{arena.address}/r/{arena.token()}")
    found["consent"] = check_axe(page)
    page.get_by_role("button", name=WORDS["en"][0]).click()
    page.wait_for_url("**/questions")
    found["questions"] = check_axe(page)
    page.get_by_role("button", name=WORDS["en"][1], exact=True).click()
    page.wait_for_url("**/battle")
    found["battle"] = check_axe(page)
    for path in ("/leaderboard", "/admin"):
        page.goto(f"{arena.address}{path}")
        found[path] = check_axe(page)
    context.close()
    assert {place: told for place, told in found.items() if told} == {}
