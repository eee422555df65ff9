"""axe-core, the checker of accessibility that browsers' tools use, finds nothing serious on our pages."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from portrayal.reports import ReportData, render_report

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def axe() -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine")
    found = subprocess.run(
        [node, "-p", "require.resolve('axe-core/axe.min.js')"], capture_output=True, text=True, check=False
    )
    if found.returncode:
        pytest.skip("axe-core is not installed: npm install axe-core, or NODE_PATH to where it is")
    return Path(found.stdout.strip()).read_text(encoding="utf-8")


def serious(browser: Browser, axe: str, path: Path, scheme: str) -> list[tuple[str, str]]:
    # Only the checker is a script: the page forbids all of them.
    context = browser.new_context(
        bypass_csp=True, color_scheme="dark" if scheme == "dark" else "light", viewport={"width": 1200, "height": 900}
    )
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    context.close()
    grave = [own for own in found["violations"] if own["impact"] in ("serious", "critical")]
    return [(own["id"], own["nodes"][0]["html"][:200]) for own in grave]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_on_a_report(
    browser: Browser, axe: str, sample: ReportData, benched: Callable[..., ReportData], tmp_path: Path, scheme: str
) -> None:
    bench = benched(models=tuple(sample.generators), human=True)
    path = tmp_path / "index.html"
    path.write_text(render_report(replace(sample, measurements=[*sample.measurements, *bench.measurements])))
    assert serious(browser, axe, path, scheme) == []


def test_the_checker_finds_a_picture_without_words(
    browser: Browser, axe: str, sample: ReportData, tmp_path: Path
) -> None:
    path = tmp_path / "index.html"
    path.write_text(render_report(sample).replace("</main>", '<img src="data:,"></main>'), encoding="utf-8")
    assert [name for name, _ in serious(browser, axe, path, "light")] == ["image-alt"]
