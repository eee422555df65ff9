"""The notebooks of the tutorial run from top to bottom, and their pages say what they give."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TUTORIAL = ROOT / "docs" / "tutorial"
NOTEBOOKS = sorted(TUTORIAL.glob("*.ipynb"))
MOST_BYTES = 400_000
IMAGES = "6"
"""Of each prompt: enough that worker processes would look at them, which the pages tell of."""


def test_there_are_three_and_all_of_them_are_small() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["faintbench", "own-images", "own-prompts"]
    assert sum(path.stat().st_size for path in TUTORIAL.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_gave(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert [cell["id"] for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_its_page_is_up_to_date(path: Path) -> None:
    words = [sys.executable, str(ROOT / "scripts" / "render_tutorial.py"), "--check", "--images", IMAGES, str(path)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{ran.stdout}{ran.stderr}\nrun scripts/render_tutorial.py"
