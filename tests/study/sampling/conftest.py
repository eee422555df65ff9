"""A study that is drawn in rounds: nurses are nearly all women, half of the clerks are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.records import DrawnRound, from_table
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

PROMPTS = "text,term\na photo of a nurse,nurse\na portrait of a nurse,nurse\na photo of a clerk,clerk\n"
NURSES = {"nurse": {"gender": {"female": 0.98, "male": 0.02}}}
DRAWS = {"terms": NURSES, "refused": 0.1, "size": 2}
SAMPLING = {"about": {"attribute": "gender"}, "tolerance": 0.15, "pilot": 5}


@pytest.fixture(scope="session")
def write_adaptive(write_study: Callable[..., Path]) -> Callable[..., Path]:
    """Write the study; ``sampling`` and ``images`` change it."""

    def write(folder: Path, *, images: int = 40, sampling: dict[str, Any] | None = None, **tables: Any) -> Path:
        given = {"use": "simulated", "images": images, "options": DRAWS}
        about = SAMPLING if sampling is None else sampling
        suite = {"use": "file", "options": {"path": "prompts.csv"}}
        return write_study(
            folder, prompts=PROMPTS, **{"suite": suite, "generators": [given], "sampling": about, **tables}
        )

    return write


@pytest.fixture
def adaptive(write_adaptive: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """Write it to the test's own folder."""
    return lambda name="study", **changes: write_adaptive(tmp_path / name, **changes)


def run(root: Path, *stages: str, control: RunControl | None = None) -> OpenStudy:
    """Run a study, or some of its stages, in this process."""
    if stages:
        run_stages(OpenStudy(root), control or RunControl(), stages)
    else:
        run_stages(OpenStudy(root), control or RunControl())
    return OpenStudy(root)


def rounds(study: OpenStudy, number: int = 0) -> list[DrawnRound]:
    """Return what the looks decided, or one of them."""
    rows = list(from_table(study.workspace.query("SELECT * FROM rounds"), DrawnRound))
    return [row for row in rows if number in (0, row.number)]


def last(study: OpenStudy) -> dict[str, DrawnRound]:
    """Return what the last look decided, by the text of the prompt."""
    texts = {row["id"]: row["text"] for row in study.workspace.query("SELECT id, text FROM prompts").to_pylist()}
    rows = rounds(study)
    return {texts[row.prompt]: row for row in rows if row.number == rows[-1].number}
