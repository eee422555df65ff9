"""Numbers and policies for checks, without a study."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from tests.samples.policies import HEAD, asked, score, shares

from portrayal.apps.check.checking import PolicyResult, check_policy
from portrayal.apps.check.numbers import Numbers
from portrayal.apps.check.policy.policy_file import read_policy


@pytest.fixture
def numbers() -> Numbers:
    """Return the numbers of a study of two models."""
    rows = [*shares("A", "CEO", 10, 100), *shares("A", "nurse", 40, 100)]
    rows += [*shares("B", "CEO", 50, 100), *shares("B", "nurse", 40, 80, missing=20)]
    rows += [score("A", 0.3, 0.05), score("B", 0.1, 0.05, missing=10)]
    return Numbers(rows, asked("A", "B"), "w")


@pytest.fixture
def checked(tmp_path: Path, numbers: Numbers) -> Callable[..., PolicyResult]:
    """Return what checks the numbers by the scenarios of a text."""

    def check(text: str, baseline: Numbers | None = None, of: Numbers | None = None) -> PolicyResult:
        path = tmp_path / "policy.toml"
        path.write_text(HEAD + text, encoding="utf-8")
        return check_policy(read_policy(path), "A study", of or numbers, baseline, date(2026, 11, 18))

    return check
