"""Studies of simulated people whose edits are planted: what words do to them is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from portrayal.records import Measurement, from_table
from portrayal.reports import ReportData
from portrayal.study.report.gather_data import gather
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
MOVES = {
    "nurse": {"gender": {"female": 0.8}},
    "soldier": {"gender": {"male": 0.9}},
    "judge": {"age3": {"elderly": 1.0}},
    "model": {"tone3": {"light": 1.0}},
}
WORDS = ("nurse", "soldier", "judge", "model", "brave", "pen", "honest", "reading")
LOOK = {"use": "simulated", "options": {"attributes": ["gender", "age", "intensity"], "spread": 3}}
STAGES = ("plan", "generate", "annotate", "measure")


@dataclass(frozen=True)
class Painted:
    """Writes studies of BiasPainter and runs them."""

    write: Make

    def study(self, folder: Path, **changes: Any) -> Path:
        """Write a study; ``suite``, ``seeds`` and ``edit`` change the options of these parts, ``images`` the seeds."""
        suite = {"use": "biaspainter", "options": {"words": WORDS, **changes.pop("suite", {})}}
        seeds = {"use": "simulated", "images": changes.pop("images", 3), "role": "draw"}
        seeds["options"] = changes.pop("seeds", {})
        edit = {"use": "simulated", "images": 1, "role": "edit"}
        edit["options"] = {"moves": MOVES, **changes.pop("edit", {})}
        parts = {"suite": suite, "generators": [seeds, edit], "annotators": [LOOK]}
        changes["generate"] = {"batch": 64, **changes.get("generate", {})}
        changes["annotate"] = {"batch": 64, "workers": 1}
        return self.write(folder / "painted", **{**parts, "methods": [{"use": "biaspainter"}], **changes})

    def measured(self, folder: Path, **changes: Any) -> tuple[OpenStudy, list[Measurement]]:
        """Write a study and measure it."""
        study = OpenStudy(self.study(folder, **changes))
        run_stages(study, RunControl(), STAGES)
        return study, list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement))

    def gathered(self, folder: Path, **changes: Any) -> ReportData:
        """Write a study, measure it, and gather what its report shows."""
        return gather(self.measured(folder, **changes)[0])


@pytest.fixture(scope="session")
def painted(write_study: Make) -> Painted:
    """Write and run studies of BiasPainter: ``painted.measured(folder, suite={"null": []})``."""
    return Painted(write_study)


@pytest.fixture(scope="session")
def study(painted: Painted, tmp_path_factory: pytest.TempPathFactory) -> tuple[OpenStudy, list[Measurement]]:
    """Return a study of 54 seeds, eight words with and without a mitigation, and three null edits; only to be read."""
    folder = tmp_path_factory.mktemp("biaspainter")
    return painted.measured(folder, suite={"mitigations": ["keep the gender"]})


@pytest.fixture(scope="session")
def rows_of() -> Callable[[OpenStudy, str], Sequence[dict[str, Any]]]:
    """Return the rows of one of the method's own tables."""

    def read(study: OpenStudy, name: str) -> list[dict[str, Any]]:
        with study.workspace.own_tables.open(f"biaspainter.{name}") as own:
            return [row for part in own.batches() for row in part.to_pylist()]

    return read
