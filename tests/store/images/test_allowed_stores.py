from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.store.images.allowed_stores import allow_store, allowed_stores, forget_store, is_allowed, stores_file


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def test_what_lies_in_an_allowed_store_is_allowed_and_nothing_else() -> None:
    assert not is_allowed("s3://pictures/a")
    assert allow_store("s3://pictures/a/") == "s3://pictures/a"
    allow_store("s3://pictures/a")
    assert allowed_stores() == ["s3://pictures/a"]
    assert is_allowed("s3://pictures/a/b")
    assert not any(map(is_allowed, ("s3://pictures", "s3://pictures/ab", "gs://pictures/a", "/pictures/a")))
    forget_store("s3://pictures/a")
    assert not is_allowed("s3://pictures/a")
    with pytest.raises(InputError, match="s3://pictures/a was not allowed; see: portrayal stores"):
        forget_store("s3://pictures/a")


def test_a_folder_is_given_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    allow_store("near")
    assert is_allowed(str(tmp_path.resolve() / "near" / "pictures"))


@pytest.mark.parametrize("text", ["stores = 1", "stores = [1]", "[", ""])
def test_a_file_that_somebody_changed_allows_nothing(text: str) -> None:
    allow_store("s3://pictures")
    stores_file().write_text(text)
    with pytest.raises(InputError, match="delete it and allow your stores again"):
        is_allowed("s3://pictures")
