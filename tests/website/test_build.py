"""The site is built without a warning from every page there is, and needs nothing from outside."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import pytest
from website.clones.all_clones import CLONES
from website.samples import SAMPLES, STUDIES, write_samples

import portrayal
from portrayal.methods import METHODS
from website import build

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = [page.relative_to(build.ROOT / "docs") for page in (build.ROOT / "docs").rglob("*.md")]
ELSEWHERE = re.compile(
    r"<(?:script|img|iframe)[^>]+src=\"(?:https?:)?//|<link[^>]+stylesheet[^>]+href=\"(?:https?:)?//"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("website")
    words = [sys.executable, "-m", "website.build", "--to", str(folder), "--without-samples"]
    done = subprocess.run(words, cwd=build.ROOT, capture_output=True, text=True)  # its own warnings are none of ours
    assert done.returncode == 0, done.stderr  # a dead link or anchor is a warning, and so an error
    return folder / "html"


@pytest.mark.slow
def test_every_page_is_on_the_site_and_asks_for_nothing_elsewhere(site: Path) -> None:
    for page in PAGES:
        html = site / ("index.html" if page == Path("README.md") else page.with_suffix(".html"))
        assert not ELSEWHERE.search(html.read_text(encoding="utf-8")), page


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_page_is_small_complete_and_accessible(
    site: Path, browser: Browser, check_axe: Callable[[Page], list[tuple[str, str]]], scheme: str
) -> None:
    page = browser.new_page(color_scheme="dark" if scheme == "dark" else "light")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for name in ("index.html", "publish.html"):
        asked.clear()
        page.goto((site / name).as_uri())
        page.wait_for_load_state()
        assert [address for address in asked if not address.startswith("file:")] == []
        files = {Path(unquote(urlsplit(address).path)) for address in asked}
        assert sum(file.stat().st_size for file in files) < 500_000
        assert check_axe(page) == []
    page.close()


@pytest.mark.slow
def test_the_api_page_has_each_public_name_with_its_docstring(site: Path) -> None:
    text = (site / "api.html").read_text(encoding="utf-8")
    for name in (name for name in portrayal.__all__ if not name.startswith("__")):
        assert f"portrayal.{name}" in text, name
    assert "Create a study: a folder with a commented" in text


@pytest.mark.slow
def test_a_link_that_leads_nowhere_ends_the_build(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    conf = (Path(build.__file__).parent / "conf.py").read_text(encoding="utf-8")
    (source / "conf.py").write_text(conf.replace('["samples"]', "[]"), encoding="utf-8")
    (source / "toc.yml").write_text("root: index\n", encoding="utf-8")
    words = [sys.executable, "-m", "sphinx", *build.STRICT, "-b", "dummy", str(source), str(tmp_path / "out")]
    codes = []
    for text in ("# Index\n\n[here](#index)\n", "# Index\n\n[lost](nowhere.md)\n", "# Index\n\n[lost](#nowhere)\n"):
        (source / "index.md").write_text(text, encoding="utf-8")
        codes.append(subprocess.run(words, capture_output=True).returncode)
    assert codes == [0, 1, 1]


def test_every_method_has_a_sample_and_each_sample_is_a_study() -> None:
    used = set()
    for sample in SAMPLES:
        study = tomllib.loads((STUDIES / f"{sample.name}.toml").read_text(encoding="utf-8"))
        used |= {method["use"] for method in study["methods"]}
    assert used == set(METHODS.entries())
    assert {sample.name for sample in SAMPLES} == {file.stem for file in STUDIES.glob("*.toml")}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CLONES))
def test_a_method_that_reads_a_clone_has_a_whole_sample_report(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PORTRAYAL_TRUST", raising=False)  # a new checkout trusts nothing
    [sample] = [sample for sample in SAMPLES if sample.name == name]
    write_samples(tmp_path / "samples", tmp_path / "studies", [sample])
    page = (tmp_path / "samples" / name / "report" / "index.html").read_text(encoding="utf-8")
    assert f'<section id="{name}">' in page
