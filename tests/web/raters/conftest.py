"""Every kind of site with raters, one after the other: what is tested here must hold of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page
from tests.samples.rater_sites import ARENA, LABELS, Planted, RunningSite, SiteKind, copied_study, start, starting

UNFINISHED = "Failed to load resource: the server responded with a status of 422"
"""What Chromium says of any page that answers an unfinished form."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module", params=[ARENA, LABELS], ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> SiteKind:
    """Return a kind of site."""
    found: SiteKind = request.param
    return found


@pytest.fixture
def start_site(kind: SiteKind, planted: Planted, tmp_path: Path) -> Iterator[Callable[..., RunningSite]]:
    """Start a server for a study of its own: ``start_site(quota=8)``, or for one that is there: ``root=...``."""
    yield from starting(kind, planted, tmp_path)


@pytest.fixture(scope="module")
def site(kind: SiteKind, planted: Planted, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """Return a site of five tasks per rater that the tests of a module share."""
    running = start(kind, copied_study(kind, planted, tmp_path_factory.mktemp("site") / "study", open=False), {})
    yield running
    running.stop()


@pytest.fixture
def open_page(browser: Browser, site: Any) -> Iterator[Callable[..., Page]]:
    """Open a rater's first task; fail for a message in the console, a request elsewhere, or an overflow."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def opened(token: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.extend([message.text] * (UNFINISHED not in message.text)))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: problems.extend([asked.url] * (not asked.url.startswith(site.address))))
        page.goto(f"{site.address}/r/{token}")
        for _ in ("consent", "questions"):
            page.locator("main button.main").click()
        page.wait_for_url(f"**{site.kind.path}")
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            assert page.evaluate(OVERFLOW) == 0, page.url
        context.close()
    assert problems == []
