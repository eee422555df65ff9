from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from portrayal.records import MEASUREMENT_SCHEMA, Measurement, to_table
from portrayal.study.hooks import Hooks
from portrayal.study.report import gather, report
from portrayal.study.study import Study


def score(annotator: str) -> Measurement:
    return Measurement("faintbench", "implicit_score", "simulated@1", annotator, value=0.9, low=0.8, high=1.0, n=8)


def keep(study: Study, *rows: Measurement) -> None:
    study.workspace.tables["measurements"].replace([to_table(rows, MEASUREMENT_SCHEMA)])


def test_tables_are_written_beside_the_page_and_stale_ones_removed(make_study: Callable[..., Path]) -> None:
    study = Study(make_study())
    folder = study.root / "report" / "faintbench"
    keep(study, score("clip@1"), score("faces@1"))
    page = report(study, Hooks())
    assert {path.name for path in folder.iterdir()} == {"clip-1", "faces-1"}
    assert (folder / "clip-1" / "table_17.tex").is_file()
    assert 'href="faintbench/clip-1/tables.json"' in page.read_text(encoding="utf-8")
    (folder / "faces-1" / "mine.tex").write_text("kept", encoding="utf-8")
    (folder / "clip-1" / "table_99.tex").write_text("stale", encoding="utf-8")
    keep(study, score("clip@1"))
    report(study, Hooks())
    assert [path.name for path in (folder / "faces-1").iterdir()] == ["mine.tex"]
    assert not (folder / "clip-1" / "table_99.tex").exists()
    (folder / "faces-1" / "mine.tex").unlink()
    keep(study)
    report(study, Hooks())
    assert not folder.exists()


def test_a_study_without_the_method_gathers_nothing_about_it(make_study: Callable[..., Path]) -> None:
    data = gather(Study(make_study()))
    assert (list(data.adjusted), list(data.categories), data.profile) == ([], [], "")
