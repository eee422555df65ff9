from __future__ import annotations

import os
from pathlib import Path

import pytest

from portrayal.errors import ConfigError
from portrayal.store.images.image_address import normal_address


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("s3://pictures", "s3://pictures"),
        ("s3://pictures/a/b_1.2-3/", "s3://pictures/a/b_1.2-3"),
        ("gs://pictures/a", "gs://pictures/a"),
        ("az://pictures/run=1", "az://pictures/run=1"),
        ("file:///mnt/pictures", "/mnt/pictures"),
        ("/mnt/pictures/../other", "/mnt/other"),
        ("near", "{root}/near"),
    ],
)
def test_addresses_are_compared_in_one_form(tmp_path: Path, given: str, kept: str) -> None:
    assert normal_address(given, tmp_path) == kept.format(root=os.path.realpath(tmp_path))


def test_a_link_is_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to("far")
    assert normal_address("near", tmp_path) == os.path.realpath(tmp_path / "far")


@pytest.mark.parametrize(
    "given",
    [
        "s3://AKIA123:hunter2@pictures/a",
        "s3://hunter2@pictures",
        "s3://pictures/a?X-Amz-Signature=hunter2",
        "az://pictures/a?sig=hunter2",
        "abfs://hunter2@account.dfs.core.windows.net/a",
        "https://user:hunter2@example.org/a",
        "s3://pictures/a#hunter2",
        "s3://pictures/hunter2\n",
        "s3://pictures/../hunter2",
        "s3://pictures//hunter2",
        "s3:///hunter2",
        "s3://",
        "hunter2://pictures",
        "simplecache::s3://hunter2",
        "http://example.org/hunter2",
        "file://hunter2",
        "hunter2\x1b[2J",
        " ",
    ],
)
def test_a_wrong_address_is_told_and_not_repeated(tmp_path: Path, given: str) -> None:
    with pytest.raises(ConfigError) as told:
        normal_address(given, tmp_path)
    assert "hunter2" not in str(told.value)
    if any(letter in given for letter in "@?"):
        assert "no user, key, password or signature" in str(told.value)


def test_the_home_of_a_user_is_meant_by_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert normal_address("~/pictures", Path("/study")) == os.path.realpath(tmp_path / "pictures")
    assert normal_address("./~", Path("/study")) == "/study/~"
    with pytest.raises(ConfigError, match=r"'~nobody-here/x' begins with the home of a user that is not there"):
        normal_address("~nobody-here/x", Path("/study"))
