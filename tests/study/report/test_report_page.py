from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import ConfigError
from portrayal.records import MEASUREMENT_SCHEMA, Measurement, to_table
from portrayal.study.report.gather_data import gather
from portrayal.study.report.report_page import report
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy


def score(annotator: str) -> Measurement:
    return Measurement("faintbench", "implicit_score", "simulated@1", annotator, value=0.9, low=0.8, high=1.0, n=8)


def keep(study: OpenStudy, *rows: Measurement) -> None:
    study.workspace.tables["measurements"].replace([to_table(rows, MEASUREMENT_SCHEMA)])


@pytest.mark.slow
def test_tables_are_written_beside_the_page_and_stale_ones_removed(make_study: Callable[..., Path]) -> None:
    study = OpenStudy(make_study())
    folder = study.root / "report" / "faintbench"
    keep(study, score("clip@1"), score("faces@1"))
    page = report(study, RunControl())
    assert {path.name for path in folder.iterdir()} == {"clip-1", "faces-1"}
    assert (folder / "clip-1" / "table_17.tex").is_file()
    assert 'href="faintbench/clip-1/tables.json"' in page.read_text(encoding="utf-8")
    (folder / "faces-1" / "mine.tex").write_text("kept", encoding="utf-8")
    (folder / "clip-1" / "table_99.tex").write_text("stale", encoding="utf-8")
    keep(study, score("clip@1"))
    report(study, RunControl())
    assert [path.name for path in (folder / "faces-1").iterdir()] == ["mine.tex"]
    assert not (folder / "clip-1" / "table_99.tex").exists()
    (folder / "faces-1" / "mine.tex").unlink()
    keep(study)
    report(study, RunControl())
    assert not folder.exists()


@pytest.mark.slow
def test_the_report_is_in_the_language_that_the_study_asks_for(make_study: Callable[..., Path]) -> None:
    root = make_study()
    page = report(OpenStudy(root), RunControl()).read_text(encoding="utf-8")
    assert '<html lang="en">' in page
    config = root / "study.toml"
    config.write_text(config.read_text(encoding="utf-8") + '\n[report]\nlanguage = "de"\n', encoding="utf-8")
    study = OpenStudy(root)
    keep(study, score("clip@1"))
    page = report(study, RunControl()).read_text(encoding="utf-8")
    assert '<html lang="de">' in page
    assert "<dt>Seed der Studie</dt>" in page
    assert "Drei Ergebnisse je Modell." in page
    # What goes into a paper, or into another program, is the same in every language.
    assert "Implicit bias score" in (root / "report/faintbench/clip-1/table_02.tex").read_text(encoding="utf-8")


def test_another_language_is_refused_in_one_line(make_study: Callable[..., Path]) -> None:
    root = make_study()
    config = root / "study.toml"
    config.write_text(config.read_text(encoding="utf-8") + '\n[report]\nlanguage = "fr"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"'report.language': input should be 'en' or 'de' \(got 'fr'\)"):
        OpenStudy(root)


def test_what_is_read_off_planted_people_is_not_said_to_be_read_from_pixels(make_study: Callable[..., Path]) -> None:
    planted = gather(OpenStudy(make_study()))
    assert planted.attributes["tone3"].caution == ""
    for order in (("simulated", "faces"), ("faces", "simulated")):
        both = gather(OpenStudy(make_study("-".join(order), annotators=[{"use": name} for name in order])))
        assert "read from pixels" in both.attributes["tone3"].caution


KILLED = """
import os, sys
from pathlib import Path
from portrayal.cli.main import main
from portrayal.store import files

os.fsync = lambda _: os._exit(9) if any(Path(sys.argv[2], "report").rglob(".tmp-*")) else None
main()
"""


@pytest.mark.slow
def test_what_a_killed_report_left_is_removed_by_the_next(make_study: Callable[..., Path]) -> None:
    study = OpenStudy(make_study())
    report(study, RunControl())
    words = [sys.executable, "-c", KILLED, "report", str(study.root)]
    assert subprocess.run(words, check=False).returncode == 9
    folder = study.root / "report"
    assert len([*folder.rglob(".tmp-*")]) == 1
    mine = folder / ".tmp-mine"
    mine.touch()
    report(study, RunControl())
    assert [*folder.rglob(".tmp-*")] == [mine]
