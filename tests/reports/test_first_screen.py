"""The first screen in a real browser, the page on paper, and a page of 5,000 pictures."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from portrayal.reports import FaceView, Perceived, Picture, ReportData, render_report

pytestmark = pytest.mark.slow
PHONE, DESK = (390, 844), (1200, 900)


@pytest.fixture(scope="module")
def address(sample: ReportData, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("first") / "index.html"
    path.write_text(render_report(sample), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_finding_with_its_number_and_pictures_is_in_the_first_screen(
    browser: Browser, address: str, size: tuple[int, int], scheme: str
) -> None:
    width, height = size
    page = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light"
    ).new_page()
    page.goto(address)
    for part in (".say", ".dim", ".behind .pic >> nth=0"):
        box = page.locator(f"#found .told >> nth=0 >> {part}").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height, part
    assert re.search(r"\d+\s%", page.locator("#found .say").first.inner_text())


def test_a_picture_that_is_a_rule_of_the_style_sheet_is_drawn(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    drawn = page.locator("#found span.pic").first.evaluate("own => getComputedStyle(own).backgroundImage")
    assert drawn.startswith('url("data:image/')


def test_on_paper_a_page_of_a_demo_s_size_has_fewer_than_20_sheets(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4"))) < 20


def test_a_page_of_5000_pictures_is_below_60_mb_and_shows_its_first_screen(
    browser: Browser, simulated: Callable[..., ReportData], tmp_path: Path
) -> None:
    draw = random.Random(5)
    data = simulated(terms=tuple((f"job {number}", "all") for number in range(100)), per_prompt=8)
    # As large as a face of 224 pixels in WebP.
    head = b"RIFF\0\0\0\0WEBP"
    faces = [FaceView((0.3, 0.2, 0.4, 0.5), [Perceived("gender", "female", 0.8), Perceived("age3", "young", 0.7)])]
    pictures = [
        Picture(f"job {number % 100}", "a photo of one person", data.generators[number % 2], number, f"{number:064x}",
                head + draw.randbytes(4600), 512, 512, faces)
        for number in range(5000)
    ]  # fmt: skip
    path = tmp_path / "index.html"
    path.write_text(render_report(replace(data, pictures=pictures)), encoding="utf-8")
    assert path.stat().st_size < 60e6
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.goto(path.as_uri(), wait_until="commit")
    page.locator("#found .told").first.wait_for(state="visible")
