"""The section in a real browser: nothing overflows, marks lie on their tracks, words stand beside colours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from portrayal.reports import ReportData, render_report

pytestmark = pytest.mark.slow

LONG = tuple(f"diffusers:organisation/model-{number}@0123456789abcdef" for number in range(5))


@pytest.mark.parametrize(("width", "models"), [(390, LONG), (768, LONG[:2]), (1280, LONG)])
def test_nothing_overflows_with_every_detail_open(
    browser: Browser, jobs: Callable[..., ReportData], tmp_path: Path, width: int, models: tuple[str, ...]
) -> None:
    path = tmp_path / "index.html"
    path.write_text(render_report(replace(jobs(models=models), language="de")), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(path.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(item => { item.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    wide = "[...document.querySelectorAll('#bafis .panel')].filter(item => item.scrollWidth > item.clientWidth + 1)"
    assert page.evaluate(f"{wide}.length") == 0
    off = page.evaluate(
        """[...document.querySelectorAll('#bafis .tk')].filter(cell => {
            const track = cell.querySelector('svg').getBoundingClientRect();
            const dot = cell.querySelector('use').getBoundingClientRect();
            const middle = (dot.left + dot.right) / 2;
            return track.width < 40 || middle < track.left - 1 || middle > track.right + 1;
        }).length"""
    )
    assert off == 0
    signs = page.locator("#bafis .readings .over")
    assert signs.count() > 0
    assert "überrepräsentiert" in signs.first.inner_text()
    page.close()
