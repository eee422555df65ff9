"""A small tree of the form of BiasIG's repository."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from website.clones.biasig import write_tree


@pytest.fixture(scope="session")
def make_clone() -> Callable[..., Path]:
    """Write a small clone: ``make_clone(folder)``."""
    return write_tree


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a small clone."""
    return write_tree(tmp_path / "clone")
