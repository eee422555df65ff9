from __future__ import annotations

import os
from pathlib import Path

import pytest

from portrayal.errors import InputError, StudyError
from portrayal.store.files import write_atomic
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.lock import HeldLock, one_writer
from portrayal.store.own_files import check_outside, check_subfolders
from portrayal.store.workspace import Workspace

PLACES = ("tables", "tables/jobs", "tables/a.b", "tables/comparisons", "images", "images/ab", "arena", "arena/cache")
FILES = (".lock", ".lock-owner", "tables/plan.json", "tables/jobs/00000000-00000000.parquet", "arena/votes.sqlite")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """Return somebody's folder, of which nothing may be lost."""
    folder = tmp_path / "victim"
    (folder / "jobs").mkdir(parents=True)
    for name in ("letter.txt", ".tmp-1-letter", "00000000.parquet", "00000000-00000000.parquet", "jobs/.tmp-1"):
        (folder / name).write_text("dear")
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("place", [*PLACES, "report"])
def test_a_folder_that_is_a_link_is_refused_and_what_it_points_to_is_untouched(
    tmp_path: Path, victim: Path, place: str
) -> None:
    before = contents(victim)
    link = tmp_path / "study" / place
    link.parent.mkdir(parents=True)
    opened = Workspace(tmp_path / "study")
    link.symlink_to(victim)
    with pytest.raises(StudyError, match=rf"{place}: is a link.*in its place$"), opened.writing():
        pytest.fail("it wrote")
    with pytest.raises(StudyError, match=f"{place}: is a link"):
        Workspace(tmp_path / "study")
    assert contents(victim) == before
    assert not (tmp_path / "study" / ".lock").exists()


@pytest.mark.parametrize("place", FILES)
def test_a_file_that_is_a_link_or_a_pipe_is_refused(tmp_path: Path, victim: Path, place: str) -> None:
    file = tmp_path / "study" / place
    file.parent.mkdir(parents=True)
    file.symlink_to(victim / "letter.txt")
    with pytest.raises(StudyError, match=f"{place}: is a link"):
        Workspace(tmp_path / "study")
    file.unlink()
    file.symlink_to(tmp_path / "nowhere")
    with pytest.raises(StudyError, match=f"{place}: is a link"):
        Workspace(tmp_path / "study")
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(StudyError, match=f"{place}: is neither a file nor a folder; remove it"):
        Workspace(tmp_path / "study")
    assert (victim / "letter.txt").read_text() == "dear"


def test_the_study_itself_and_what_the_user_put_into_it_may_be_links(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "prompts.csv").symlink_to(victim / "letter.txt")
    (tmp_path / "real" / "pictures").symlink_to(victim)
    (tmp_path / "study").symlink_to(tmp_path / "real")
    before = contents(victim)
    with Workspace(tmp_path / "study").writing():
        pass
    assert contents(victim) == before


@pytest.mark.parametrize("name", [".lock", ".lock-owner"])
def test_locks_of_other_folders_are_no_links_either(tmp_path: Path, victim: Path, name: str) -> None:
    (tmp_path / name).symlink_to(victim / "letter.txt")
    with pytest.raises(StudyError, match=f"{name}: is a link"), one_writer(tmp_path):
        pytest.fail("it wrote")
    assert (victim / "letter.txt").read_text() == "dear"


def test_a_lock_that_is_a_link_truncates_nothing(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "votes.sqlite.lock").symlink_to(victim / "letter.txt")
    with pytest.raises(StudyError, match="is a link"):
        HeldLock(tmp_path / "votes.sqlite.lock")
    assert (victim / "letter.txt").read_text() == "dear"


def test_a_cache_of_pictures_cleans_only_its_own_folders(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "ab").symlink_to(victim)
    with pytest.raises(StudyError, match="cache/ab: is a link"):
        ImageFolder(tmp_path / "cache").clean()
    assert (victim / ".tmp-1-letter").exists()


def test_a_link_under_the_name_of_a_temporary_file_is_not_followed(tmp_path: Path, victim: Path) -> None:
    (tmp_path / f".tmp-{os.getpid()}-page").symlink_to(victim / "letter.txt")
    write_atomic(tmp_path / "page", b"new")
    assert (tmp_path / "page").read_bytes() == b"new"
    assert (victim / "letter.txt").read_text() == "dear"


def test_folders_of_a_report_are_no_links_but_files_may_be(tmp_path: Path, victim: Path) -> None:
    (tmp_path / "report" / "deep").mkdir(parents=True)
    (tmp_path / "report" / "letter.txt").symlink_to(victim / "letter.txt")
    check_subfolders(tmp_path / "report")
    (tmp_path / "report" / "deep" / "tables").symlink_to(victim)
    with pytest.raises(StudyError, match="deep/tables: is a link"):
        check_subfolders(tmp_path / "report")


def test_a_study_is_no_folder_to_write_other_files_to(tmp_path: Path) -> None:
    root = tmp_path / "study"
    (root / "tables").mkdir(parents=True)
    (tmp_path / "link").symlink_to(root / "tables")
    (tmp_path / "again").symlink_to(root)
    inside = (
        root,
        root / "tables",
        root / "new" / "folder",
        tmp_path / "link" / "new",
        tmp_path / "study2" / "../study",
    )
    for folder in inside:
        for way in (root, tmp_path / "again"):
            with pytest.raises(InputError, match=r"is the study's own folder or lies in it; choose a place outside of"):
                check_outside(way, folder)
    (root / "out").symlink_to(tmp_path)
    for folder in (
        tmp_path,
        tmp_path / "study2",
        tmp_path / "new" / "study",
        root / ".." / "new",
        root / "out" / "new",
    ):
        check_outside(root, folder)
