"""The page in a real browser: nothing overflows, nothing is loaded, nothing complains."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from portrayal.records import Adjustment, Note
from portrayal.reports import ReportData, render_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(sample: ReportData, tmp_path_factory: pytest.TempPathFactory) -> str:
    return _written(sample, tmp_path_factory)


@pytest.fixture(scope="module", params=[1, 3, 7])
def bench_address(
    request: pytest.FixtureRequest, benched: Callable[..., ReportData], tmp_path_factory: pytest.TempPathFactory
) -> str:
    models = tuple(f"diffusers:organisation/model-{number}@0123456789abcdef" for number in range(request.param))
    return _written(
        benched(
            models=models,
            annotators=("faces@1",),
            human=True,
            adjusted=[Adjustment(Note.of("own_terms", name="x " * 90))],
        ),
        tmp_path_factory,
    )


def _written(data: ReportData, folder: pytest.TempPathFactory) -> str:
    path = folder.mktemp("report") / "index.html"
    path.write_text(render_report(data), encoding="utf-8")
    return path.as_uri()


def opened(browser: Browser, address: str, width: int, scheme: str = "light", script: bool = True) -> Page:
    page = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=script,
    ).new_page()
    page.goto(address)
    return page


def at_widths(page: Page, *widths: int) -> Iterator[int]:
    """Make the page as wide as each of these: to load it again takes longer than all that is asked of it."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        yield width


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_nothing_overflows_even_with_every_detail_open(browser: Browser, address: str) -> None:
    page = opened(browser, address, 1280)
    for width in at_widths(page, 390, 768, 1280):
        assert overflow(page) == 0, width
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    wide = "[...document.querySelectorAll('.panel')].filter(item => item.scrollWidth > item.clientWidth + 1).length"
    for width in at_widths(page, 390, 768, 1280):
        assert (width, overflow(page), page.evaluate(wide)) == (width, 0, 0)


def test_nothing_of_faintbench_overflows(browser: Browser, bench_address: str) -> None:
    page = opened(browser, bench_address, 1280)
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    wide = "[...document.querySelectorAll('.panel, .caution')].filter(item => item.scrollWidth > item.clientWidth + 1)"
    for width in at_widths(page, 390, 1280):
        assert (width, overflow(page), page.evaluate(f"{wide}.length")) == (width, 0, 0)
        named = page.locator("#faintbench .eta .ends").first
        assert named.is_visible() is (width > 1000 and "model-4" not in page.content())


def test_longer_german_words_fit_too(
    browser: Browser, sample: ReportData, benched: Callable[..., ReportData], tmp_path: Path
) -> None:
    rows = [*sample.measurements, *benched(models=tuple(sample.generators), human=True).measurements]
    path = tmp_path / "index.html"
    path.write_text(render_report(replace(sample, measurements=rows, language="de")), encoding="utf-8")
    page = opened(browser, path.as_uri(), 1280)
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    assert page.locator("html").get_attribute("lang") == "de"
    for width in at_widths(page, 390, 1280):
        assert overflow(page) == 0, width
        # A matrix may scroll, but one of three groups need not on a desktop.
        cells = ".panel, .finding, .fate, .tiles li, .forest td, .card"
        wide = page.evaluate(
            """cells => [...document.querySelectorAll(cells)].filter(item => getComputedStyle(item).clipPath === 'none'
                && item.scrollWidth > item.clientWidth + 1).map(item => item.textContent.trim())""",
            cells + (", .matrices .scroll" if width > 1000 else ""),
        )
        assert wide == [], width


def test_nothing_is_loaded_and_nothing_complains(browser: Browser, address: str) -> None:
    page = browser.new_page()
    requests: list[str] = []
    messages: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    assert [url for url in requests if not url.startswith("data:")] == [address]
    assert messages == []


def test_dark_mode_is_dark_and_charts_follow(browser: Browser, address: str) -> None:
    def colours(scheme: str) -> list[str]:
        page = opened(browser, address, 1280, scheme)
        body = page.evaluate("getComputedStyle(document.body).backgroundColor")
        dot = page.evaluate("getComputedStyle(document.querySelector('.tk use.c0')).fill")
        return [body, dot]

    light, dark = colours("light"), colours("dark")
    assert light[0] != dark[0]
    assert light[1] != dark[1]


def test_charts_have_a_size_and_marks_lie_on_their_track(browser: Browser, address: str) -> None:
    page = opened(browser, address, 1280)
    for width in at_widths(page, 390, 1280):
        boxes = page.evaluate(
            """[...document.querySelectorAll('#terms .attribute > .panels .tk')].map(cell => {
                const track = cell.querySelector('svg').getBoundingClientRect();
                const dot = cell.querySelector('use').getBoundingClientRect();
                const middle = dot.left + dot.width / 2;
                return [track.width, track.height, middle >= track.left - 1 && middle <= track.right + 1];
            })"""
        )
        assert len(boxes) > 100
        assert all(track >= 100 and height >= 20 and inside for track, height, inside in boxes), width


def test_details_open_and_pictures_show_without_scripts(browser: Browser, address: str) -> None:
    page = opened(browser, address, 1280, script=False)
    assert not page.get_by_text("truncation = 0.8").is_visible()
    page.get_by_text("Configuration", exact=True).click()
    assert page.get_by_text("truncation = 0.8").is_visible()
    picture = page.locator(".card .pic").first
    assert picture.is_visible()
    face, frame = page.locator(".card .box").first.bounding_box(), page.locator(".card .frame").first.bounding_box()
    assert face is not None
    assert frame is not None
    assert frame["x"] < face["x"] < face["x"] + face["width"] < frame["x"] + frame["width"]


def test_on_paper_it_is_light_and_unfolded(browser: Browser, address: str) -> None:
    page = opened(browser, address, 720, "dark")
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert overflow(page) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_is_readable_on_its_ground(browser: Browser, address: str, scheme: str) -> None:
    """WCAG AA: every text colour reaches 4.5 to 1 on paper, card and shade."""
    page = opened(browser, address, 1280, scheme)
    names = ["paper", "card", "shade", "ink", "soft", "dim", "accent", "warn"]
    colours = page.evaluate(
        "names => names.map(name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())",
        names,
    )
    table = dict(zip(names, map(luminance, colours), strict=True))
    for ground in names[:3]:
        for text in names[3:]:
            light, dark = sorted((table[ground], table[text]), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ground, text)


def luminance(colour: str) -> float:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
