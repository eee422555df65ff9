"""What a model is asked to round, and what that costs, on small models with ordinary numbers and with outliers."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image as Pillow
from transformers import CLIPConfig, CLIPModel, CLIPProcessor, CLIPTokenizer
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.utils import logging

from portrayal.annotators.clip import Clip, ClipOptions
from portrayal.errors import ConfigError, StudyError
from portrayal.records import Image
from portrayal.settings import parse_settings
from portrayal.study.annotate.annotate_images import PendingImages, annotate
from portrayal.study.annotate.precision import compare, precision_checks
from portrayal.study.run import run_stages
from portrayal.study.run_control import RunControl
from portrayal.study.status import read_status
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

TOKENS = [*(letter + end for end in ("", "</w>") for letter in "abcdefghijklmnopqrstuvwxyz,-"), "<start>", "<end>"]


def model(folder: Path, outliers: float) -> Path:
    """Save a CLIP as sure as a trained one; outliers change nothing in exact numbers: weights are as much smaller."""
    torch.manual_seed(5)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    words = {"vocab_size": len(TOKENS), "max_position_embeddings": 100, "eos_token_id": len(TOKENS) - 1}
    config = CLIPConfig(
        text_config={**sizes, **words, "bos_token_id": len(TOKENS) - 2},
        vision_config={**sizes, "image_size": 32, "patch_size": 8},
        projection_dim=16,
    )
    clip = CLIPModel(config)
    with torch.no_grad():
        clip.logit_scale.fill_(math.log(100))
        for weight in clip.vision_model.parameters():
            weight.mul_(1.5)  # else layers of random weights pass on what they get, whatever they make of it
        for layer in clip.vision_model.encoder.layers:
            attention = layer.self_attn
            for norm, parts in (
                (layer.layer_norm1, (attention.q_proj, attention.k_proj, attention.v_proj)),
                (layer.layer_norm2, (layer.mlp.fc1,)),
            ):
                norm.weight[:2] *= outliers
                norm.bias[:2] *= outliers
                for part in parts:
                    part.weight[:, :2] /= outliers
    tokenizer = CLIPTokenizer(
        vocab={token: number for number, token in enumerate(TOKENS)},
        merges=[],
        bos_token="<start>",
        **dict.fromkeys(("unk_token", "eos_token", "pad_token"), "<end>"),
    )
    pictures = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    logging.disable_progress_bar()
    clip.save_pretrained(folder)
    logging.enable_progress_bar()
    CLIPProcessor(pictures, tokenizer).save_pretrained(folder)
    return folder


@pytest.fixture
def anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Round as a card would, on the processor."""
    monkeypatch.setattr("portrayal.annotators.clip.annotator.require_float8", lambda *_: None)


def study(make_study: Callable[..., Path], folder: Path, precision: str) -> OpenStudy:
    root = make_study(
        generators=[{"use": "simulated", "images": 40, "options": {"size": 40}}],
        annotators=[{"use": f"clip:{folder}", "options": {"precision": precision, "device": "cpu", "workers": 1}}],
    )
    run_stages(OpenStudy(root), RunControl(), ("plan", "generate"))
    return OpenStudy(root)


def test_outliers_stop_eight_bits_before_anything_is_kept(
    make_study: Callable[..., Path], tmp_path: Path, anywhere: None
) -> None:
    opened = study(make_study, model(tmp_path / "model", 1e6), "fp8")
    for _ in range(2):  # the second time by what was found
        with pytest.raises(StudyError, match=r'fp8 against exact: .* flip.* set options.precision = "bf16"'):
            annotate(opened, RunControl())
    assert opened.workspace.tables["observations"].count() == 0


def test_an_ordinary_model_is_let_through_and_what_it_costs_is_told(
    make_study: Callable[..., Path], tmp_path: Path
) -> None:
    opened = study(make_study, model(tmp_path / "model", 1), "bf16")
    annotate(opened, RunControl())
    assert opened.workspace.tables["observations"].count() > 0
    (checks,) = precision_checks(opened.workspace).values()
    assert {row.labels for row in checks} == {64}
    (said,) = read_status(opened).precision.values()
    assert said.startswith("bf16 against exact: probabilities shift by 0.00")
    assert f"precision of {next(iter(opened.annotators))}: {said}" in repr(read_status(opened))


def test_a_sample_tells_what_all_pictures_would(
    make_study: Callable[..., Path], tmp_path: Path, anywhere: None
) -> None:
    folder = model(tmp_path / "model", 1)
    opened = study(make_study, folder, "fp8")
    (name,) = opened.annotators
    images = list(PendingImages(opened, name))
    rounding, exact = (build(folder, precision=precision) for precision in ("fp8", "exact"))
    whole, part = (compare(rounding, exact, some) for some in (images, images[::2]))
    shifts = [np.mean([row.mean for row in checks]) for checks in (whole, part)]
    assert 0 < shifts[0] < 0.02
    assert shifts[1] == pytest.approx(shifts[0], rel=0.5)


def build(folder: Path, **options: Any) -> Clip:
    return Clip(str(folder), parse_settings(ClipOptions, {"device": "cpu", **options}, "study.toml"))


def test_precision_is_part_of_the_name_and_fast_is_bf16() -> None:
    changed = [
        parse_settings(ClipOptions, options, "study.toml").changed()
        for options in ({}, {"precision": "exact"}, {"fast": True}, {"precision": "bf16"}, {"precision": "fp8"})
    ]
    assert changed == [{}, {}, {"fast": True}, {"fast": True}, {"precision": "fp8"}]
    with pytest.raises(ConfigError, match="leave it out for fp8"):
        parse_settings(ClipOptions, {"fast": True, "precision": "fp8"}, "study.toml")


def test_eight_bits_are_refused_where_nothing_multiplies_them(tmp_path: Path) -> None:
    Pillow.fromarray(np.zeros((40, 40, 3), dtype=np.uint8)).save(tmp_path / "one.png")
    with pytest.raises(ConfigError, match=r"device 'cpu' does not multiply in eight bits .* set options.precision"):
        list(build(model(tmp_path / "model", 1), precision="fp8").annotate([Image("one", tmp_path / "one.png")]))
