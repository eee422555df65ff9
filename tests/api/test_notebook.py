"""In a real notebook kernel: bars while it works, a chart and pictures where a cell ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

CELLS = [
    """
import portrayal
prompts = ["a photo of one nurse", "a photo of one CEO"]
study = portrayal.Study.create("study", prompts=prompts, generator="simulated", annotator="simulated", images=2)
study
""",
    "study.run()",
    "study.status",
    "study.measurements(metric='share', attribute='gender', level='term').plot()",
    "study.images().show()",
    "study.images()",
]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[list[dict[str, Any]]]:
    """Run the cells from top to bottom and return what each shows."""
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell.strip()) for cell in CELLS])
    folder: Path = tmp_path_factory.mktemp("notebook")
    nbclient.NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(folder)}}).execute()
    return [[output.get("data", {}) for output in cell["outputs"]] for cell in notebook.cells]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of what the kernel's client is made of
def test_a_run_shows_a_bar_for_each_stage_that_ends_full(outputs: list[list[dict[str, Any]]]) -> None:
    *bars, path = outputs[1]
    assert [bar["text/plain"].partition(":")[0] for bar in bars] == [
        "plan", "generate simulated@1", "annotate simulated@1", "measure", "report"
    ]  # fmt: skip
    assert '<progress max="4" value="4"></progress> generate simulated@1: 4 of 4' in bars[1]["text/html"]
    assert path["text/plain"] == "PosixPath('study/report/index.html')"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_what_ends_a_cell_is_shown(outputs: list[list[dict[str, Any]]]) -> None:
    created, _, status, chart, pictures, rows = (cell[-1] for cell in outputs)
    assert "<b>study</b>" in created["text/html"]
    assert "<td>judged</td><td>4</td>" in status["text/html"]
    assert chart["image/svg+xml"].startswith("<svg ")
    assert pictures["text/html"].count("<img ") == 4
    assert "4 rows" in rows["text/html"]
