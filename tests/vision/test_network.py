"""With a small CLIP of random weights, saved to a folder and loaded by the real code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import BertConfig, BertModel, CLIPModel, CLIPProcessor
from transformers.utils import logging

from portrayal.errors import ConfigError, InputError
from portrayal.vision import network as module
from portrayal.vision.network import Network, chosen_device, load_network
from portrayal.vision.preprocessing import Preprocessing

pytestmark = pytest.mark.slow

Load = Callable[..., Network]
PART = "annotator 'clip'"


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder, tmp_path / "model")


@pytest.fixture
def quiet() -> Any:
    """Leave the library's bars out, as who calls this does."""
    logging.disable_progress_bar()
    yield
    logging.enable_progress_bar()


def pixels(preprocessing: Preprocessing, photo: Callable[..., Image.Image], count: int = 6) -> torch.Tensor:
    found = np.stack([preprocessing.apply(photo(50 + number, 40, number)) for number in range(count)])
    return torch.from_numpy(found).permute(0, 3, 1, 2)


def test_the_preprocessing_is_the_one_saved_with_the_model(network: Load, preprocessing: Preprocessing) -> None:
    assert network().preprocessing == preprocessing


def test_scores_are_those_of_the_model_called_by_hand(
    network: Load, folder: Path, photo: Callable[..., Image.Image], quiet: None
) -> None:
    ours = network().score(pixels(network().preprocessing, photo))
    model, processor = CLIPModel.from_pretrained(folder), CLIPProcessor.from_pretrained(folder)
    pictures = [photo(50 + number, 40, number) for number in range(6)]
    texts = [f"a {word}" for word in ("man", "woman", "nurse", "tree", "cup")]
    with torch.inference_mode():
        inputs = processor(text=texts, images=pictures, return_tensors="pt", padding="max_length", max_length=20)
        theirs = model.eval()(**inputs).logits_per_image
    assert ours.shape == (6, 5)
    torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("halves", [True, False])
def test_fast_rounds_only_where_that_pays_and_sees_almost_the_same(
    network: Load, photo: Callable[..., Image.Image], monkeypatch: pytest.MonkeyPatch, halves: bool
) -> None:
    monkeypatch.setattr(module, "_multiplies_halves", lambda: halves)
    exact, fast = network(), network(fast=True)
    assert exact.dtype == torch.float32
    assert fast.dtype == (torch.bfloat16 if halves else torch.float32)
    assert {weight.dtype for weight in fast._model.parameters()} == {fast.dtype}
    batch = pixels(exact.preprocessing, photo)
    found = fast.score(batch)
    assert found.dtype == torch.float32
    difference = float((found.softmax(1) - exact.score(batch).softmax(1)).abs().max())
    assert difference < 0.02
    assert (difference > 0) is halves


def test_texts_are_encoded_once_and_in_full(
    network: Load, photo: Callable[..., Image.Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[int, torch.dtype]] = []
    encode = CLIPModel.get_text_features

    def counted(self: Any, **inputs: Any) -> Any:
        calls.append((len(inputs["input_ids"]), self.dtype))
        return encode(self, **inputs)

    monkeypatch.setattr(CLIPModel, "get_text_features", counted)
    monkeypatch.setattr(module, "_multiplies_halves", lambda: True)
    loaded = network(fast=True)
    for _ in range(3):
        loaded.score(pixels(loaded.preprocessing, photo))
    assert calls == [(5, torch.float32)]


def test_a_text_that_would_be_cut_is_named(network: Load) -> None:
    loaded = network()
    loaded.encode_texts(["a" * 18])  # with its first and its last token, 20
    with pytest.raises(ConfigError) as caught:
        loaded.encode_texts(["short", "a" * 19])
    assert str(caught.value) == f"{PART}: the model reads 20 tokens; shorten {'a' * 19!r}"


def test_results_need_no_gradients(network: Load, photo: Callable[..., Image.Image]) -> None:
    assert not network().score(pixels(network().preprocessing, photo, 1)).requires_grad


def of_words(folder: Path) -> None:
    BertModel(BertConfig(hidden_size=8, intermediate_size=8, num_attention_heads=2, vocab_size=60)).save_pretrained(
        folder
    )


def padding(folder: Path) -> None:
    path = folder / "processor_config.json"
    given = json.loads(path.read_text())
    given["image_processor"]["do_pad"] = True
    path.write_text(json.dumps(given))


def lacking(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["vision_config"]["num_hidden_layers"] = 3
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (of_words, "{part}: {folder} holds no model that compares images with texts; take a CLIP"),
        (lacking, "{part}: {folder} lacks some of the model's weights; fetch them anew"),
        (padding, "{part}: pictures as CLIPImageProcessor prepares them are not supported; take a CLIP or a SigLIP"),
    ],
)
def test_what_would_give_meaningless_numbers_is_refused(
    copy: Path, change: Callable[[Path], None], message: str, quiet: None
) -> None:
    change(copy)
    with pytest.raises(InputError) as caught:
        load_network(copy, "cpu", part=PART)
    assert str(caught.value) == message.format(part=PART, folder=copy)


def test_the_device_is_a_card_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_device("mps") == "mps"
    for there, expected in ((True, "cuda"), (False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=there: there)
        assert chosen_device("auto") == expected
        assert chosen_device("cpu") == "cpu"
