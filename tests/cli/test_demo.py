"""The demo as a newcomer runs it: real generator, real annotator, every stage, and its planted truth found again."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.generators import GENERATORS
from portrayal.records import Measurement, from_table
from portrayal.study.create.create_study import create_demo
from portrayal.study.study import OpenStudy

Ran = subprocess.CompletedProcess[str]
Demo = Callable[..., Ran]
LESS = {"images = 24": "images = 4"}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(GENERATORS.entries()["facegan"].missing() or ANNOTATORS.entries()["faces"].missing()),
        reason="the extra 'faces' is not installed",
    ),
]


@pytest.fixture(scope="module")
def demo(smaller_demo: Demo, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ran]:
    folder = tmp_path_factory.mktemp("demo") / "portrayal-demo"
    return folder, smaller_demo(LESS, folder)


def test_it_ends_with_the_path_of_the_report(demo: tuple[Path, Ran]) -> None:
    folder, ran = demo
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == str(folder / "report" / "index.html")
    assert (folder / "report" / "index.html").stat().st_size > 500_000


def test_it_is_as_large_as_promised(tmp_path: Path) -> None:
    create_demo(tmp_path, "representation")
    config = OpenStudy(tmp_path).config
    assert config.suite is not None
    assert len(config.suite.options["terms"]) >= 12
    assert [generator.images for generator in config.generators] == [24]


def test_nine_of_ten_intervals_hold_the_planted_truth(demo: tuple[Path, Ran]) -> None:
    rows = from_table(OpenStudy(demo[0]).workspace.query("SELECT * FROM measurements"), Measurement)
    cells = [row for row in rows if row.metric == "share" and row.level == "term" and row.planted is not None]
    assert len(cells) == 12 * (2 + 3 + 3)
    inside = [row for row in cells if (row.low or 0.0) <= (row.planted or 0.0) <= (row.high or 0.0)]
    assert len(inside) / len(cells) >= 0.9


def test_misses_are_chance_and_not_the_annotator(demo: tuple[Path, Ran]) -> None:
    """Measured against what was really drawn, every interval holds: the annotator reads nearly all as planted."""
    rows = from_table(OpenStudy(demo[0]).workspace.query("SELECT * FROM measurements"), Measurement)
    cells = [row for row in rows if row.metric == "share" and row.level == "term" and row.drawn is not None]
    assert len(cells) == 12 * (2 + 3 + 3)
    assert all((row.low or 0.0) <= (row.drawn or 0.0) <= (row.high or 0.0) for row in cells)


@pytest.mark.slow
def test_a_second_demo_draws_nothing(demo: tuple[Path, Ran], smaller_demo: Demo, command: Callable[..., Ran]) -> None:
    folder, _ = demo
    before = _drawn(folder)
    again = smaller_demo(LESS, folder)
    assert again.returncode == 0
    assert "generate facegan@1: nothing to do" in again.stderr
    assert _drawn(folder) == before
    status = json.loads(command("status", folder, "--json").stdout)
    assert status["outcomes"] == {"facegan@1": {"made": 12 * 4}}


def _drawn(folder: Path) -> dict[str, str]:
    files = [*(folder / "images").rglob("*.jpg"), *(folder / "tables" / "outcomes").iterdir()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
