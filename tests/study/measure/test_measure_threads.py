"""The same study gives the same table of measurements, byte for byte, on any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from portrayal.annotators import ANNOTATORS
from portrayal.store import database
from portrayal.study.measure.measure_study import measure
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

RUNS = 8


@pytest.fixture(params=[1, 2, 4])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Let DuckDB and Arrow use so many threads."""
    before = pa.cpu_count()
    monkeypatch.setitem(database._CONFIG, "threads", request.param)
    pa.set_cpu_count(request.param)
    yield request.param
    pa.set_cpu_count(before)


@pytest.fixture(scope="module")
def faces(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of real pictures with perceived age and tone as numbers, in many parts."""
    if ANNOTATORS.entries()["faces"].missing():
        pytest.skip("the extra 'faces' is not installed")
    about = {"generators": [{"use": "facegan", "images": 6}], "annotators": [{"use": "faces"}]}
    root = write_study(tmp_path_factory.mktemp("faces") / "study", **about, annotate={"batch": 3, "workers": 1})
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate", "annotate", "measure"))
    return root


def table(root: Path) -> bytes:
    (segment,) = OpenStudy(root).workspace.tables["measurements"].segments()
    return segment.path.read_bytes()


def test_real_faces_are_measured_to_the_last_bit_alike(faces: Path, threads: int) -> None:
    study = OpenStudy(faces)
    assert study.workspace.query("SELECT * FROM observations WHERE value IS NOT NULL").num_rows >= 20
    tables = {table(faces)}
    for _ in range(RUNS):
        opened = OpenStudy(faces)
        with opened.workspace.writing():
            measure(opened, RunControl())
        tables.add(table(faces))
    assert len(tables) == 1
    means = study.workspace.query("SELECT value FROM measurements WHERE metric = 'mean' AND value IS NOT NULL")
    assert means.num_rows > 0
