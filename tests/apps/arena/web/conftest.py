"""A real arena on loopback: a study of planted pictures, a real server, and clients of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.samples.rater_sites import ARENA, Planted, RunningSite, copied_study, start, starting


@pytest.fixture(scope="session")
def arena_study(planted: Planted) -> Callable[..., Path]:
    """Copy the planted study to a folder: ``arena_study(folder, quota=8)`` changes its ``[arena]``."""
    return lambda folder, **config: copied_study(ARENA, planted, folder, **config)


@pytest.fixture
def start_arena(planted: Planted, tmp_path: Path) -> Iterator[Callable[..., RunningSite]]:
    """Start a server for a study of its own: ``start_arena(quota=8)``, or for one that is there: ``root=...``."""
    yield from starting(ARENA, planted, tmp_path)


@pytest.fixture(scope="module")
def start_module() -> Iterator[Callable[[Path], RunningSite]]:
    """Start a server for all tests of a module: ``start_module(root)``."""
    with ExitStack() as stack:

        def started(root: Path) -> RunningSite:
            arena = start(ARENA, root, {})
            stack.callback(arena.stop)
            return arena

        yield started


@pytest.fixture(scope="module")
def arena(arena_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory, start_module: Any) -> Any:
    """Return an arena of four comparisons and one attention check per rater that the tests of a module share."""
    return start_module(arena_study(tmp_path_factory.mktemp("arena") / "study"))
