"""Studies of one suite: which folders hold them, and which was measured before which."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import StudyError
from portrayal.study.releases import latest_earlier, measured_at, same_prompts, study_folders, weights_mark
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Make = Callable[..., Path]
OTHER = "text,term,category\na photo of a cook,cook,kitchen\n"


@pytest.fixture
def measured(make_study: Make) -> Callable[..., Path]:
    """Return what makes a study that was measured at a time, in seconds."""

    def make(name: str, when: float, **changes: object) -> Path:
        folder = make_study(name, **changes)
        run_stages(OpenStudy(folder), RunControl(), ("plan", "generate", "annotate", "measure"))
        for path in (folder / "tables" / "measurements").iterdir():
            os.utime(path, (when, when))
        return folder

    return make


def test_folders_of_a_folder_follow_the_numbers_in_their_names(make_study: Make, tmp_path: Path) -> None:
    made = [make_study(name) for name in ("v10", "v2", "v2.1")]
    (tmp_path / "notes").mkdir()
    assert [path.name for path in study_folders(tmp_path)] == ["v2", "v2.1", "v10"]
    assert study_folders(made[0]) == [made[0]]
    with pytest.raises(StudyError, match=r"notes: there is no study\.toml, neither here nor in a folder in it"):
        study_folders(tmp_path / "notes")


def test_the_latest_earlier_study_of_the_same_prompts_is_the_baseline(measured: Callable[..., Path]) -> None:
    first, second, third = (measured(name, when) for name, when in (("a", 100.0), ("b", 300.0), ("c", 200.0)))
    measured("other", 290.0, prompts=OTHER)
    assert latest_earlier(second) == third
    assert latest_earlier(third) == first
    assert latest_earlier(first) is None
    assert latest_earlier(second, second.parent) == third


def test_a_study_that_is_not_measured_or_is_damaged_is_no_baseline(
    measured: Callable[..., Path], make_study: Make
) -> None:
    study = measured("study", 300.0)
    plain = make_study("plain")
    damaged = measured("damaged", 200.0)
    (damaged / "study.toml").write_text("[study\n")
    assert latest_earlier(study) is None
    with pytest.raises(StudyError, match="nothing is measured yet; run: portrayal measure"):
        latest_earlier(plain)


def test_when_and_what_was_asked(measured: Callable[..., Path]) -> None:
    one, other = (OpenStudy(measured(*each)) for each in (("one", 100.0), ("same", 200.0)))
    asked_otherwise = OpenStudy(measured("else", 300.0, prompts=OTHER))
    when = measured_at(one)
    assert when is not None
    assert when.timestamp() == 100.0
    assert same_prompts(one, other)
    assert not same_prompts(one, asked_otherwise)


def test_weights_count_only_where_they_differ(make_study: Make) -> None:
    weighted = "text,term,weight\na photo of a nurse,nurse,{}\na photo of a CEO,CEO,{}\n"
    marks = [
        weights_mark(OpenStudy(make_study(name, prompts=text)))
        for name, text in (
            ("even", weighted.format(2, 2)),
            ("else", OTHER),
            ("uneven", weighted.format(1, 2)),
            ("scaled", weighted.format(2, 4)),
            ("turned", weighted.format(2, 1)),
        )
    ]
    assert marks[0] == marks[1] == ""
    assert marks[2] == marks[3] != ""
    assert marks[4] not in marks[:4]
