"""A study from elsewhere says what it would do, and does it once the user allows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portrayal.apps.studio.listed_studies import list_studies
from portrayal.study.study import OpenStudy

TOML = """
study = {title = "From elsewhere"}
suite = {use = "file", options = {path = "/nowhere/prompts.csv"}}
generators = [{use = "simulated"}]
annotators = [{use = "simulated"}]
"""


def test_it_is_allowed_as_it_was_shown(
    tmp_path: Path, start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PORTRAYAL_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    folder = tmp_path / "studies" / "theirs"
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(TOML)
    client = start(folder.parent).client()
    (study,) = list_studies(folder.parent)
    at = f"/s/{study.key}"
    page = client.get(at)
    assert "This study comes from elsewhere" in page.text
    assert '<li lang="en">read /nowhere/prompts.csv</li>' in page.text
    assert f"{at}/run" not in page.text
    seen = page.text.partition('name="seen" value="')[2].partition('"')[0]
    (folder / "study.toml").write_text(TOML.replace("nowhere", "elsewhere"))
    refused = client.send(f"{at}/trust", page, {"seen": seen})
    assert (refused.status_code, "has changed meanwhile" in refused.text) == (409, True)
    seen = refused.text.partition('name="seen" value="')[2].partition('"')[0]
    allowed = client.follow(client.send(f"{at}/trust", page, {"seen": seen}))
    assert "comes from elsewhere" not in allowed.text
    assert OpenStudy(folder).config.study.title == "From elsewhere"
