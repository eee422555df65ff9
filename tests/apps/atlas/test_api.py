"""An atlas as an object holds, reports and compares what the commands do."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import portrayal
from portrayal import Atlas, Study
from portrayal.errors import InputError, StudyError, UnknownNameError

Run = Callable[..., subprocess.CompletedProcess[str]]
SCORES = ("distribution_bias", "jaccard_hallucination", "miss_rate")
MINE = f"model,category,created,protocol,run,{','.join(SCORES)}\n"
ROWS = "a,art,2022-08,mine,1,0.5,0.2,0.1\nb,art,2023-01,mine,1,0.25,0.4,0.3\n"


@pytest.fixture
def atlas(tmp_path: Path) -> Atlas:
    """Return an atlas of two models, without the released ones."""
    (tmp_path / "models.csv").write_text(MINE + ROWS, encoding="utf-8")
    found = Atlas(tmp_path / "atlas")
    assert repr(found).endswith("nothing was added yet")
    change = found.import_files(tmp_path / "models.csv", empty=True)
    assert (change.new, change.evaluations, change.models, change.problems) == (2, 2, 2, [])
    return found


def test_models_and_evaluations_are_those_of_the_commands(atlas: Atlas, cli: Run) -> None:
    assert repr(atlas).endswith("2 models, 2 evaluations")
    assert list(atlas.models()) == json.loads(cli("atlas", "list", atlas.folder, "--json").stdout)
    shown = json.loads(cli("atlas", "show", atlas.folder, "a", "--json").stdout)
    [evaluation] = shown["evaluations"]
    assert {row["score"]: row["value"] for row in atlas.evaluations(model="a")} == {
        name: score["value"] for name, score in evaluation["scores"].items()
    }
    assert [row["model"] for row in atlas.evaluations(score="miss_rate")] == ["a", "b"]
    with pytest.raises(UnknownNameError, match="no evaluation has the model 'c'"):
        atlas.evaluations(model="c")
    with pytest.raises(UnknownNameError, match=r"no filter is called 'scores'; did you mean 'score'\?"):
        atlas.evaluations(scores="miss_rate")  # type: ignore[arg-type]  # that is the point


def test_rows_that_cannot_be_read_and_figures_that_change_are_named(atlas: Atlas, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text(f"{MINE}a,,,mine,1,0.75,0.2,0.1\nc,art,2022,mine,1,0.5,0.1,0.1\n")
    change = atlas.import_files(tmp_path / "more.csv")
    assert (change.new, change.evaluations, change.models) == (0, 2, 2)
    [problem], [remark] = change.problems, change.remarks
    assert "more.csv:3: column 'created' must be a date" in problem
    assert remark.startswith("'a', run '1', was in the atlas with other figures; the last ones given count")
    with pytest.raises(InputError, match="nothing to import"):
        atlas.import_files()


def test_models_are_compared_and_saved(atlas: Atlas, cli: Run, tmp_path: Path) -> None:
    rows = atlas.compare("a", "b")
    assert [(row["label"], row["distribution_bias"]) for row in rows] == [("a", 0.5), ("b", 0.25)]
    assert sorted(row["miss_rate_normalised"] for row in rows) == [0.0, 1.0]
    files = rows.save(tmp_path / "python")
    assert cli("atlas", "compare", atlas.folder, "a", "b", "--to", tmp_path / "command").returncode == 0
    assert {path.name: path.read_bytes() for path in files} == {
        path.name: path.read_bytes() for path in (tmp_path / "command").iterdir()
    }
    with pytest.raises(InputError, match="pictures are written as svg, pdf, png, not 'gif'"):
        rows.save(tmp_path / "gif", formats="gif")
    with pytest.raises(InputError, match="language: pages are written in en, de, not 'fr'"):
        rows.save(tmp_path / "fr", language="fr")
    assert not (tmp_path / "gif").exists()


def test_the_page_is_written(atlas: Atlas, cli: Run) -> None:
    page = atlas.report(compare=["a", "b"], language="de")
    mine = page.read_bytes()
    words = ("--language", "de", "--compare", "a", "--compare", "b")
    assert cli("atlas", "report", atlas.folder, *words).stdout.strip() == str(page)
    assert page.read_bytes() == mine
    assert b'lang="de"' in mine


@pytest.mark.slow
def test_a_study_is_added_by_its_object_or_its_folder(finished: Path, tmp_path: Path) -> None:
    atlas = portrayal.Atlas(tmp_path / "atlas")
    change = atlas.add(Study(finished), run="first", empty=True)
    assert change.new == len(atlas.models()) > 0
    assert {row["run"] for row in atlas.evaluations()} == {"first"}
    assert atlas.add(finished, run="first").new == 0
    with pytest.raises(StudyError, match="no atlas here"):
        Atlas(tmp_path / "none").models()
