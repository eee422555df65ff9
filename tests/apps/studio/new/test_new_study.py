from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.api.study import Study
from portrayal.apps.studio.new.choices import offered_choices
from portrayal.apps.studio.new.new_study import create_from_form, set_images
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
    assert not list(tmp_path.iterdir())
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
    by_name = {choice.name: choice for choice in offered_choices().generators}
    assert by_name["facegan"].remedy.startswith("pip install")
    assert not by_name["simulated"].remedy
    assert by_name["diffusers"].takes_model
    assert not by_name["facegan"].takes_model


def test_what_does_not_fit_the_method_says_why(tmp_path: Path) -> None:
    offered = offered_choices("tbyb")
    unfit = {choice.name: choice.unfit for choice in (*offered.generators, *offered.annotators) if choice.unfit}
    assert "faces whatever the prompt says" in unfit["facegan"]
    assert "caption, prompt_match" in unfit["faces"]
    with pytest.raises(InputError, match="faces whatever"):
        create_from_form(tmp_path, {**FORM, "method": "tbyb", "generator": "facegan"})


def test_two_models_and_their_settings_stand_in_study_toml(tmp_path: Path) -> None:
    form = {**FORM, "generator": "facegan", "draw-size": "256", "draw-quality": "80", "beside": "simulated"}
    folder = create_from_form(tmp_path, form)
    first, beside = parse_config(read_config(folder), folder).generators
    assert (first.use, first.options, beside.use) == ("facegan", {"size": 256, "quality": 80}, "simulated")
    assert (first.images, beside.images) == (7, 7)
    for changed, said in (
        ({"draw-steps": "20"}, "facegan has no setting steps"),
        ({"draw-size": "nan"}, "size"),
        ({"beside": "facegan"}, "Both models are the same"),
        ({"beside": "folder"}, "cannot be chosen"),
    ):
        with pytest.raises(InputError, match=said):
            create_from_form(tmp_path, {**form, "title": "Other", **changed})
    assert [path.name for path in tmp_path.iterdir()] == ["nurses-ceos"]


def test_a_model_is_compared_with_itself_by_other_settings(tmp_path: Path) -> None:
    form = {**FORM, "draw-size": "16", "beside": "simulated"}
    for same in ({}, {"also-draw-size": "16"}):
        with pytest.raises(InputError, match="would draw the same pictures"):
            create_from_form(tmp_path, {**form, **same})
    folder = create_from_form(tmp_path, {**form, "also-draw-size": "24"})
    drawn = parse_config(read_config(folder), folder).generators
    assert [(each.use, each.name, each.options) for each in drawn] == [
        ("simulated", "simulated", {"size": 16}),
        ("simulated", "simulated (size 24)", {"size": 24}),
    ]
    Study(folder).run(progress=False)
    assert len(Study(folder).compare()) > 0
    # Another model has settings of its own, and none of the first.
    other = {**form, "title": "Other", "generator": "facegan", "draw-size": "128", "also-draw-size": "24"}
    second = parse_config(read_config(create_from_form(tmp_path, other)), tmp_path / "other").generators[1]
    assert (second.use, second.options) == ("simulated", {"size": 24})


def test_a_workflow_lies_beside_the_study_and_must_be_one(tmp_path: Path) -> None:
    form = {**FORM, "generator": "comfyui", "generator-model": "http://127.0.0.1:8188", "draw-workflow": "[1]"}
    with pytest.raises(InputError, match="not the JSON that ComfyUI exports"):
        create_from_form(tmp_path, form)
    workflow = """{
        "1": {"class_type": "CLIPTextEncode", "inputs": {"text": ""}, "_meta": {"title": "portrayal:prompt"}},
        "2": {"class_type": "KSampler", "inputs": {"seed": 0}, "_meta": {"title": "portrayal:seed"}},
        "3": {"class_type": "SaveImage", "inputs": {}, "_meta": {"title": "portrayal:output"}}
    }"""
    folder = create_from_form(tmp_path, {**form, "draw-workflow": workflow})
    (generator,) = parse_config(read_config(folder), folder).generators
    assert generator.options == {"workflow": "workflow.json"}
    assert (folder / "workflow.json").read_text() == workflow
