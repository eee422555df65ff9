from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.study.config import PartConfig
from portrayal.study.create.near_path import near_path, near_suite


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("work/study/prompts.csv", "prompts.csv"),
        ("work/prompts.csv", "../prompts.csv"),
        ("work/data/deep/prompts.csv", "../data/deep/prompts.csv"),
        ("work/study-2/prompts.csv", "../study-2/prompts.csv"),
    ],
)
def test_what_lies_near_a_study_is_seen_from_it(tmp_path: Path, path: str, seen: str) -> None:
    assert near_path(tmp_path / path, tmp_path / "work/study") == seen


def test_what_lies_far_away_has_its_whole_path(tmp_path: Path) -> None:
    assert near_path(tmp_path / "other/prompts.csv", tmp_path / "work/study") == str(tmp_path / "other/prompts.csv")
    assert near_path(Path("/data/prompts.csv"), Path("/study")) == "/data/prompts.csv"  # else everything were near


def test_a_study_that_is_a_link_sees_from_where_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "real/work/study").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real/work/study")
    path = near_path(tmp_path / "real/work/prompts.csv", tmp_path / "link")
    assert path == "../prompts.csv"
    assert (tmp_path / "link" / path).parent.resolve() == tmp_path / "real/work"


def test_only_a_whole_path_of_a_file_of_prompts_is_changed(tmp_path: Path) -> None:
    own = PartConfig(use="file", options={"path": str(tmp_path / "prompts.csv"), "repeat": 2})
    assert near_suite(own, tmp_path / "study").options == {"path": "../prompts.csv", "repeat": 2}
    inside = PartConfig(use="file", options={"path": "prompts.csv"})
    assert near_suite(inside, tmp_path / "study") == inside
    assert near_suite(PartConfig(use="occupations"), tmp_path) == PartConfig(use="occupations")
