"""With tiny models of random weights, one of each kind, saved to folders and loaded by the real code."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers as tf
from huggingface_hub import constants
from PIL import Image as Pillow
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers.models.blip.image_processing_pil_blip import BlipImageProcessorPil
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.models.llava_next.image_processing_pil_llava_next import LlavaNextImageProcessorPil
from transformers.models.vit.image_processing_pil_vit import ViTImageProcessorPil
from transformers.utils import logging

from portrayal.annotators import Annotator
from portrayal.annotators.caption import Caption, CaptionOptions
from portrayal.annotators.caption.caption_model import INSTRUCTION
from portrayal.errors import ConfigError, InputError
from portrayal.records import Abstention, Image, Observation
from portrayal.settings import parse_settings

pytestmark = pytest.mark.slow

SEEDS = {"blip": 2, "git": 3, "vit_gpt2": 3, "blip2": 18, "llava": 6, "llava_next": 1, "florence2": 5}
"""Of random models those that write something different about each of the five pictures."""

COMMIT = "0123456789" * 4
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "[DEC]",
    *LETTERS,
    "photo",
    *("##" + piece for piece in LETTERS),
]
WORDS = ["<pad>", "<s>", "</s>", "<unk>", "<image>", *LETTERS, "photo", "of", "person", "user", "assistant"]
SPECIAL = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
ENDS: dict[str, Any] = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "vocab_size": len(WORDS)}
SIZES: dict[str, Any] = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
# Random weights this large make captions that differ from picture to picture and end at different places.
VISION: dict[str, Any] = {**SIZES, "image_size": 32, "patch_size": 8, "initializer_range": 1.0}
SQUARE = {"height": 32, "width": 32}
CHAT = (
    "{% for message in messages %}{{ message['role'] }} {% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image> {% else %}{{ part['text'] }} {% endif %}{% endfor %}{% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)


def pieces() -> Any:
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    return tf.BertTokenizer(vocab=vocabulary, additional_special_tokens=["[DEC]"])


def words(**special: Any) -> Any:
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    given = special or {"additional_special_tokens": ["<image>", "<pad>"]}
    return tf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **{**SPECIAL, **given})


def blip() -> list[Any]:
    ends = {"bos_token_id": 5, "eos_token_id": 3, "sep_token_id": 3, "pad_token_id": 0, "vocab_size": len(PIECES)}
    text = {**SIZES, **ends, "encoder_hidden_size": 16, "max_position_embeddings": 64, "initializer_range": 1.0}
    model = tf.BlipForConditionalGeneration(tf.BlipConfig(text_config=text, vision_config=VISION, projection_dim=8))
    return [model, tf.BlipProcessor(BlipImageProcessorPil(size=SQUARE), pieces())]


def git() -> list[Any]:
    ends = {"bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0, "vocab_size": len(PIECES)}
    config = tf.GitConfig(vision_config=VISION, **SIZES, **ends, max_position_embeddings=64, initializer_range=1.0)
    return [tf.GitForCausalLM(config), tf.GitProcessor(clip_pixels(), pieces())]


def vit_gpt2() -> list[Any]:
    sizes = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 64, "initializer_range": 1.0}
    decoder = tf.GPT2Config(**sizes, vocab_size=len(WORDS), bos_token_id=1, eos_token_id=2, add_cross_attention=True)
    config = tf.VisionEncoderDecoderConfig.from_encoder_decoder_configs(tf.ViTConfig(**VISION), decoder)
    config.decoder_start_token_id, config.eos_token_id = 1, 2
    model = tf.VisionEncoderDecoderModel(config=config)
    # Some published models have no token to fill with, and their settings name a word instead.
    model.generation_config.pad_token_id = WORDS.index("v")
    model.generation_config.eos_token_id = [2, *range(5, 15)]  # so that captions do end at different places
    return [
        model,
        ViTImageProcessorPil(size=SQUARE),
        words(pad_token=None, additional_special_tokens=["<image>", "<pad>"]),
    ]


def blip2() -> list[Any]:
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "ffn_dim": 32, "num_attention_heads": 2, "init_std": 1.0}
    text = tf.OPTConfig(**sizes, **ENDS, max_position_embeddings=64, word_embed_proj_dim=16)
    queries = {**SIZES, "encoder_hidden_size": 16, "vocab_size": 10}
    config = tf.Blip2Config(
        vision_config=VISION,
        qformer_config=queries,
        text_config=text.to_dict(),
        num_query_tokens=4,
        image_token_index=4,
        initializer_range=1.0,
    )
    processor = tf.Blip2Processor(BlipImageProcessorPil(size=SQUARE), words(), num_query_tokens=4)
    return [tf.Blip2ForConditionalGeneration(config), processor]


def clip_pixels(**more: Any) -> Any:
    return CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size=SQUARE, **more)


def seeing_llama() -> dict[str, Any]:
    text = tf.LlamaConfig(**SIZES, **ENDS, max_position_embeddings=256, initializer_range=1.0)
    vision = tf.CLIPVisionConfig(**VISION)
    return {"vision_config": vision, "text_config": text, "image_token_index": 4, "vision_feature_layer": -1}


TALKS: dict[str, Any] = {"patch_size": 8, "vision_feature_select_strategy": "default", "chat_template": CHAT}


def llava() -> list[Any]:
    model = tf.LlavaForConditionalGeneration(tf.LlavaConfig(**seeing_llama()))
    # Models are published with such settings; captions must come out the same every time all the same.
    model.generation_config.do_sample, model.generation_config.temperature, model.generation_config.top_k = True, 2.0, 9
    return [model, tf.LlavaProcessor(clip_pixels(), words(), num_additional_image_tokens=1, **TALKS)]


def llava_next() -> list[Any]:
    """Return a model in which pictures of other shapes have other numbers of tokens."""
    tiles = [[32, 64], [64, 32], [64, 64]]
    model = tf.LlavaNextForConditionalGeneration(tf.LlavaNextConfig(**seeing_llama(), image_grid_pinpoints=tiles))
    pixels = LlavaNextImageProcessorPil(size={"shortest_edge": 32}, crop_size=SQUARE, image_grid_pinpoints=tiles)
    return [model, tf.LlavaNextProcessor(pixels, words(), num_additional_image_tokens=1, **TALKS)]


def florence2() -> list[Any]:
    stages: dict[str, Any] = {"depths": (1, 1), "embed_dim": (16, 16), "num_heads": (2, 2), "num_groups": (2, 2)}
    patches: dict[str, Any] = {"patch_size": (7, 3), "patch_stride": (4, 2), "patch_padding": (3, 1)}
    more: dict[str, Any] = {"patch_prenorm": (False, True), "window_size": 4, "projection_dim": 16}
    vision = tf.Florence2VisionConfig(**stages, **patches, **more, initializer_range=1.0)
    layers = {f"{side}_{name}": size for side in ("encoder", "decoder") for name, size in
              (("layers", 1), ("ffn_dim", 32), ("attention_heads", 2))}  # fmt: skip
    text = tf.BartConfig(
        **ENDS, **layers, d_model=16, max_position_embeddings=64, decoder_start_token_id=2, init_std=1.0
    )
    config = tf.Florence2Config(vision_config=vision, text_config=text, image_token_id=4)
    tokenizer = words(extra_special_tokens={"image_token": "<image>"})
    return [
        tf.Florence2ForConditionalGeneration(config),
        tf.Florence2Processor(clip_pixels(image_seq_length=17), tokenizer),
    ]


KINDS: dict[str, Callable[[], list[Any]]] = {
    made.__name__: made for made in (blip, git, vit_gpt2, blip2, llava, llava_next, florence2)
}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Keep to one thread: for models this small, sharing the work costs more than it saves."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Save one model of each kind with what prepares its input."""
    folder = tmp_path_factory.mktemp("models")
    logging.disable_progress_bar()
    for name, make in KINDS.items():
        torch.manual_seed(SEEDS[name])
        for part in make():
            part.save_pretrained(folder / name)
    logging.enable_progress_bar()
    return {name: folder / name for name in KINDS}


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> list[Image]:
    """Return five different pictures of different shapes."""
    folder, rng = tmp_path_factory.mktemp("pictures"), np.random.default_rng(2)
    found = []
    for number, shape in enumerate([(40, 60, 3), (64, 64, 3), (90, 40, 3), (33, 100, 3), (50, 50, 3)]):
        path = folder / f"{number}.png"
        Pillow.fromarray(rng.integers(0, 256, shape, dtype=np.uint8) // (number + 1)).save(path)
        found.append(Image(str(number), path))
    return found


def build(model: Path | str, **options: Any) -> Caption:
    return Caption(str(model), parse_settings(CaptionOptions, {"max_tokens": 8, **options}, "study.toml"))


def captions(caption: Caption, images: list[Image]) -> list[str]:
    return [row.text or row.reason or "" for row in caption.annotate(images)]


WAYS = [
    *((kind, "", 1) for kind in KINDS),
    *((kind, "photo of", 1) for kind in KINDS if kind != "vit_gpt2"),
    *((kind, "", 3) for kind in ("blip", "vit_gpt2", "llava_next")),
    ("florence2", "<CAPTION>", 1),
]


@pytest.mark.parametrize(("kind", "prompt", "beams"), WAYS)
def test_captions_do_not_hang_on_the_batch(
    kinds: dict[str, Path], images: list[Image], kind: str, prompt: str, beams: int
) -> None:
    caption = build(kinds[kind], prompt=prompt, beams=beams)
    together = captions(caption, images)
    assert [captions(caption, [image])[0] for image in images] == together
    assert captions(caption, images[3:]) + captions(caption, images[:3]) == together[3:] + together[:3]
    if not prompt and beams == 1:
        assert len(set(together)) == len(images), "nothing is tested by captions that are all alike"
        assert not any(special in text for text in together for special in ("[", "<"))


def by_hand(folder: Path, image: Image, prompt: str) -> str:
    """Return what the library's own model and processor make of an image, without Portrayal."""
    processor = tf.AutoProcessor.from_pretrained(folder)
    model = tf.AutoModelForImageTextToText.from_pretrained(folder).eval()
    assert image.path is not None
    with Pillow.open(image.path) as picture:
        if processor.chat_template:
            text = processor.apply_chat_template(
                [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": prompt}]}],
                add_generation_prompt=True,
            )
            inputs = processor(images=picture, text=text, return_tensors="pt")
        else:
            inputs = processor(images=picture, text=prompt or None, return_tensors="pt")
    tokens = model.generate(**inputs, max_new_tokens=8, do_sample=False)
    if processor.chat_template:
        tokens = tokens[:, inputs["input_ids"].shape[1] :]
    return str(processor.decode(tokens[0], skip_special_tokens=True)).strip()


@pytest.mark.parametrize(
    ("kind", "prompt", "asked"),
    [("blip", "", ""), ("blip2", "", ""), ("llava", "", INSTRUCTION), ("llava_next", "photo of", "photo of")],
)
def test_captions_are_those_of_the_model_called_by_hand(
    kinds: dict[str, Path], images: list[Image], kind: str, prompt: str, asked: str
) -> None:
    assert captions(build(kinds[kind], prompt=prompt), images[:2]) == [
        by_hand(kinds[kind], image, asked) for image in images[:2]
    ]


def test_the_prompt_begins_the_caption_and_is_not_part_of_it(kinds: dict[str, Path], images: list[Image]) -> None:
    theirs = by_hand(kinds["blip"], images[1], "photo")
    assert theirs.startswith("photo")
    begun, plain = (captions(build(kinds["blip"], prompt=prompt), images[1:2])[0] for prompt in ("photo", ""))
    assert begun == theirs.removeprefix("photo").strip()
    assert begun != plain


def test_a_prompt_to_git_is_left_open(kinds: dict[str, Path], images: list[Image]) -> None:
    processor = tf.AutoProcessor.from_pretrained(kinds["git"])
    model = tf.GitForCausalLM.from_pretrained(kinds["git"]).eval()
    open_ended = [processor.tokenizer.cls_token_id, *processor.tokenizer("a b", add_special_tokens=False)["input_ids"]]
    assert images[1].path is not None
    with Pillow.open(images[1].path) as picture:
        pixels = processor(images=picture, return_tensors="pt")["pixel_values"]
    tokens = model.generate(pixel_values=pixels, input_ids=torch.tensor([open_ended]), max_new_tokens=8)
    theirs = processor.decode(tokens[0], skip_special_tokens=True).removeprefix("a b").strip()
    assert captions(build(kinds["git"], prompt="a b"), images[1:2]) == [theirs or "empty_caption"]


def test_an_image_that_cannot_be_read_costs_only_itself(
    kinds: dict[str, Path], images: list[Image], tmp_path: Path
) -> None:
    (tmp_path / "bad.png").write_bytes(b"not a picture")
    caption = build(kinds["blip"])
    rows = list(caption.annotate([images[0], Image("bad", tmp_path / "bad.png"), Image("gone", None), images[1]]))
    texts = captions(caption, images[:2])
    assert rows == [
        Observation("0", caption.name, 0, "caption", text=texts[0]),
        Abstention("bad", caption.name, "unreadable_image"),
        Abstention("gone", caption.name, "missing_file"),
        Observation("1", caption.name, 0, "caption", text=texts[1]),
    ]


def test_no_words_are_an_abstention(kinds: dict[str, Path], images: list[Image], tmp_path: Path) -> None:
    folder = shutil.copytree(kinds["git"], tmp_path / "silent")
    model = tf.GitForCausalLM.from_pretrained(folder)
    with torch.no_grad():
        model.output.weight.zero_()
        model.output.bias.zero_()
        model.output.bias[3] = 1.0  # ends at once
    model.save_pretrained(folder)
    caption = build(folder)
    assert list(caption.annotate(images[:1])) == [Abstention("0", caption.name, "empty_caption")]


@pytest.mark.parametrize(
    ("holds", "sizes"), [(2, [1, 5, 2, 2, 1, 2, 2, 1]), (1, [1, 5, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])]
)
def test_a_batch_that_memory_does_not_hold_is_halved_for_good(
    kinds: dict[str, Path], images: list[Image], monkeypatch: pytest.MonkeyPatch, holds: int, sizes: list[int]
) -> None:
    expected = captions(build(kinds["blip"]), images)
    asked: list[int] = []
    generate = tf.BlipForConditionalGeneration.generate

    def small(self: Any, pixel_values: Any, **inputs: Any) -> Any:
        asked.append(len(pixel_values))
        if len(pixel_values) > holds:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return generate(self, pixel_values, **inputs)

    monkeypatch.setattr(tf.BlipForConditionalGeneration, "generate", small)
    caption = build(kinds["blip"])
    assert captions(caption, images) == captions(caption, images) == expected
    assert asked == sizes


def test_memory_too_small_for_one_picture_is_one_line(
    kinds: dict[str, Path], images: list[Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*inputs: Any, **more: Any) -> Any:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(tf.BlipForConditionalGeneration, "generate", full)
    with pytest.raises(InputError) as caught:
        captions(build(kinds["blip"]), images)
    assert str(caught.value) == ("annotator 'caption': cpu has not the memory for one picture; take a smaller model")


def test_fewer_digits_are_another_annotator(kinds: dict[str, Path], images: list[Image]) -> None:
    assert all(captions(build(kinds["llava"], dtype="bfloat16"), images))
    assert CaptionOptions(dtype="bfloat16", device="cpu", revision=COMMIT).changed() == {"dtype": "bfloat16"}
    assert CaptionOptions(prompt="a", max_tokens=9, beams=2).changed() == {"prompt": "a", "max_tokens": 9, "beams": 2}


def test_a_model_of_the_hub_is_taken_from_the_cache(
    kinds: dict[str, Path], images: list[Image], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(kinds["blip"], tmp_path / "models--me--blip" / "snapshots" / COMMIT)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    caption = build("me/blip", revision=COMMIT)
    assert caption.name == "caption@1:me/blip@012345678901"
    assert captions(caption, images) == captions(build(kinds["blip"]), images)
    assert re.fullmatch(r"caption@1:blip@[0-9a-f]{12}", build(kinds["blip"]).name)
    with pytest.raises(
        InputError, match=r"^annotator 'caption': me/other is not on this machine; fetch it once with: "
    ):
        captions(build("me/other", revision=COMMIT), images)


def damaged(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"damaged")


def halved(folder: Path) -> None:
    text = (folder / "config.json").read_text().replace('"num_hidden_layers": 2', '"num_hidden_layers": 3')
    (folder / "config.json").write_text(text)


def of_another_kind(folder: Path) -> None:
    config = tf.CLIPTextConfig(hidden_size=8, intermediate_size=8, num_attention_heads=2)
    tf.CLIPTextModel(config).save_pretrained(folder)


def without_words(folder: Path) -> None:
    for path in folder.glob("tokenizer*"):
        path.unlink()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damaged, "the model in FOLDER cannot be loaded: "),
        (of_another_kind, "the model in FOLDER cannot be loaded: "),
        (without_words, "FOLDER lacks the files of the model's tokenizer; fetch them, too"),
        (halved, "FOLDER lacks some of the model's weights; fetch them anew"),
    ],
)
def test_a_model_that_cannot_be_used_is_one_line(
    kinds: dict[str, Path], images: list[Image], tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    folder = shutil.copytree(kinds["blip"], tmp_path / "model")
    damage(folder)
    with pytest.raises(InputError) as caught:
        captions(build(folder), images[:1])
    assert str(caught.value).startswith("annotator 'caption': " + message.replace("FOLDER", str(folder)))
    assert "\n" not in str(caught.value)


def test_a_model_may_lack_what_no_caption_is_made_from(
    kinds: dict[str, Path], images: list[Image], tmp_path: Path
) -> None:
    folder = shutil.copytree(kinds["vit_gpt2"], tmp_path / "model")
    weights = load_file(folder / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if ".pooler." not in name}
    assert len(kept) == len(weights) - 2
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    assert captions(build(folder), images) == captions(build(kinds["vit_gpt2"]), images)


def test_a_prompt_that_a_model_does_not_take_stops_before_the_first_image(
    kinds: dict[str, Path], images: list[Image]
) -> None:
    with pytest.raises(
        ConfigError, match=r"^annotator 'caption': the model in \S+ takes no prompt; leave the option out$"
    ):
        captions(build(kinds["vit_gpt2"], prompt="photo of"), images)
    with pytest.raises(InputError) as caught:
        captions(build(kinds["florence2"], prompt="<CAPTION> please"), images)
    said = f"the model in {kinds['florence2']} writes nothing with the prompt '<CAPTION> please': Task token"
    assert str(caught.value).startswith(f"annotator 'caption': {said}")


def test_a_device_that_is_not_there_is_one_line(kinds: dict[str, Path], images: list[Image]) -> None:
    with pytest.raises(InputError, match=r"^annotator 'caption': the model in \S+ cannot be loaded: .*$"):
        captions(build(kinds["blip"], device="cuda:77"), images)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("", {}, "annotator 'caption' needs a model, such as caption:Salesforce/blip-image-captioning-large"),
        ("me/tiny", {}, "annotator 'caption': set options.revision to a commit of me/tiny (40 digits"),
        ("me/tiny", {"revision": "main"}, "study.toml: 'revision': string should match pattern"),
        ("me/tiny", {"device": "gpu"}, "study.toml: 'device': string should match pattern"),
        ("me/tiny", {"max_tokens": 0}, "study.toml: 'max_tokens': input should be greater than or equal to 1"),
        ("me/tiny", {"dtype": "int8"}, "study.toml: 'dtype': input should be 'float32', 'bfloat16' or 'float16'"),
    ],
)
def test_names_and_options_that_make_no_sense_are_named(model: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        build(model, **options)
    assert str(caught.value).startswith(message)


def test_it_travels_loads_late_and_says_nothing(
    kinds: dict[str, Path], images: list[Image], capfd: pytest.CaptureFixture[str]
) -> None:
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    caption: Annotator = build(kinds["llava"])
    rows = list(caption.annotate(images[:1]))
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before
    assert capfd.readouterr() == ("", "")
    assert len(pickle.dumps(caption)) < 10_000
    assert list(pickle.loads(pickle.dumps(caption)).annotate(images[:1])) == rows
    code = (
        "import sys; from portrayal.annotators.caption import Caption;"
        f"Caption({str(kinds['blip'])!r}, Caption.Options());"
        "print([name for name in ('torch', 'transformers', 'huggingface_hub') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
