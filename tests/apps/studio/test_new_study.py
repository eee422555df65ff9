from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.apps.studio.new_study import choices, create_from_form, set_images
from portrayal.errors import ConfigError, InputError
from portrayal.study.config import parse_config, read_config

FORM = {
    "title": "Nurses & CEOs",
    "method": "representation",
    "prompts": "a photo of one nurse\r\n\r\na photo of one CEO\r\na photo of one nurse\r\n",
    "generator": "simulated",
    "annotator": "simulated",
    "images": "7",
}


def test_the_study_is_what_init_would_write(tmp_path: Path) -> None:
    folder = create_from_form(tmp_path, FORM)
    assert folder == tmp_path / "nurses-ceos"
    config = parse_config(read_config(folder), folder)
    assert (config.study.title, config.generators[0].images) == ("Nurses & CEOs", 7)
    assert [part.use for part in (*config.generators, *config.annotators)] == ["simulated", "simulated"]
    assert (folder / "prompts.csv").read_text().count("nurse") == 1  # the same prompt twice is one


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"title": " ../.. "}, "title"),
        ({"images": "0"}, "whole number from 1"),
        ({"images": "1e3"}, "whole number from 1"),
        ({"method": "nothing"}, "nothing cannot be chosen"),
        ({"reference": "/etc/passwd"}, "cannot be chosen"),
        ({"generator": "folder"}, "folder cannot be chosen"),
        ({"generator": "python"}, "python cannot be chosen"),
        ({"annotator": "imported"}, "imported cannot be chosen"),
        ({"generator": "diffusers", "generator-model": "/etc/passwd"}, "neither the name of a model"),
        ({"generator": "diffusers", "generator-model": "a/../b"}, "neither the name of a model"),
        ({"generator": "comfyui", "generator-model": "file:///etc/passwd"}, "neither the name of a model"),
    ],
)
def test_what_a_page_may_not_choose_is_refused_and_nothing_is_written(
    tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        create_from_form(tmp_path, {**FORM, **changed})
    assert not list(tmp_path.iterdir())


def test_what_cannot_run_is_refused_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown key 'path'"):
        create_from_form(tmp_path, {**FORM, "method": "biaspainter"})
    with pytest.raises(InputError, match="workflow"):
        create_from_form(tmp_path, {**FORM, "generator": "comfyui", "generator-model": "http://127.0.0.1:8188"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("chosen", "compared"), [("uniform", {"gender": "uniform"}), ("us", {"gender": "us"}), ("none", {}), ("", {})]
)
def test_shares_are_compared_with_what_was_chosen(tmp_path: Path, chosen: str, compared: dict[str, str]) -> None:
    folder = create_from_form(tmp_path, {**FORM, "reference": chosen})
    (method,) = parse_config(read_config(folder), folder).methods
    assert method.options.get("references", {}) == compared


def test_a_study_that_is_there_is_not_touched(tmp_path: Path) -> None:
    before = read_config(create_from_form(tmp_path, FORM))
    with pytest.raises(InputError, match="already"):
        create_from_form(tmp_path, {**FORM, "images": "9"})
    assert read_config(tmp_path / "nurses-ceos") == before


def test_more_images_change_nothing_else_of_study_toml(tmp_path: Path) -> None:
    folder = create_from_form(tmp_path, FORM)
    before = read_config(folder).decode()
    with pytest.raises(InputError, match="asks for 7 already"):
        set_images(folder, "5")
    set_images(folder, "20")
    after = read_config(folder).decode()
    changed = [pair for pair in zip(before.splitlines(), after.splitlines(), strict=True) if pair[0] != pair[1]]
    assert [(old.split("#")[0].strip(), new.split("#")[0].strip()) for old, new in changed] == [
        ("images = 7", "images = 20")
    ]
    with pytest.raises(InputError):
        set_images(folder, "-1")
    (folder / "study.toml").write_text("generators = 3")
    with pytest.raises((ConfigError, InputError)):
        set_images(folder, "3")


def test_parts_that_are_not_installed_say_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.registry.importlib.util.find_spec", lambda name: None)
    by_name = {choice.name: choice for choice in choices().generators}
    assert by_name["facegan"].remedy.startswith("pip install")
    assert not by_name["simulated"].remedy
    assert by_name["diffusers"].takes_model
    assert not by_name["facegan"].takes_model
