"""Prompts that a service changed before it drew are counted by generator, and shown beside their pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from portrayal.study.report.gallery_pictures import gather_pictures
from portrayal.study.report.gather_data import gather
from portrayal.study.report.revised import count_revised
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]


@pytest.fixture
def study(make_study: Make) -> OpenStudy:
    """Return a study of two generators whose images are drawn."""
    generators = [{"use": "simulated", "images": 3}, {"use": "simulated", "images": 3, "options": {"size": 24}}]
    study = OpenStudy(make_study(generators=generators))
    run_stages(study, RunControl(), ("plan", "generate"))
    return study


def revise(study: OpenStudy, *said: str | None) -> None:
    """Have the first generator say what it made of the prompt of its images, one after the other."""
    outcomes = study.workspace.tables["outcomes"]
    [rows] = [pa.concat_tables(list(outcomes.batches()))]
    answers = iter(said)
    drawn = study.workspace.query("SELECT id FROM jobs WHERE generator = 'simulated@1'")["id"].to_pylist()
    texts = [next(answers, None) if job in drawn else None for job in rows["job"].to_pylist()]
    place = rows.schema.get_field_index("revised_prompt")
    outcomes.replace([rows.set_column(place, rows.schema.field(place), pa.array(texts, pa.string()))])


@pytest.mark.slow
def test_only_what_differs_from_what_was_asked_is_counted(study: OpenStudy) -> None:
    assert count_revised(study) == {}
    revise(study, "a photo of a nurse", "a photo of a smiling nurse", "a kind nurse", "", "a photo of a CEO", None)
    assert count_revised(study) == {"simulated@1": 2}
    assert gather(study).revised == {"simulated@1": 2}
    shown = [picture.revised for picture in gather_pictures(study) if picture.revised]
    assert shown == ["a photo of a smiling nurse", "a kind nurse"]
