"""Every kind of site with raters, one after the other: what is tested here must hold of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.samples.rater_sites import ARENA, LABELS, Planted, RunningSite, SiteKind, copied_study, start, starting


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
