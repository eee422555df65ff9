"""The sheet in a real browser: one page of A4 whatever there is to say, readable on a phone, and accessible."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from portrayal.reports import ReportData
from portrayal.reports.page import render_summary

pytestmark = pytest.mark.slow

Axe = Callable[[Page], list[tuple[str, str]]]
A4 = 275 / 25.4 * 96
"""Pixels between the margins of the paper."""


def variants(sample: ReportData, simulated: Callable[..., ReportData], benched: Callable[..., ReportData]
             ) -> Iterator[tuple[str, ReportData]]:  # fmt: skip
    models = tuple(f"organisation/{'long-' * 12}{number}@0123456789abcdef" for number in range(8))
    terms = tuple((f"{'nurse ' * 30}{number}", "health") for number in range(6))
    made: dict[str, dict[str, int]] = {name: {"refused: content_policy": 560} for name in sample.generators}
    yield "two models", sample
    yield "one model", replace(sample, generators=sample.generators[:1])
    yield "eight models, long names and terms", simulated(generators=models, terms=terms)
    yield "twelve models", simulated(generators=tuple(f"Model {number}" for number in range(12)))
    yield "long title", replace(sample, title="A title that does not end " * 40)
    yield "wide letters", replace(simulated(terms=(("看護師" * 30, "x"), ("医師" * 30, "x"))), title="看護師" * 90)
    yield "few images", simulated(per_prompt=2)
    yield "no usable image", replace(sample, measurements=[], pictures=[], perceived={})
    yield "no image", replace(sample, measurements=[], pictures=[], judged={}, perceived={}, outcomes=made)
    yield "FAIntbench", benched(models=models, human=True)


def opened(browser: Browser, page: str, path: Path, width: int = 1100, scheme: str = "light") -> Page:
    path.write_text(page, encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light", bypass_csp=True
    )
    shown = context.new_page()
    shown.goto(path.as_uri())
    return shown


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_is_one_sheet_of_paper_whatever_there_is_to_say(
    browser: Browser,
    sample: ReportData,
    simulated: Callable[..., ReportData],
    benched: Callable[..., ReportData],
    tmp_path: Path,
    language: str,
) -> None:
    page = opened(browser, "<main>", tmp_path / "empty.html", 703)
    for name, data in variants(sample, simulated, benched):
        path = tmp_path / "summary.html"
        path.write_text(render_summary(replace(data, language=language)), encoding="utf-8")
        page.goto(path.as_uri())
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1, name
        assert re.search(rb"/MediaBox\s*\[0 0 59[45]\S* 84[12]\S*\]", printed), name
        page.emulate_media(media="print")
        height = page.evaluate("document.querySelector('main').getBoundingClientRect().height")
        assert height < 0.985 * A4, name
    page.context.close()


def test_a_sheet_that_says_too_much_would_be_seen(browser: Browser, sample: ReportData, tmp_path: Path) -> None:
    long = render_summary(sample).replace("</footer>", "<p>more</p>" * 40 + "</footer>")
    page = opened(browser, long, tmp_path / "summary.html")
    assert len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(prefer_css_page_size=True))) == 2
    page.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (1100, "dark"), (390, "light")])
def test_on_a_screen_nothing_overflows_and_axe_finds_nothing_serious(
    browser: Browser, check_axe: Axe, sample: ReportData, tmp_path: Path, width: int, scheme: str
) -> None:
    page = opened(browser, render_summary(replace(sample, language="de")), tmp_path / "summary.html", width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert check_axe(page) == []
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 27)"
    assert dark is (scheme == "dark")
    page.context.close()
