from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from portrayal.errors import StudyError, UnknownNameError
from portrayal.evidence import Evidence
from portrayal.methods.base import Method
from portrayal.records import Measurement, from_table
from portrayal.reports.text.notes import plain_notes
from portrayal.study.measure.measure_study import measure
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
Ran = subprocess.CompletedProcess[str]
STAGES = ("plan", "generate", "annotate", "measure")


def shares(study: OpenStudy) -> list[Measurement]:
    rows = from_table(study.workspace.query("SELECT * FROM measurements"), Measurement)
    return [row for row in rows if row.metric == "share"]


@pytest.mark.slow
def test_planted_truth_lies_inside_the_intervals(make_study: Make) -> None:
    terms = {"nurse": {"gender": {"male": 0.15, "female": 0.85}}, "CEO": {"gender": {"male": 0.8, "female": 0.2}}}
    options = {"terms": terms, "refused": 0.05, "no_person": 0.05}
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 200, "options": options}]))
    run_stages(study, RunControl(), STAGES)
    cells = [row for row in shares(study) if row.level == "term"]
    inside = [row for row in cells if (row.low or 0.0) <= (row.planted or 0.0) <= (row.high or 0.0)]
    assert len(cells) == 16
    assert all(row.planted is not None and row.low is not None for row in cells)
    assert len(inside) >= 14


@pytest.mark.slow
def test_what_is_used_and_what_is_missing_add_up_to_what_was_asked(make_study: Make) -> None:
    options = {"refused": 0.2, "failed": 0.3, "no_person": 0.2, "several": 0.2}
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 50, "options": options}]))
    run_stages(study, RunControl(), STAGES)
    for row in shares(study):
        assert row.n + row.missing == (50 if row.level != "overall" else 100)


@pytest.mark.slow
def test_measuring_twice_gives_the_same_numbers(make_study: Make) -> None:
    study = OpenStudy(make_study())
    run_stages(study, RunControl(), STAGES)
    assert measure(study, RunControl()) == measure(study, RunControl())
    assert len({path.name for path in (study.root / "tables" / "measurements").iterdir()}) == 1


def test_without_annotators_there_is_nothing_to_measure(make_study: Make) -> None:
    study = OpenStudy(make_study(annotators=[]))
    with pytest.raises(StudyError, match=r"no \[\[annotators\]\]"):
        measure(study, RunControl())


class Silent(Method):
    """Finds nothing that it needs, as one of pairs with equal seeds does where no prompts share theirs."""

    name = "representation"
    needs = ()

    def measure(self, evidence: Evidence, *, rng: np.random.Generator) -> Iterator[Measurement]:
        return iter(())


@pytest.mark.slow
def test_a_method_without_rows_is_named_and_nobody_is_told_to_measure_again(make_study: Make) -> None:
    study = OpenStudy(make_study())
    run_stages(study, RunControl(), ("plan", "generate", "annotate"))
    assert "run: portrayal measure" in str(nothing_measured(study))
    study.methods[:] = [Silent({}, study.root)]
    said: list[str] = []
    measure(study, RunControl(remark=said.append))
    assert said == ["the method representation gave no row: nothing that it needs is there"]
    assert str(nothing_measured(study)).endswith(
        "measured, but no method gave a row; look at what is missing in its report"
    )


@pytest.mark.slow
def test_a_study_with_nothing_usable_has_no_values(make_study: Make) -> None:
    study = OpenStudy(make_study(generators=[{"use": "simulated", "images": 3, "options": {"no_person": 1.0}}]))
    run_stages(study, RunControl(), STAGES)
    assert shares(study)
    for row in shares(study):
        assert row.value is None
        assert plain_notes(row.notes) == f"no usable image (no person {row.missing})"


@pytest.mark.slow
def test_a_stopped_measurement_leaves_the_last_one_alone(make_study: Make) -> None:
    study = OpenStudy(make_study())
    run_stages(study, RunControl(), STAGES)
    before = shares(study)
    assert measure(study, RunControl(stopped=lambda: True)) == []
    assert shares(study) == before


def methods(study: OpenStudy) -> dict[str, int]:
    """Return how many rows each method has."""
    rows = study.workspace.query("SELECT method, count(*) AS n FROM measurements GROUP BY ALL ORDER BY ALL")
    return {row["method"]: row["n"] for row in rows.to_pylist()}


@pytest.mark.slow
def test_a_method_that_is_not_in_the_study_runs_with_its_defaults_until_the_next_plain_measure(
    make_study: Make,
) -> None:
    folder = make_study()
    run_stages(OpenStudy(folder), RunControl(), STAGES)
    plain = methods(OpenStudy(folder))
    narrowed = OpenStudy(folder)
    narrowed.narrow("faintbench")
    rows = measure(narrowed, RunControl())
    assert {row.method for row in rows} == {"faintbench"}
    assert methods(narrowed) == {**plain, "faintbench": len(rows)}
    measure(OpenStudy(folder), RunControl())
    assert methods(OpenStudy(folder)) == plain


@pytest.mark.slow
def test_rows_of_the_other_methods_of_the_study_stay(make_study: Make) -> None:
    both = [{"use": "representation", "options": {"draws": 100}}, {"use": "faintbench", "options": {"draws": 100}}]
    folder = make_study(methods=both)
    run_stages(OpenStudy(folder), RunControl(), STAGES)
    before = stored(folder)
    assert set(methods(OpenStudy(folder))) == {"representation", "faintbench"}
    narrowed = OpenStudy(folder)
    narrowed.narrow("representation")
    assert {row.method for row in measure(narrowed, RunControl())} == {"representation"}
    assert stored(folder) == before, "the same options give the same rows, and the others are left as they are"


def stored(folder: Path) -> list[str]:
    return sorted(map(str, from_table(OpenStudy(folder).workspace.query("SELECT * FROM measurements"), Measurement)))


@pytest.mark.slow
def test_rows_of_a_method_that_left_the_study_vanish(make_study: Make) -> None:
    folder = make_study(methods=[{"use": "faintbench"}])
    run_stages(OpenStudy(folder), RunControl(), STAGES)
    assert set(methods(OpenStudy(folder))) == {"faintbench"}
    config = folder / "study.toml"
    config.write_text(config.read_text().replace('"faintbench"', '"representation"'))
    run_stages(OpenStudy(folder), RunControl(), ("plan", "measure"))
    assert set(methods(OpenStudy(folder))) == {"representation"}


@pytest.mark.slow
def test_a_stop_while_aligning_leaves_the_last_measurement_alone(make_study: Make) -> None:
    folder = make_study(methods=[{"use": "faintbench"}])
    run_stages(OpenStudy(folder), RunControl(), STAGES)
    before = stored(folder)
    assert measure(OpenStudy(folder), RunControl(stopped=lambda: True)) == []
    assert stored(folder) == before


def test_an_unknown_method_is_one_line_with_a_hint(make_study: Make) -> None:
    with pytest.raises(UnknownNameError, match=r"faintbench"):
        OpenStudy(make_study()).narrow("faintbnch")


@pytest.mark.slow
def test_the_command_measures_one_method(make_study: Make, cli: Callable[..., Ran]) -> None:
    folder = make_study()
    run_stages(OpenStudy(folder), RunControl(), STAGES)
    ran = cli("measure", folder, "--method", "faintbench", "--json")
    assert ran.returncode == 0, ran.stderr
    assert {row["method"] for row in json.loads(ran.stdout)} == {"faintbench"}
    assert set(methods(OpenStudy(folder))) == {"representation", "faintbench"}
    wrong = cli("measure", folder, "--method", "faintbnch")
    assert wrong.returncode != 0
    assert "faintbench" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_progress_ends_at_its_total_whoever_looked(finished_copy: Path) -> None:
    told: list[tuple[str, int]] = []

    class Shown:
        def start(self, stage: str, total: int) -> None:
            told.append((stage, total))

        def advance(self, steps: int) -> None:
            told.append(("done", steps))

        def finish(self) -> None: ...

    config = finished_copy / "study.toml"
    more = config.read_text().replace("annotators = [", 'annotators = [{ use = "imported:humans" }, ')
    config.write_text(more, encoding="utf-8")
    study = OpenStudy(finished_copy)
    assert len(study.annotators) == 2
    measure(study, RunControl(Shown()))
    (_, total), *steps = told
    assert sum(number for _, number in steps) == total > 1
