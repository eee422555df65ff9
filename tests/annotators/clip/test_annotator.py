"""With a tiny CLIP of random weights, saved to a folder and loaded by the real code."""

from __future__ import annotations

import importlib.util
import itertools
import json
import multiprocessing
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from huggingface_hub import constants
from PIL import Image as Pillow
from transformers import CLIPConfig, CLIPModel, CLIPProcessor, CLIPTokenizer, SiglipConfig, SiglipModel
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.utils import logging

from portrayal.annotators import ANNOTATORS, Annotator, Observed
from portrayal.annotators.clip import PINNED, Clip, ClipOptions
from portrayal.errors import ConfigError, InputError, MissingExtraError
from portrayal.records import Abstention, Image, Observation
from portrayal.settings import parse_settings
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Masses = dict[tuple[str, int, str], Any]
TOKENS = [*(letter + end for end in ("", "</w>") for letter in "abcdefghijklmnopqrstuvwxyz,-"), "<start>", "<end>"]
START, END = len(TOKENS) - 2, len(TOKENS) - 1
COMMIT = "0123456789" * 4
BATCH_TOLERANCE = 1e-5
"""What the page promises: matrix products round differently in batches of different sizes."""


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    words = {"vocab_size": len(TOKENS), "max_position_embeddings": 100, "bos_token_id": START, "eos_token_id": END}
    pixels = {"image_size": 32, "patch_size": 8}
    torch.manual_seed(5)
    config = CLIPConfig(text_config={**sizes, **words}, vision_config={**sizes, **pixels}, projection_dim=8)
    save(CLIPModel(config), folder)
    return folder


def save(model: Any, folder: Path) -> None:
    vocabulary = {token: number for number, token in enumerate(TOKENS)}
    special = {"unk_token": "<end>", "bos_token": "<start>", "eos_token": "<end>", "pad_token": "<end>"}
    pictures = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    logging.disable_progress_bar()
    model.save_pretrained(folder)
    logging.enable_progress_bar()
    CLIPProcessor(pictures, CLIPTokenizer(vocab=vocabulary, merges=[], **special)).save_pretrained(folder)


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> list[Image]:
    """Return nine different pictures of different shapes, every third asked for with two people."""
    folder, rng = tmp_path_factory.mktemp("pictures"), np.random.default_rng(2)
    found = []
    for number in range(9):
        path = folder / f"{number}.png"
        Pillow.fromarray(rng.integers(0, 256, (40 + 5 * number, 60, 3), dtype=np.uint8)).save(path)
        found.append(Image(str(number), path, people=2 if number % 3 == 2 else 1))
    return found


@pytest.fixture
def hub(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put the model into an empty cache of the hub, as its download would; return its id."""
    shutil.copytree(tiny, tmp_path / "models--me--tiny" / "snapshots" / COMMIT)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return "me/tiny"


def build(model: Path | str, **options: Any) -> Clip:
    return Clip(str(model), parse_settings(ClipOptions, options, "study.toml"))


def masses(rows: list[Observed]) -> dict[tuple[str, int, str], tuple[float, ...]]:
    return {(o.image, o.subject, o.attribute): o.mass or () for o in rows if isinstance(o, Observation)}


def test_masses_are_those_of_the_model_called_by_hand(tiny: Path, images: list[Image]) -> None:
    texts = ["a photo of a man", "a photo of a woman", "somebody", "nobody"]
    model, processor = CLIPModel.from_pretrained(tiny), CLIPProcessor.from_pretrained(tiny)
    assert images[0].path is not None
    with Pillow.open(images[0].path) as picture, torch.inference_mode():
        inputs = processor(text=texts, images=picture, return_tensors="pt", padding=True)
        man, woman, some, none = model(**inputs).logits_per_image[0].double().exp().tolist()
    rows = list(build(tiny, attributes=["gender"], person=["somebody", "nobody"]).annotate(images[:1]))
    assert [(row.image, row.subject, row.attribute) for row in rows] == [("0", 0, "person"), ("0", 0, "gender")]
    assert rows[0].mass == pytest.approx((some / (some + none), none / (some + none)), abs=1e-6)
    assert rows[1].mass == pytest.approx((man / (man + woman), woman / (man + woman)), abs=1e-6)


def test_an_image_is_compared_with_its_own_prompt(tiny: Path, images: list[Image]) -> None:
    asked = [replace(images[0], text="an apple"), replace(images[1], text="a tree "), replace(images[2], text="a tree")]
    model, processor = CLIPModel.from_pretrained(tiny), CLIPProcessor.from_pretrained(tiny)
    clip = build(tiny, attributes=["prompt_match", "gender"])
    found = masses(list(clip.annotate(asked)))
    assert [key for key in found if key[0] == "0"] == [("0", 0, "person"), ("0", 0, "gender"), ("0", 0, "prompt_match")]
    for image in asked:
        assert image.path is not None
        with Pillow.open(image.path) as picture, torch.inference_mode():
            texts = [image.text.strip(), f"not {image.text.strip()}"]
            inputs = processor(text=texts, images=picture, return_tensors="pt", padding=True)
            match, miss = model(**inputs).logits_per_image[0].double().exp().tolist()
        assert found[image.id, 0, "prompt_match"] == pytest.approx(
            (match / (match + miss), miss / (match + miss)), abs=1e-5
        )
    plain = masses(list(build(tiny, attributes=["gender"]).annotate(asked)))
    assert found["1", 0, "gender"] == pytest.approx(plain["1", 0, "gender"], abs=1e-6)


def test_the_prompt_against_nothing_is_another_annotator_and_asks_what_the_authors_of_tbyb_ask(
    tiny: Path, images: list[Image]
) -> None:
    image = replace(images[0], text="an apple")
    clip = build(tiny, attributes=["prompt_match"], words={"prompt_match": {"miss": " "}})
    model, processor = CLIPModel.from_pretrained(tiny), CLIPProcessor.from_pretrained(tiny)
    assert image.path is not None
    with Pillow.open(image.path) as picture, torch.inference_mode():
        inputs = processor(text=["an apple", " "], images=picture, return_tensors="pt", padding=True)
        expected = model(**inputs).logits_per_image[0].double().softmax(dim=0).tolist()
    found = masses(list(clip.annotate([image])))["0", 0, "prompt_match"]
    assert found == pytest.approx(expected, abs=1e-5)
    before = build(tiny, attributes=["prompt_match"])
    assert masses(list(before.annotate([image])))["0", 0, "prompt_match"] != pytest.approx(expected, abs=1e-5)
    assert clip.options.changed() != before.options.changed()


def test_without_a_prompt_or_with_a_very_long_one_nothing_is_told_of_it(tiny: Path, images: list[Image]) -> None:
    asked = [images[0], replace(images[1], text="a tree " * 60), replace(images[3], text="a tree", people=0)]
    clip = build(tiny, attributes=["prompt_match"])
    rows = [row for row in clip.annotate(asked) if isinstance(row, Abstention)]
    assert rows == [
        Abstention("0", clip.name, "no_prompt", 0, "prompt_match"),
        Abstention("1", clip.name, "prompt_too_long", 0, "prompt_match"),
        Abstention("3", clip.name, "group"),
    ]


def test_the_left_and_the_right_person_are_asked_about_in_their_own_words(tiny: Path, images: list[Image]) -> None:
    sided = build(tiny, attributes=["gender"], side_template="{side}, {group}")
    plain = build(tiny, attributes=["gender"], template="right, {group}")
    pair = masses(list(sided.annotate([Image("x", images[0].path, people=2)])))
    assert list(pair) == [("x", 0, "person"), ("x", 0, "gender"), ("x", 1, "gender")]
    alone = masses(list(plain.annotate([Image("x", images[0].path)])))
    assert pair["x", 1, "gender"] == pytest.approx(alone["x", 0, "gender"], abs=1e-6)
    assert pair["x", 0, "gender"] != pytest.approx(pair["x", 1, "gender"], abs=1e-3)


def test_a_group_is_abstained_from_and_leaves_the_others_as_they_are(tiny: Path, images: list[Image]) -> None:
    clip = build(tiny, batch=2)
    mixed = [Image(f"g{image.id}", image.path, people=0) if place % 2 else image for place, image in enumerate(images)]
    rows = [row for _, seen in clip.stream(iter([mixed])) for row in seen]
    assert [row for row in rows if row.image.startswith("g")] == [
        Abstention(image.id, clip.name, "group") for image in mixed[1::2]
    ]
    alone = masses(list(clip.annotate(images[::2])))
    for key, mass in masses(rows).items():
        assert mass == pytest.approx(alone.pop(key), abs=BATCH_TOLERANCE)
    assert not alone


@pytest.mark.parametrize("size", [1, 2, 4])
def test_results_do_not_hang_on_the_batch(tiny: Path, images: list[Image], size: int) -> None:
    clip = build(tiny)
    together = masses(list(clip.annotate(images)))
    parts = [masses(list(clip.annotate(images[start : start + size]))) for start in range(0, len(images), size)]
    apart = {key: mass for part in parts for key, mass in part.items()}
    assert list(apart) == list(together)
    for key, mass in together.items():
        assert apart[key] == pytest.approx(mass, abs=BATCH_TOLERANCE)


def test_texts_are_encoded_once(tiny: Path, images: list[Image], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    encode = CLIPModel.get_text_features

    def counted(self: CLIPModel, **inputs: Any) -> Any:
        calls.append(len(inputs["input_ids"]))
        return encode(self, **inputs)

    monkeypatch.setattr(CLIPModel, "get_text_features", counted)
    clip = build(tiny)
    for image in images:
        list(clip.annotate([image]))
    assert calls == [34]


def test_an_image_that_cannot_be_read_costs_only_itself(tiny: Path, images: list[Image], tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    clip = build(tiny)
    rows = list(clip.annotate([images[0], Image("bad", tmp_path / "bad.png"), Image("gone", None), images[1]]))
    assert [row for row in rows if isinstance(row, Abstention)] == [
        Abstention("bad", clip.name, "unreadable_image"),
        Abstention("gone", clip.name, "missing_file"),
    ]
    expected = masses(list(clip.annotate(images[:2])))
    assert masses(rows) == {key: pytest.approx(mass, abs=BATCH_TOLERANCE) for key, mass in expected.items()}


def test_a_model_of_the_hub_is_taken_from_the_cache(hub: str, tiny: Path, images: list[Image]) -> None:
    clip = build(hub, revision=COMMIT)
    assert clip.name == "clip@1:me/tiny@012345678901"
    assert masses(list(clip.annotate(images[:1]))) == masses(list(build(tiny).annotate(images[:1])))


def test_a_model_that_was_not_fetched_is_one_line_with_the_remedy(hub: str, images: list[Image]) -> None:
    with pytest.raises(InputError) as caught:
        list(build("me/other", revision=COMMIT).annotate(images[:1]))
    assert str(caught.value) == (
        "annotator 'clip': me/other is not on this machine; fetch it once with: hf download me/other "
        f"--revision {COMMIT} --include '*.json' --include '*.txt' --include '*.safetensors'"
    )


def damaged(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"damaged")


def halved(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["vision_config"]["num_hidden_layers"] = 3
    (folder / "config.json").write_text(json.dumps(config))


def without_config(folder: Path) -> None:
    (folder / "config.json").unlink()


def of_another_kind(folder: Path) -> None:
    from transformers import CLIPTextConfig, CLIPTextModel

    CLIPTextModel(CLIPTextConfig(hidden_size=8, intermediate_size=8, num_attention_heads=2)).save_pretrained(folder)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damaged, "the model in FOLDER cannot be loaded: "),
        (without_config, "the model in FOLDER cannot be loaded: "),
        (halved, "FOLDER lacks some of the model's weights; fetch them anew"),
        (of_another_kind, "FOLDER holds no model that compares images with texts; take a CLIP"),
    ],
)
def test_a_model_that_cannot_be_used_is_one_line(
    tiny: Path, images: list[Image], tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    folder = shutil.copytree(tiny, tmp_path / "model")
    damage(folder)
    with pytest.raises(InputError) as caught:
        list(build(folder).annotate(images[:1]))
    assert str(caught.value).startswith("annotator 'clip': " + message.replace("FOLDER", str(folder)))
    assert "\n" not in str(caught.value)


def test_a_device_that_is_not_there_is_one_line(tiny: Path, images: list[Image]) -> None:
    with pytest.raises(InputError, match=r"^annotator 'clip': the model in \S+ cannot be loaded: .*$"):
        list(build(tiny, device="cuda:77").annotate(images[:1]))


def test_a_text_longer_than_the_model_reads_is_named(tiny: Path, images: list[Image]) -> None:
    with pytest.raises(ConfigError, match=r"annotator 'clip': the model reads 100 tokens; shorten 'a{120} a man'"):
        list(build(tiny, template="a" * 120 + " {group}").annotate(images[:1]))


def test_the_name_tells_the_model_its_revision_and_the_wording(tiny: Path, tmp_path: Path, make_study: Any) -> None:
    def name(use: str, **options: Any) -> str:
        folder = make_study(f"study{len(list(tmp_path.iterdir()))}", annotators=[{"use": use, "options": options}])
        return next(iter(OpenStudy(folder).annotators))

    model = "openai/clip-vit-large-patch14"
    assert name(f"clip:{model}") == f"clip@1:{model}@{PINNED[model][:12]}"
    assert name(f"clip:{model}", revision=COMMIT, device="cpu") == f"clip@1:{model}@012345678901"
    plain = name(f"clip:{tiny}")
    assert re.fullmatch(r"clip@1:tiny@[0-9a-f]{12}", plain)
    assert name(f"clip:{tiny}", device="cpu") == plain
    assert name(f"clip:{tiny}", template="a picture of {group}").startswith(f"{plain}#")
    moved = shutil.copytree(tiny, tmp_path / "elsewhere" / "tiny")
    assert name(f"clip:{moved}") == plain
    weights = bytearray((moved / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (moved / "model.safetensors").write_bytes(weights)
    assert name(f"clip:{moved}") not in ("", plain)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("", {}, "annotator 'clip' needs a model, such as clip:openai/clip-vit-large-patch14"),
        ("me/tiny", {}, "annotator 'clip': set options.revision to a commit of me/tiny (40 digits"),
        ("./nowhere", {}, "annotator 'clip': no folder ./nowhere; give a folder or a model's id on the hub"),
        ("me/tiny", {"revision": "main"}, "study.toml: 'revision': string should match pattern"),
        ("me/tiny", {"device": "gpu"}, "study.toml: 'device': string should match pattern"),
        (".", {"revision": COMMIT}, "annotator 'clip': . is a folder and has no revision; leave the option out"),
        ("me/tiny", {"revision": COMMIT, "attributes": ["gendr"]}, "annotator 'clip' knows no attribute 'gendr'"),
    ],
)
def test_names_and_options_that_make_no_sense_are_named(model: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises((ConfigError, InputError)) as caught:
        build(model, **options)
    assert str(caught.value).startswith(message)


def test_a_siglip_works_too(tiny: Path, images: list[Image], tmp_path: Path) -> None:
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    words = {"vocab_size": len(TOKENS), "max_position_embeddings": 100, "projection_size": 16}
    torch.manual_seed(5)
    config = SiglipConfig(text_config={**sizes, **words}, vision_config={**sizes, "image_size": 32, "patch_size": 8})
    model = SiglipModel(config)
    with torch.no_grad():
        model.logit_scale.fill_(3.0)
        model.logit_bias.fill_(-7.0)
    save(model, tmp_path / "siglip")
    row = masses(list(build(tmp_path / "siglip", attributes=["gender"]).annotate(images[:1])))["0", 0, "gender"]
    processor = CLIPProcessor.from_pretrained(tmp_path / "siglip")
    assert images[0].path is not None
    with Pillow.open(images[0].path) as picture, torch.inference_mode():
        texts = ["a photo of a man", "a photo of a woman"]
        inputs = processor(text=texts, images=picture, return_tensors="pt", padding="max_length", max_length=100)
        theirs = model.eval()(**inputs).logits_per_image[0].double().softmax(0).tolist()
    assert row == pytest.approx(theirs, abs=1e-6)


def test_it_is_registered_and_loading_is_lazy(tiny: Path, images: list[Image]) -> None:
    part: object = ANNOTATORS.load("clip")
    assert part is Clip
    clip: Annotator = build(tiny)
    before = list(clip.annotate(images[:1]))
    assert len(pickle.dumps(clip)) < 10_000
    assert list(pickle.loads(pickle.dumps(clip)).annotate(images[:1])) == before
    code = (
        f"import sys; from portrayal.annotators.clip import Clip; Clip({str(tiny)!r}, Clip.Options());"
        "print([name for name in ('torch', 'transformers', 'huggingface_hub') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as caught:
        ANNOTATORS.load("clip:me/tiny")
    assert str(caught.value) == "annotator 'clip' needs torch, transformers: run pip install \"portrayal[torch]\""


def test_loading_says_nothing_and_leaves_the_library_as_it_was(
    tiny: Path, images: list[Image], capfd: pytest.CaptureFixture[str]
) -> None:
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    list(build(tiny).annotate(images[:1]))
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before
    assert capfd.readouterr() == ("", "")


def test_the_annotators_of_the_page_work_in_a_study(tiny: Path, make_study: Callable[..., Path]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "annotators" / "clip.md").read_text(encoding="utf-8")
    blocks = [tomllib.loads(text) for text in re.findall(r"^```toml[^\n]*\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    annotators = [annotator for block in blocks for annotator in block["annotators"]]
    assert len(annotators) >= 2
    for annotator in annotators:
        assert Clip(annotator["use"].partition(":")[2], parse_settings(ClipOptions, annotator["options"], "page")).name
        annotator["use"] = f"clip:{tiny}"
        del annotator["options"]["revision"]
    study = OpenStudy(make_study(annotators=annotators))
    for stage in (plan, generate, annotate):
        stage(study, RunControl())
    seen = study.workspace.query(
        "SELECT annotator, count(DISTINCT image) AS n FROM observations GROUP BY 1"
    ).to_pylist()
    assert {row["annotator"]: row["n"] for row in seen} == dict.fromkeys(study.annotators, 6)


def streamed(clip: Clip, batches: Iterable[Sequence[Image]]) -> tuple[list[list[str]], list[Observed]]:
    """Return which images came together, and all rows."""
    groups: list[list[str]] = []
    rows: list[Observed] = []
    for images, seen in clip.stream(iter(batches)):
        groups.append([image.id for image in images])
        rows += seen
    return groups, rows


@pytest.mark.parametrize(
    ("cuts", "workers"), [((), 1), ((1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 1), ((2, 2, 5, 9), 2), ((8,), 1)]
)
def test_a_stream_sees_what_a_call_sees_in_batches_of_its_own(
    tiny: Path, images: list[Image], tmp_path: Path, cuts: tuple[int, ...], workers: int
) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    shown = [*images[:4], Image("bad", tmp_path / "bad.png"), Image("gone", None), *images[4:]]
    clip = build(tiny, batch=4, workers=workers)
    given = [shown[start:end] for start, end in itertools.pairwise((0, *cuts, len(shown)))]
    groups, rows = streamed(clip, given)
    assert groups == [["0", "1", "2", "3"], ["bad", "gone", "4", "5"], ["6", "7", "8"]]
    assert rows == list(clip.annotate(shown))
    assert [row.image for row in rows if isinstance(row, Abstention)] == ["bad", "gone"]
    assert not multiprocessing.active_children()


def test_a_stream_of_nothing_is_nothing(tiny: Path) -> None:
    clip = build(tiny, workers=2)
    assert streamed(clip, []) == ([], [])
    assert streamed(clip, [[], []]) == ([], [])


def test_a_stream_reads_only_a_few_batches_ahead(tiny: Path, images: list[Image]) -> None:
    given = 0

    def endless() -> Iterator[list[Image]]:
        nonlocal given
        for image in itertools.cycle(images):
            given += 1
            yield [image]

    for number, _ in zip(range(1, 9), build(tiny, batch=3, workers=1).stream(endless()), strict=False):
        assert given <= 3 * (number + 2)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("option", "expected"), [(0, 32), (1, 1), (5, 5)])
def test_the_batch_is_what_the_options_say(
    tiny: Path, images: list[Image], monkeypatch: pytest.MonkeyPatch, option: int, expected: int
) -> None:
    sizes = []
    encode = CLIPModel.get_image_features

    def counted(self: Any, **inputs: Any) -> Any:
        sizes.append(len(inputs["pixel_values"]))
        return encode(self, **inputs)

    monkeypatch.setattr(CLIPModel, "get_image_features", counted)
    list(build(tiny, batch=option).annotate(images * 5))
    assert sizes[0] == expected
    assert sum(sizes) == 45
    assert len(sizes) == -(-45 // expected)


def test_fast_is_another_annotator_that_sees_almost_the_same(
    tiny: Path, images: list[Image], make_study: Callable[..., Path]
) -> None:
    places = [{}, {"device": "cpu"}, {"batch": 7}, {"workers": 3}, {"fast": False}, {"device": "cuda", "batch": 1}]
    names: list[str] = []
    for number, options in enumerate([*places, {"fast": True}, {"fast": True, "workers": 2}]):
        folder = make_study(f"study{number}", annotators=[{"use": f"clip:{tiny}", "options": options}])
        names += OpenStudy(folder).annotators
    assert len(set(names[:6])) == 1
    assert len(set(names[6:])) == 1
    assert names[6].startswith(f"{names[0]}#")
    exact, fast = (masses(list(build(tiny, fast=fast).annotate(images))) for fast in (False, True))
    assert list(exact) == list(fast)
    for key, mass in exact.items():
        assert fast[key] == pytest.approx(mass, abs=0.02)


PICTURES = 60
"""For each of two prompts."""


@pytest.fixture(scope="module")
def drawn(write_study: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory, tiny: Path) -> Path:
    """Return a study whose images are there but not looked at; only to be copied."""
    options = {"attributes": ["gender"], "batch": 4, "workers": 2}
    folder = write_study(
        tmp_path_factory.mktemp("drawn") / "study",
        generators=[{"use": "simulated", "images": PICTURES}],
        annotators=[{"use": f"clip:{tiny}", "options": options}],
        generate={"batch": 200},
        annotate={"batch": 3},
    )
    for stage in (plan, generate):
        stage(OpenStudy(folder), RunControl())
    return folder


def seen_in(folder: Path) -> Masses:
    """Return the masses by image and attribute; no row may be there twice."""
    rows = OpenStudy(folder).workspace.query("SELECT image, subject, attribute, mass FROM observations").to_pylist()
    found = {(row["image"], row["subject"], row["attribute"]): row["mass"] for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.fixture(scope="module")
def undisturbed(drawn: Path, tmp_path_factory: pytest.TempPathFactory) -> Masses:
    folder = shutil.copytree(drawn, tmp_path_factory.mktemp("undisturbed") / "study")
    annotate(OpenStudy(folder), RunControl())
    found = seen_in(folder)
    assert len(found) == 2 * 2 * PICTURES
    return found


def check_resumed(folder: Path, undisturbed: Masses) -> None:
    done = seen_in(folder)
    assert 0 < len(done) < len(undisturbed)
    annotate(OpenStudy(folder), RunControl())
    assert seen_in(folder) == {key: pytest.approx(mass, abs=BATCH_TOLERANCE) for key, mass in undisturbed.items()}
    assert done == {key: mass for key, mass in seen_in(folder).items() if key in done}


COMMITTING = """
import sys, time
from portrayal.store.tables.table import Table
from portrayal.study.annotate import run_annotator
run_annotator.COMMIT_EVERY = 0.0
append = Table.append
def append_some(self, rows):  # of forty, so that it is killed before it is done
    append(self, rows)
    while len(self.segments()) == 10:
        time.sleep(1)
Table.append = append_some
sys.argv = ["portrayal", "annotate", sys.argv[1]]
from portrayal.cli.main import main
main()
"""


def children_of(pid: int) -> list[int]:
    """Return the processes that any thread of a process started."""
    try:
        files = Path(f"/proc/{pid}/task").glob("*/children")
        return [int(child) for file in files for child in file.read_text().split()]
    except OSError:
        return []


def wait_until(ready: Callable[[], object], process: subprocess.Popen[Any]) -> None:
    while not ready():
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)


def test_killed_while_streaming_a_study_ends_as_if_undisturbed(
    drawn: Path, tmp_path: Path, undisturbed: Masses
) -> None:
    folder = shutil.copytree(drawn, tmp_path / "study")
    process = subprocess.Popen([sys.executable, "-c", COMMITTING, str(folder)], stderr=subprocess.PIPE)
    wait_until(lambda: len(list((folder / "tables" / "observations").glob("*.parquet"))) > 1, process)
    children = children_of(process.pid)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert process.stderr is not None
    process.stderr.close()
    assert len(children) >= 2
    while any(Path(f"/proc/{child}").exists() for child in children):
        time.sleep(0.05)
    check_resumed(folder, undisturbed)


# Processes that open images begin when there is a file ``go``.
HELD = """
import os, sys, time
while "--multiprocessing-fork" in sys.orig_argv and not os.path.exists(os.environ["GO"]):
    time.sleep(0.01)
"""


def test_ctrl_c_while_streaming_loses_nothing(
    drawn: Path,
    tmp_path: Path,
    undisturbed: Masses,
    start_command: Callable[..., subprocess.Popen[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = shutil.copytree(drawn, tmp_path / "study")
    (tmp_path / "sitecustomize.py").write_text(HELD)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("GO", str(tmp_path / "go"))
    process = start_command("annotate", folder, start_new_session=True)
    wait_until(lambda: len(children_of(process.pid)) >= 2, process)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the workers get it too
    assert process.stderr is not None
    assert any("stopping after the current batch" in line for line in iter(process.stderr.readline, ""))
    (tmp_path / "go").touch()
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert out == ""
    assert err.endswith("stopped; nothing is lost, run it again to go on\n")
    assert "Traceback" not in err
    check_resumed(folder, undisturbed)


def test_a_stop_between_batches_commits_what_was_begun(drawn: Path, tmp_path: Path, undisturbed: Masses) -> None:
    folder = shutil.copytree(drawn, tmp_path / "study")
    asked = itertools.count()
    annotate(OpenStudy(folder), RunControl(stopped=lambda: next(asked) >= 10))
    assert len(seen_in(folder)) == 2 * 3 * 10
    check_resumed(folder, undisturbed)


def test_a_stream_on_each_of_two_devices_writes_the_same_table(drawn: Path, tmp_path: Path) -> None:
    one, two = (shutil.copytree(drawn, tmp_path / name) for name in ("one", "two"))
    file = two / "study.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"use" = "clip:', '"devices" = ["cpu", "cpu"], "use" = "clip:'), encoding="utf-8")
    tables = []
    for folder in (one, two):
        study = OpenStudy(folder)
        study.check()
        ((spec, _),) = study.annotators.values()
        assert spec.devices == (("cpu", "cpu") if folder == two else ())
        annotate(study, RunControl())
        tables.append(study.workspace.query("SELECT * FROM observations"))
    assert tables[0].num_rows == 2 * 2 * PICTURES
    assert tables[0].equals(tables[1])
    assert multiprocessing.active_children() == []


def test_devices_and_a_device_are_too_much(tiny: Path, make_study: Callable[..., Path]) -> None:
    annotator = {"use": f"clip:{tiny}", "devices": ["cpu", "cpu"], "options": {"device": "cpu"}}
    with pytest.raises(ConfigError, match=r"devices and options\.device both say where it works; keep one of them"):
        OpenStudy(make_study(annotators=[annotator])).check()
