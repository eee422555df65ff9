"""What the hub says about the models of an atlas is added to it, and saved where it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from portrayal.apps.atlas.folder.atlas_store import AtlasStore
from portrayal.apps.atlas.folder.change import add_files, read_atlas_file

ROWS = "model,category,created,protocol,run,miss_rate\norg/model,art,,mine,1,0.1\norg/Gone,art,,mine,1,0.3\n"
RECORD = {"id": "org/model", "likes": 12, "downloads": 340, "createdAt": "2022-08-22", "pipeline_tag": "Umriß"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AtlasStore:
    """Return an atlas of two models, of which the hub knows one."""

    def fetch(models: Iterable[str]) -> list[dict[str, object] | str]:
        return [RECORD if model == "org/model" else f"{model}: the hub has no such model" for model in models]

    monkeypatch.setattr("portrayal.apps.atlas.folder.change.fetch_records", fetch)
    (tmp_path / "models.csv").write_text(ROWS, encoding="utf-8")
    store = AtlasStore(tmp_path / "atlas")
    add_files(store, [tmp_path / "models.csv"], empty=True)
    return store


def test_what_the_hub_says_is_added_and_saved_for_later(store: AtlasStore, tmp_path: Path) -> None:
    change = add_files(store, [], hub=True, save=tmp_path / "hub.json")
    assert (change.new, change.evaluations, change.models) == (0, 2, 2)
    assert change.problems == ["org/Gone: the hub has no such model"]
    assert store.read().models["org/model"].likes == 12
    assert json.loads((tmp_path / "hub.json").read_bytes()) == [RECORD]
    assert "Umriß" in (tmp_path / "hub.json").read_text(encoding="utf-8")
    [again] = read_atlas_file(tmp_path / "hub.json").models
    assert (again.model, again.likes, again.downloads) == ("org/model", 12, 340)


def test_nothing_is_saved_that_nobody_asks_for(store: AtlasStore, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    assert add_files(store, [], hub=True).models == 2
    assert sorted(tmp_path.iterdir()) == before
