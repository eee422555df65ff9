"""How far people are: votes and labels that are in the databases, read beside the sites."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.apps.arena.test_api_votes import BATTLES, RATERS

from portrayal.api.study import Study
from portrayal.apps.arena.database import open_arena
from portrayal.apps.labels.questions_asked import add_labeller
from portrayal.apps.labels.web.service import LabelsService
from portrayal.apps.studio.people.progress import PeopleProgress, people_progress
from portrayal.study.create.create_study import create_study
from portrayal.study.importing.labels.label_sheet import Sample
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


def test_votes_are_counted_and_models_placed(make_study: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(generators=[{"use": "simulated", "name": "Model A", "images": 1}])
    assert people_progress(study, "arena") == people_progress(study, "graph") == PeopleProgress()
    (study / "arena").mkdir()
    monkeypatch.setattr(open_arena, "read_arena", lambda *_: SimpleNamespace(raters=RATERS, battles=BATTLES))
    progress = people_progress(study, "arena")
    assert progress.done.replace("\xa0", " ") == "3 votes by 1 person."
    assert {row.about: row.said.replace("\xa0", " ") for row in progress.rows}["Bias · Model A"] == (
        "won 1 of 1 comparison"
    )


@pytest.mark.slow
def test_labels_grow_with_agreement_until_they_can_be_collected(tmp_path: Path) -> None:
    create_study(tmp_path / "one", generator="simulated", annotator="simulated", prompts=["a nurse"], images=5)
    root = tmp_path / "one"
    Study(root).run(progress=False)
    add_labeller(OpenStudy(root))

    async def label(people: int) -> None:
        service = await LabelsService.open(OpenStudy(root))
        try:
            await service.draw(Sample(10, 10, 0))
            await service.invite(people, "")
            for rater in service.raters()[:people]:
                while task := await service.current_task(rater.id):
                    said = {name: kind.groups[0] for name, kind in service.asked.attributes.items()}
                    assert await service.label(rater.id, task.id, {**said, "person": "person"})
        finally:
            await service.close()

    asyncio.run(label(0))
    progress = people_progress(root, "labels")
    assert ("0 of 5 pictures complete, 0 answers" in progress.done.replace("\xa0", " "), progress.can_collect) == (
        True,
        False,
    )
    asyncio.run(label(2))
    progress = people_progress(root, "labels")
    assert "5 of 5 pictures complete, 10 answers by 2 people" in progress.done.replace("\xa0", " ")
    assert progress.can_collect
    assert "5 of 5" in progress.rows[0].said
