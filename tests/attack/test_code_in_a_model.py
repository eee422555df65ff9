"""A model's folder with code in it: none of it runs, and nobody is asked whether it may, by no loader there is."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal.errors import InputError
from portrayal.hub import loading

pytestmark = pytest.mark.slow

CLASSES = ("AutoConfig", "AutoModel", "AutoProcessor", "AutoTokenizer", "AutoImageProcessor", "AutoModelForCausalLM")
AUTO = {name: f"code.{name}" for name in (*CLASSES, "AutoModelForImageTextToText")}
FILES = {
    "config.json": {"model_type": "theirs", "architectures": ["Theirs"], "auto_map": AUTO},
    "processor_config.json": {"processor_class": "Theirs", "auto_map": AUTO},
    "preprocessor_config.json": {"image_processor_type": "Theirs", "auto_map": AUTO},
    "tokenizer_config.json": {"tokenizer_class": "Theirs", "auto_map": {**AUTO, "AutoTokenizer": ["code.A", "code.A"]}},
    "model_index.json": {"_class_name": ["code", "Theirs"], "_diffusers_version": "0.42.0", "unet": ["code", "Theirs"]},
}


def _clip(folder: Path) -> object:
    from portrayal.vision.network import load_network

    return load_network(folder, "cpu", part="clip")


def _quality(folder: Path) -> object:
    from portrayal.annotators.quality.clip_model import ClipModel

    return ClipModel("quality", folder, "cpu")


def _sentences(folder: Path) -> object:
    from portrayal.annotators.quality.sentences import _SentenceModel

    return _SentenceModel("quality", folder, "cpu")


def _network(folder: Path) -> object:
    from portrayal.annotators.caption.caption_model import _network

    return _network(folder, None)


def _processors(folder: Path) -> object:
    from portrayal.annotators.caption.caption_model import _processors

    return _processors(folder)


def _diffusers(folder: Path) -> object:
    from portrayal.generators.diffusers.models import find_models
    from portrayal.generators.diffusers.options import DiffusersOptions
    from portrayal.generators.diffusers.pipeline import LoadedModel

    return LoadedModel(find_models(str(folder), DiffusersOptions()), DiffusersOptions()).drawing


@pytest.mark.parametrize("load", [_clip, _quality, _sentences, _network, _processors, _diffusers])
def test_no_code_runs_and_nobody_is_asked(
    load: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, ran, asked = tmp_path / "model", tmp_path / "ran", list[str]()
    (folder / "unet").mkdir(parents=True)
    for name, said in FILES.items():
        (folder / name).write_text(json.dumps(said))
    for name in ("code.py", "pipeline.py", "unet/code.py"):
        (folder / name).write_text(f"open({str(ran)!r}, 'w')\n")
    monkeypatch.setenv("HF_MODULES_CACHE", str(tmp_path / "modules"))

    def agree(said: str = "") -> str:
        asked.append(said)
        return "y"

    monkeypatch.setattr(builtins, "input", agree)
    with pytest.raises(InputError, match="custom code"), loading("this part", folder):
        load(folder)
    assert (ran.exists(), asked) == (False, [])
