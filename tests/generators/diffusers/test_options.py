"""What may be set, what of it makes another generator, and what the presets say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portrayal.errors import ConfigError, InputError
from portrayal.generators.diffusers import Diffusers
from portrayal.generators.diffusers.options import DiffusersOptions
from portrayal.generators.diffusers.presets import load_presets
from portrayal.generators.diffusers.schedulers import SCHEDULERS
from portrayal.settings import parse_settings

COMMIT = "0123456789" * 4


def options(**given: Any) -> DiffusersOptions:
    return parse_settings(DiffusersOptions, given, "study.toml")


def test_the_presets_are_table_5_of_faintbench() -> None:
    names = ("width", "height", "scheduler", "steps", "guidance")
    assert {name: tuple(preset.settings[key] for key in names) for name, preset in load_presets().items()} == {
        "sdxl": (1024, 1024, "euler_a", 15, 7),
        "sdxl-lightning": (1024, 1024, "euler_a", 4, 1),
        "sdxl-turbo": (512, 512, "euler_a", 4, 1),
        "lcm-sdxl": (1024, 1024, "lcm", 4, 1),
        "pixart-sigma": (512, 512, "euler_a", 12, 4.5),
        "cascade": (1024, 1024, "euler_a", 4, 4),
        "playground-2_5": (1024, 1024, "euler_a", 12, 4.5),
    }
    for preset in load_presets().values():
        assert options(**preset.settings)
        assert preset.citation.endswith("(Table 5: width, height, sampler, steps and CFG scale of seven models)")
        assert all(len(model.split("/")) == 2 for model in preset.models)


@pytest.mark.slow
def test_schedulers_are_classes_of_diffusers() -> None:
    import diffusers

    assert [title for title, _ in SCHEDULERS.values() if not hasattr(diffusers, title)] == []


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({}, {}),
        ({"device": "cpu", "batch": 4, "revision": COMMIT}, {}),
        ({"dtype": "float32"}, {"dtype": "float32"}),
        ({"steps": 4, "format": "jpeg"}, {"steps": 4, "format": "jpeg"}),
        (
            {"preset": "sdxl-turbo", "steps": 2},
            {"width": 512, "height": 512, "scheduler": "euler_a", "steps": 2, "guidance": 1.0},
        ),
        (
            {"loras": [{"model": "me/style", "revision": COMMIT, "weights": "a.safetensors", "scale": 0.5}]},
            {"loras": [{"weights": "a.safetensors", "scale": 0.5}]},
        ),
        ({"prior": {"model": "me/prior", "revision": COMMIT}}, {}),
    ],
)
def test_what_changes_pixels_makes_another_generator(given: dict[str, Any], changed: dict[str, Any]) -> None:
    assert options(**given).changed() == changed


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"preset": "sdlx"}, "'preset': no preset of that name; did you mean 'sdxl'? (got 'sdlx')"),
        ({"scheduler": "euler_x"}, "'scheduler': no scheduler of that name; did you mean 'euler_a'? (got 'euler_x')"),
        ({"batch": 0}, "'batch': give \"auto\" or a number from 1 on (got 0)"),
        ({"batch": "large"}, "'batch': give \"auto\" or a number from 1 on (got 'large')"),
        ({"width": 512}, "set width and height together"),
        ({"steps": 4, "strength": 0.2}, "steps times strength must reach 1, else nothing is drawn"),
        ({"quality": 90}, "a png file loses nothing and has no quality; leave quality out"),
        ({"stepz": 3}, "unknown key 'stepz'; did you mean 'steps'?"),
        ({"revision": "main"}, "'revision': string should match pattern"),
        ({"device": "gpu"}, "'device': string should match pattern"),
        ({"loras": [{"modl": "x"}]}, "unknown key 'loras.1.modl' (entries are counted from 1); did you mean "),
    ],
)
def test_options_that_make_no_sense_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        options(**given)
    assert str(caught.value).startswith(f"study.toml: {message}")


@pytest.mark.parametrize(
    ("model", "given", "message"),
    [
        ("", {}, " needs a model, such as diffusers:stabilityai/stable-diffusion-xl-base-1.0"),
        ("me/tiny", {}, ": set options.revision to a commit of me/tiny (40 digits"),
        ("./nowhere", {}, ": no folder ./nowhere; give a folder or a model's id on the hub"),
        (".", {"revision": COMMIT}, ": . is a folder and has no revision; leave the option out"),
        (".", {"prior": {"model": "me/prior"}}, ", options.prior: set options.revision to a commit of me/prior"),
        (".", {"loras": [{"model": "."}]}, ", options.loras: . is a folder; give the .safetensors file in it"),
        (".", {"loras": [{"model": "x.safetensors"}]}, ", options.loras: no file x.safetensors; relative paths start"),
        (".", {"loras": [{"model": "me/x"}]}, ", options.loras: set 'weights' to the file of me/x to load"),
        (".", {"loras": [{"model": "me/x", "weights": "a"}]}, ", options.loras: set options.revision to a commit"),
        (".", {"loras": [{"model": "a.safetensors", "weights": "a"}]}, ", options.loras: a.safetensors is a file"),
    ],
)
def test_models_that_cannot_be_meant_are_named(
    model: str, given: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.safetensors").write_bytes(b"weights")
    with pytest.raises((ConfigError, InputError)) as caught:
        Diffusers(model, options(**given))
    assert str(caught.value).startswith(f"generator 'diffusers'{message}")
