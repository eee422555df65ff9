"""Studies that an older version began: their tables have no keys beside names, and smaller row groups."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import portrayal
from portrayal.store.workspace import Workspace


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *, old: bool) -> pa.Table:
    """Return the measurements; beside them stands which files they were computed from."""
    with monkeypatch.context() as patch:
        if old:
            patch.setattr("portrayal.store.workspace.LAYOUTS", {})
        portrayal.Study(folder).run(progress=False)
    (measured,) = (folder / "tables" / "measurements").glob("*.parquet")
    return pq.read_table(measured).replace_schema_metadata()


def columns(folder: Path, name: str) -> list[set[str]]:
    segments = Workspace(folder).tables[name].segments()
    return [set(pq.read_schema(segment.path).names) for segment in segments]


def test_a_study_that_an_older_version_began_goes_on_and_gives_the_same_rows(
    make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_study(generators=[{"use": "simulated", "images": 6, "options": {"pixels": False, "refused": 0.2}}])
    first = run(folder, monkeypatch, old=True)
    assert not any("image_key" in names for names in columns(folder, "observations"))
    assert run(folder, monkeypatch, old=False) == first

    settings = folder / "study.toml"
    settings.write_text(settings.read_text().replace('"images" = 6', '"images" = 9'))
    whole = run(folder, monkeypatch, old=False)
    assert {"image_key" in names for names in columns(folder, "observations")} == {True, False}
    assert {"job_key" in names for names in columns(folder, "outcomes")} == {True, False}
    for name in ("jobs", "outcomes", "observations"):
        table = Workspace(folder).tables[name]
        table.replace(list(table.batches()))
    assert run(folder, monkeypatch, old=False) == whole
