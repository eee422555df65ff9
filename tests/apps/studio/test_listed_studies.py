from __future__ import annotations

from pathlib import Path

import pytest
from tests.apps.studio.conftest import add_study

from portrayal.apps.studio.listed_studies import STATE, find_folder, list_studies, listed_study
from portrayal.apps.studio.web.service import StudioService
from portrayal.errors import StudyError


def test_studies_are_found_below_the_folder_sorted_and_broken_ones_say_why(tmp_path: Path) -> None:
    add_study(tmp_path / "second")
    add_study(tmp_path / "deep" / "er" / "first")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "study.toml").write_text("[study\n")
    listed = list_studies(tmp_path)
    assert [study.name for study in listed] == ["broken", "deep/er/first", "second"]
    assert [study.title for study in listed] == ["broken", "Study first", "Study second"]
    assert "study.toml" in listed[0].problem
    assert not listed[1].problem


def test_neither_hidden_folders_nor_links_nor_what_lies_in_a_study_are_studies(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    add_study(outside / "elsewhere")
    add_study(inside / "one")
    add_study(inside / ".hidden" / "two")
    add_study(inside / "one" / "copy")
    add_study(inside / "a" / "b" / "c" / "too-deep")
    (inside / "link").symlink_to(outside)
    assert [study.name for study in list_studies(inside)] == ["one"]


def test_a_folder_that_is_a_study_lists_itself(tmp_path: Path) -> None:
    add_study(tmp_path / "only")
    assert [study.name for study in list_studies(tmp_path / "only")] == ["only"]


def test_a_key_stands_for_one_study_and_stays(tmp_path: Path) -> None:
    for name in ("one", "two"):
        add_study(tmp_path / name)
    one, two = list_studies(tmp_path)
    assert one.key != two.key
    folder = find_folder(tmp_path, two.key)
    assert folder
    assert listed_study(tmp_path, folder) == two
    assert find_folder(tmp_path, two.key, two.folder) == two.folder
    assert find_folder(tmp_path, "0" * 12) is None
    (two.folder / "study.toml").unlink()
    assert find_folder(tmp_path, two.key, two.folder) is None


@pytest.mark.parametrize("place", ["", "uploads", "0123456789ab/log.txt", "0123456789ab/people-arena/log.txt"])
def test_links_where_the_studio_keeps_its_own_files_are_refused(tmp_path: Path, place: str) -> None:
    """It deletes what was uploaded before and writes logs: a stranger's folder could send that elsewhere."""
    root, mine = tmp_path / "theirs", tmp_path / "mine"
    (mine / "uploads").mkdir(parents=True)
    link = root / STATE / place
    link.parent.mkdir(parents=True)
    link.symlink_to(mine)
    with pytest.raises(StudyError, match="is a link"):
        StudioService.open(root)
    assert (mine / "uploads").is_dir()
