"""From the site into the study: the rows of a sheet, once, and used by all that uses labels."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal import Study
from portrayal.apps.labels.api import Labels
from portrayal.apps.labels.database.draw_pictures import wanted_sample
from portrayal.apps.labels.web.service import LabelsService
from portrayal.errors import InputError, StudyError
from portrayal.study.importing.labels.label_sheet import Sample
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

PEOPLE = {"use": "imported:people", "options": {"attributes": ["gender"]}}


@pytest.fixture(scope="module")
def run(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_study(
        tmp_path_factory.mktemp("run") / "study",
        generators=[{"use": "simulated", "images": 12}],
        annotators=[{"use": "simulated"}, PEOPLE],
        methods=[{"use": "representation", "options": {"references": {"gender": "uniform"}}}],
        labels={"quota": 100},
    )
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate", "annotate", "measure"))
    return root


@pytest.fixture
def root(run: Path, tmp_path: Path) -> Path:
    return shutil.copytree(run, tmp_path / "study")


def planted(root: Path) -> dict[str, str]:
    rows = OpenStudy.to_read(root).workspace.query("SELECT image, planted FROM outcomes WHERE len(planted) = 1")
    return {row["image"]: dict(row["planted"][0])["gender"] for row in rows.to_pylist()}


def label_all(root: Path, people: int, sample: Sample | None = None, wrong: float = 0.0) -> list[Any]:
    """Let so many people label until there is nothing left, and return all answered tasks."""
    truth, chance = planted(root), random.Random(3)

    async def session() -> list[Any]:
        service = await LabelsService.open(OpenStudy(root))
        try:
            await service.draw(sample)
            await service.invite(people, "pilot")
            for rater in service.raters():
                while task := await service.current_task(rater.id):
                    said = truth[task.image]
                    if chance.random() < wrong:
                        said = "male" if said == "female" else "female"
                    assert await service.label(rater.id, task.id, {"gender": said, "person": "person"})
            return list(service.state.answered_tasks())
        finally:
            await service.close()

    return asyncio.run(session())


def seen(root: Path) -> list[Any]:
    query = (
        "SELECT image, subject, attribute, mass, reason FROM observations WHERE annotator LIKE 'imported%' ORDER BY ALL"
    )
    return list(OpenStudy.to_read(root).workspace.query(query).to_pylist())


def test_the_site_brings_in_the_same_rows_as_the_sheet_it_exports(root: Path, tmp_path: Path) -> None:
    label_all(root, 3, wrong=0.2)
    other = shutil.copytree(root, tmp_path / "other")
    sheet = tmp_path / "answers.csv"
    sheet.write_text(Labels(root).answers_csv(), encoding="utf-8")
    found = Labels(root).collect()
    assert found.counts["images"] == len(planted(root))
    assert found.incomplete == 0
    Study(other).import_labels(sheet, annotator="people", progress=False)
    assert seen(root) == seen(other)
    assert {tuple(row["mass"]) for row in seen(root) if row["attribute"] == "gender"} >= {(1.0, 0.0), (0.0, 1.0)}
    assert "pilot " in sheet.read_text(encoding="utf-8")
    again = Labels(root).collect()
    assert (again.counts.total(), again.already) == (0, found.counts["images"])


def test_only_complete_pictures_come_in_and_a_tie_gets_a_third_rater(root: Path) -> None:
    label_all(root, 1)
    found = Labels(root).collect()
    assert (found.counts.total(), found.incomplete) == (0, len(planted(root)))
    answered = label_all(root, 2, wrong=0.5)
    by_image: dict[str, list[str]] = {}
    for task in answered:
        by_image.setdefault(task.image, []).append(task.choices["gender"])
    assert {len(said) for said in by_image.values()} == {2, 3}
    assert all(len(set(said[:2])) == 2 for said in by_image.values() if len(said) == 3)
    assert Labels(root).collect().counts["images"] == len(by_image)


def test_labels_correct_shares_and_test_annotators(root: Path, tmp_path: Path) -> None:
    label_all(root, 3)
    Labels(root).collect()
    run_stages(OpenStudy(root), RunControl(), ("measure",))
    assert any(row["labels"] for row in Study(root).corrected())
    assert list(Study(root).agreement("simulated", "people"))
    sheet = tmp_path / "answers.csv"
    sheet.write_text(Labels(root).answers_csv(), encoding="utf-8")
    [test] = Study(root).stand_in(sheet)
    assert set(test.raters) == {line.split(",")[4] for line in sheet.read_text(encoding="utf-8").splitlines()[1:]}


def test_pictures_worth_the_most_are_drawn_once_and_further_ones_when_these_are_in_the_study(root: Path) -> None:
    best = Sample(1, 1, 0, worthiest=6)
    first = {task.image for task in label_all(root, 2, best)}
    assert len(first) == 6
    with pytest.raises(StudyError, match=r"not in the study yet.*portrayal labels collect"):
        label_all(root, 1, best)
    Labels(root).collect()
    both = {task.image for task in label_all(root, 2, best)}
    assert len(both) == 12
    assert first < both


def test_the_same_start_again_draws_nothing_while_pictures_wait(root: Path) -> None:
    async def session(sample: Sample | None) -> tuple[int, str]:
        service = await LabelsService.open(OpenStudy(root))
        await service.draw(sample)
        await service.close()
        return len(service.state.pictures), service.drawn

    best = Sample(1, 1, 0, worthiest=5)
    assert asyncio.run(session(best))[0] == 5
    assert asyncio.run(session(best)) == (5, "goes on with 5 pictures drawn before; 5 still need labels")
    assert asyncio.run(session(None))[0] == 5
    assert asyncio.run(session(Sample(10**9, 10**9, 0)))[0] == len(planted(root))


def test_named_pictures_are_drawn_and_no_others(root: Path, tmp_path: Path) -> None:
    named = sorted(planted(root))[:3]
    listed = tmp_path / "chosen.csv"
    listed.write_text("image,why\n" + "".join(f"{image},odd\n" for image in [*named, named[0]]))
    sample = wanted_sample(0, every=False, listed=listed)
    assert {task.image for task in label_all(root, 2, sample)} == set(named)
    assert [line.split(",")[3] for line in Labels(root).answers_csv().splitlines()[1:]] == [""] * 6
    with pytest.raises(StudyError, match="is no picture that counts in this study"):
        label_all(root, 1, Sample(1, 1, 0, pictures=("f" * 64,)))
    with pytest.raises(InputError, match="give one of the three"):
        wanted_sample(5, every=False, listed=listed)


def test_the_summary_in_python_is_that_of_the_command(root: Path, cli: Any) -> None:
    label_all(root, 2)
    summary = Labels(Study(root)).status()
    assert summary.complete == summary.pictures == len(planted(root))
    assert f"{summary.pictures} of {summary.pictures} pictures complete" in cli("labels", "status", root).stdout
