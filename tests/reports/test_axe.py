"""axe-core, the checker of accessibility that browsers' tools use, finds nothing serious on our pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from portrayal.reports import ReportData, render_report

pytestmark = pytest.mark.slow

Axe = Callable[[Page], list[tuple[str, str]]]


def serious(check_axe: Axe, browser: Browser, path: Path, scheme: str) -> list[tuple[str, str]]:
    # Only the checker is a script: the page forbids all of them.
    context = browser.new_context(
        bypass_csp=True, color_scheme="dark" if scheme == "dark" else "light", viewport={"width": 1200, "height": 900}
    )
    page = context.new_page()
    page.goto(path.as_uri())
    found = check_axe(page)
    context.close()
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_on_a_report(
    browser: Browser,
    check_axe: Axe,
    sample: ReportData,
    benched: Callable[..., ReportData],
    tmp_path: Path,
    scheme: str,
) -> None:
    bench = benched(models=tuple(sample.generators), human=True)
    path = tmp_path / "index.html"
    path.write_text(render_report(replace(sample, measurements=[*sample.measurements, *bench.measurements])))
    assert serious(check_axe, browser, path, scheme) == []


def test_the_checker_finds_a_picture_without_words(
    browser: Browser, check_axe: Axe, sample: ReportData, tmp_path: Path
) -> None:
    path = tmp_path / "index.html"
    path.write_text(render_report(sample).replace("</main>", '<img src="data:,"></main>'), encoding="utf-8")
    assert [name for name, _ in serious(check_axe, browser, path, "light")] == ["image-alt"]
