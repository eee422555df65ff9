from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import ConfigError, StudyError
from portrayal.records import Made
from portrayal.store.images.allowed_stores import allow_store
from portrayal.store.images.image_folder import ImageFolder
from portrayal.store.images.remote_images import RemoteImages
from portrayal.store.ledger import Ledger
from portrayal.study.generate.generate_images import GenerateWork
from portrayal.study.generate.pending_jobs import PendingJobs
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

Cli = Callable[..., subprocess.CompletedProcess[str]]
Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def written(write_study: Write, folder: Path, images: str) -> Path:
    return write_study(folder, storage={"images": images})


def test_a_study_that_says_nothing_keeps_images_in_its_folder(tmp_path: Path, write_study: Write) -> None:
    for name, tables in (("one", {}), ("two", {"storage": {}}), ("three", {"storage": {"images": "images"}})):
        study = OpenStudy(write_study(tmp_path / name, **tables))
        assert study.workspace.images == ImageFolder(tmp_path / name / "images")


def test_a_store_must_be_allowed_first(tmp_path: Path, write_study: Write) -> None:
    folder = written(write_study, tmp_path / "study", "s3://pictures/here")
    with pytest.raises(StudyError, match=r"study.toml: \[storage\] keeps images in s3://pictures/here, which you have"):
        OpenStudy(folder)
    allow_store("s3://pictures")
    assert OpenStudy(folder).workspace.images == RemoteImages("s3://pictures/here")


def test_a_folder_elsewhere_must_be_there(tmp_path: Path, write_study: Write) -> None:
    folder = written(write_study, tmp_path / "study", "../pictures")
    allow_store(str(tmp_path / "pictures"))
    with pytest.raises(StudyError, match=r"pictures: .* names this folder, and it is not there; mount or create it"):
        OpenStudy(folder)
    (tmp_path / "pictures").mkdir()
    assert OpenStudy(folder).workspace.images == ImageFolder((tmp_path / "pictures").resolve(), shared=True)


def test_images_in_the_folder_are_not_forgotten(tmp_path: Path, write_study: Write) -> None:
    folder = written(write_study, tmp_path / "study", "s3://pictures")
    allow_store("s3://pictures")
    (folder / "images" / "ab").mkdir(parents=True)
    with pytest.raises(StudyError, match=r"there are images here, and .* says that they are in s3://pictures; move"):
        OpenStudy(folder)


@pytest.mark.parametrize(
    ("storage", "told"),
    [
        ({"images": "s3://id:hunter2@pictures"}, "no user, key, password or signature"),
        ({"images": "s3://pictures", "secret": "hunter2"}, "unknown key 'storage.secret'"),
        ({"images": {"key": "hunter2"}}, "'storage.images'"),
    ],
)
def test_secrets_are_refused_and_not_repeated(
    tmp_path: Path, write_study: Write, cli: Cli, storage: dict[str, str], told: str
) -> None:
    folder = write_study(tmp_path / "study", storage=storage)
    with pytest.raises(ConfigError) as refused:
        OpenStudy(folder)
    assert told in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_stores_are_allowed_and_forgotten(tmp_path: Path, cli: Cli) -> None:
    assert cli("stores").stdout == ""
    said = cli("stores", "allow", "s3://pictures/").stdout
    assert said == f"studies may keep images in s3://pictures; kept in {tmp_path / 'settings/portrayal/stores.toml'}\n"
    assert cli("stores").stdout == "s3://pictures\n"
    assert cli("stores", "--json").stdout.split() == ["[", '"s3://pictures"', "]"]
    refused = cli("stores", "allow", "s3://id:hunter2@pictures")
    assert (refused.returncode, "hunter2" in refused.stderr) == (2, False)
    assert cli("stores", "forget", "s3://pictures").returncode == 0
    assert cli("stores").stdout == ""


def test_whoever_draws_stores_and_only_rows_travel(tmp_path: Path, write_study: Write) -> None:
    (tmp_path / "pictures").mkdir()
    allow_store(str(tmp_path / "pictures"))
    drawn = [{"use": "simulated", "images": 3, "options": {"size": 8}}]
    study = OpenStudy(write_study(tmp_path / "study", storage={"images": "../pictures"}, generators=drawn))
    plan(study, RunControl())
    ((name, own),) = study.generators.items()
    jobs = list(PendingJobs(study, name))
    work = GenerateWork(own.spec, Ledger(study.workspace, None), images=study.workspace.images)
    results = [result for _, result in work()(jobs) if isinstance(result, Made)]
    assert len(results) == 6
    for result in results:
        assert result.data == b""
        assert hashlib.sha256(study.workspace.images.path(result.image, "png").read_bytes()).hexdigest() == result.image
    pure = [result for _, result in GenerateWork(own.spec, Ledger(study.workspace, None))()(jobs)]
    assert [made.image for made in pure if isinstance(made, Made) and made.data] == [made.image for made in results]
