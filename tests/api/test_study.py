"""A study as an object does what the command line does, and its rows are those of the tables."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import portrayal
from portrayal import Study
from portrayal.errors import ConfigError, StoppedError, StudyError, StudyLockedError, UnknownNameError
from portrayal.store.workspace import Workspace

Make = Callable[..., Path]
Tree = Callable[[Path], dict[str, bytes | None]]
PROMPTS = ["a photo of one nurse", {"text": "a photo of one CEO", "term": "CEO"}]
DRAWS = {"use": "representation", "options": {"draws": 100}}


def create(folder: Path, **changes: Any) -> Study:
    wanted = {"prompts": PROMPTS, "generator": "simulated", "annotator": "simulated", "images": 2, "method": DRAWS}
    return Study.create(folder, **{**wanted, **changes})


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of two models that was created and run from Python; only to be read."""
    models = ["simulated", {"use": "simulated", "options": {"size": 4}}]
    study = create(tmp_path_factory.mktemp("api") / "study", generator=models)
    assert study.run(progress=False) == study.folder / "report/index.html"
    return study


@pytest.mark.slow
def test_a_study_is_created_run_and_read(done: Study) -> None:
    assert (done.folder / "report/index.html").is_file()
    assert (done.status.jobs, done.status.prompts) == (8, 2)
    assert [row["term"] for row in done.prompts()] == ["a photo of one nurse", "CEO"]
    assert [row["term"] for row in done.prompts(term="CEO")] == ["CEO"]
    assert len(done.images()) == 8
    assert {row["model"] for row in done.images(term="CEO", annotator="simulated")} == set(done.status.outcomes)
    assert len(done.observations()) == 24
    assert {row["attribute"] for row in done.observations(attribute="gender")} == {"gender"}


@pytest.mark.slow
def test_measurements_are_chosen_by_their_columns_and_their_notes_are_in_words(done: Study) -> None:
    stored = Workspace(done.folder).query("SELECT * FROM measurements WHERE metric = 'share' AND level = 'term'")
    rows = done.measurements(metric="share", level="term")
    assert rows.to_arrow().drop_columns(["note", "generator_id", "annotator_id"]).equals(stored)
    assert [row["note"] for row in rows] == [f"only {row['n']} images" for row in rows]
    one = done.measurements(metric="share", level="term", item="CEO", attribute="gender", group="female")
    assert [row["generator"] for row in one] == list(done.status.outcomes)
    with pytest.raises(UnknownNameError, match=r"no measurement has the metric 'shares'; did you mean 'share'\?"):
        done.measurements(metric="shares")
    with pytest.raises(UnknownNameError, match=r"no image has the term 'CEOs'; did you mean 'CEO'\?"):
        done.images(term="CEOs")


@pytest.mark.slow
def test_reading_and_opening_write_nothing(done: Study, tree: Tree) -> None:
    before = tree(done.folder)
    study = Study(str(done.folder))
    assert "2 prompts, 8 images planned" in repr(study)
    assert "8 images planned" in study._repr_html_()
    for rows in (study.images(), study.prompts(), study.observations(), study.measurements(), study.status):
        assert repr(rows)
        assert rows._repr_html_()
    assert tree(done.folder) == before


def test_a_folder_that_is_no_study_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(
        StudyError, match=r"no study\.toml here; create a study with: .* \(in Python: portrayal\.Study\.create\)$"
    ):
        Study(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_stages_run_one_by_one_and_what_is_done_stays_done(tmp_path: Path, rows: Callable[[Path], Any]) -> None:
    study = create(tmp_path / "study")
    study.plan(progress=False)
    assert [(part.stage, part.images) for part in study.costs(progress=False)] == [("generate", 4), ("annotate", 4)]
    assert [part.stage for part in study.costs("annotate", progress=False)] == ["annotate"]
    study.generate(progress=False)
    study.annotate(progress=False)
    measured = study.measure(progress=False)
    assert len(measured) == study.status.measurements > 0
    before = rows(study.folder)
    assert study.report(progress=False).is_file()
    study.run(progress=False)
    assert rows(study.folder) == before


def test_a_stage_that_costs_nothing_is_refused(tmp_path: Path) -> None:
    study = create(tmp_path / "study")
    with pytest.raises(UnknownNameError, match=r"no stage named 'generat' costs anything; did you mean 'generate'\?"):
        study.costs("generat")  # type: ignore[arg-type]  # that is the point


def test_a_study_stays_the_same_one_when_the_program_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = create(Path("study"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir("other")
    study.plan(progress=False)
    assert study.status.jobs == 4
    assert study.folder == tmp_path / "study"


def test_a_study_that_cannot_be_read_is_shown_with_the_reason(tmp_path: Path) -> None:
    study = create(tmp_path / "study", title="a\x1b[2Jb")
    assert "a\\u001b[2Jb, 0 prompts" in repr(study)
    (study.folder / "study.toml").write_text("[study")
    assert "study.toml" in repr(study)
    assert "study.toml" in study._repr_html_()


def test_a_suite_may_be_a_path(tmp_path: Path) -> None:
    (tmp_path / "prompts.csv").write_text("text\na nurse\n")
    study = create(tmp_path / "study", prompts=None, suite=tmp_path / "prompts.csv")
    assert [row["text"] for row in study.prompts()] == ["a nurse"]


def test_a_wrong_name_is_told_before_there_are_rows(tmp_path: Path) -> None:
    study = create(tmp_path / "study")
    assert len(study.images(term="CEO", model="simulated", annotator="simulated")) == 0
    assert len(study.measurements(method="representation", metric="share", generator="simulated")) == 0
    with pytest.raises(UnknownNameError, match=r"no image has the term 'CEOs'; did you mean 'CEO'\?"):
        study.images(term="CEOs")
    with pytest.raises(UnknownNameError, match=r"no observation has the annotator 'simulatd'; did you mean"):
        study.observations(annotator="simulatd")
    with pytest.raises(UnknownNameError, match=r"no measurement has the method 'representatio'; did you mean"):
        study.measurements(method="representatio")


def test_an_edited_file_counts_at_once(tmp_path: Path) -> None:
    study = create(tmp_path / "study")
    study.plan(progress=False)
    config = study.folder / "study.toml"
    config.write_text(config.read_text(encoding="utf-8").replace("images = 2", "images = 5"), encoding="utf-8")
    study.plan(progress=False)
    assert study.status.jobs == 10


def test_what_is_still_to_do_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    create(tmp_path / "study", annotator="clip:owner/name")
    assert "to do in study.toml: " in capsys.readouterr().err


@pytest.mark.parametrize("budget", [-1.0, float("nan"), float("inf"), "5"])
def test_a_budget_that_is_no_sum_is_refused(tmp_path: Path, budget: Any) -> None:
    study = create(tmp_path / "study")
    with pytest.raises(ConfigError, match=r"budget: \S+ is no sum of money"):
        study.run(budget=budget)


def test_a_study_that_another_works_on_is_refused_and_its_status_is_told(tmp_path: Path) -> None:
    study = create(tmp_path / "study")
    with Workspace(study.folder).writing(), pytest.raises(StudyLockedError):
        study.plan()
    with Workspace(study.folder).writing():
        assert study.status.jobs == 0


def test_work_in_another_thread_is_not_asked_to_stop(tmp_path: Path) -> None:
    study = create(tmp_path / "study")
    failed: list[BaseException] = []

    def work() -> None:
        try:
            study.generate(progress=False)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert failed == []
    assert study.status.outcomes == {"simulated@1": {"made": 4}}


@pytest.mark.slow
def test_a_program_stops_work_in_another_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from portrayal.generators.simulated import Simulated

    study = create(tmp_path / "study", images=8)
    drawn, begun, asked = Simulated.generate, threading.Event(), threading.Event()

    def waiting(self: Simulated, jobs: Any) -> Any:
        begun.set()
        asked.wait()
        return drawn(self, jobs)

    monkeypatch.setattr(Simulated, "generate", waiting)
    study.stop()  # there is nothing to stop yet
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(study.run, progress=False)
        begun.wait()
        study.stop()
        asked.set()
        with pytest.raises(StoppedError, match="stopped; nothing is lost, run it again to go on"):
            work.result()
    assert study.status.outcomes == {"simulated@1": {"made": 8, "pending": 8}}
    study.generate(progress=False)
    assert study.status.outcomes == {"simulated@1": {"made": 16}}


@pytest.mark.slow
def test_without_progress_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def looks(picture: Any) -> dict[str, str]:
        return {"gender": "female"}

    study = create(tmp_path / "study", annotator=looks, images=40)
    study.generate(progress=False)
    study.annotate(progress=False)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_ctrl_c_commits_what_is_under_way_and_raises(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    from portrayal.generators.simulated import Simulated

    study = create(tmp_path / "study", images=8)
    drawn = Simulated.generate

    def interrupted(self: Simulated, jobs: Any) -> Any:
        for number, result in enumerate(drawn(self, jobs)):
            if number == 3:
                os.kill(os.getpid(), signal.SIGINT)
            yield result

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(Simulated, "generate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        study.run(progress=False)
    assert study.status.outcomes == {"simulated@1": {"made": 8, "pending": 8}}  # a batch is eight images
    assert capfd.readouterr().err.splitlines() == [
        "stopping after the current batch; press Ctrl-C again to stop at once",
        "stopped; nothing is lost, run it again to go on",
    ]
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.undo()
    study.run(progress=False)
    assert study.status.outcomes == {"simulated@1": {"made": 16}}


NAMES = [
    "Arena", "Atlas", "History", "Labels", "Study", "__version__", "check", "doctor", "errors", "function_annotator",
    "metrics", "rate",
]  # fmt: skip
"""What the package promises to keep; a name goes only with a new major version."""


def test_the_package_offers_what_it_promises() -> None:
    assert sorted(portrayal.__all__) == NAMES
    assert all(getattr(portrayal, name) is not None for name in NAMES)
    assert set(NAMES) <= set(dir(portrayal))
    with pytest.raises(AttributeError, match="has no attribute 'Studi'"):
        _ = portrayal.Studi  # type: ignore[attr-defined]  # that is the point
    assert portrayal.metrics.implicit_score is not None
    assert portrayal.rate([("a", "b", 0), ("b", "a", 1)], draws=100).sections[0].ratings[0].model == "a"


def test_importing_the_package_loads_none_of_it() -> None:
    said = "import sys, portrayal; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert {"numpy", "pyarrow", "duckdb", "pydantic", "scipy", "jinja2", "rich", "typer", "PIL"} & loaded == set()
    assert {name for name in loaded if name.startswith("portrayal")} == {"portrayal"}
