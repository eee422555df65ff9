"""With tiny pipelines of random weights, saved to folders and loaded by the real code."""

from __future__ import annotations

import functools
import io
import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from diffusers import (
    AutoencoderKL,
    DDIMScheduler,
    DDPMWuerstchenScheduler,
    EDMDPMSolverMultistepScheduler,
    EulerDiscreteScheduler,
    FlowMatchEulerDiscreteScheduler,
    FluxPipeline,
    FluxTransformer2DModel,
    LatentConsistencyModelPipeline,
    LCMScheduler,
    SD3Transformer2DModel,
    StableCascadeDecoderPipeline,
    StableCascadePriorPipeline,
    StableCascadeUNet,
    StableDiffusion3Pipeline,
    StableDiffusionInstructPix2PixPipeline,
    StableDiffusionPipeline,
    StableDiffusionXLPipeline,
    UNet2DConditionModel,
)
from diffusers.pipelines.deprecated.wuerstchen import PaellaVQModel
from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker
from diffusers.utils import logging as library_logging
from huggingface_hub import constants
from numpy.typing import NDArray
from peft import LoraConfig
from peft.utils import get_peft_model_state_dict
from PIL import Image as Pillow
from transformers import (
    CLIPConfig,
    CLIPTextConfig,
    CLIPTextModel,
    CLIPTextModelWithProjection,
    CLIPTokenizer,
    T5Config,
    T5EncoderModel,
    T5Tokenizer,
)
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
from transformers.utils import logging as transformers_logging

from portrayal.errors import ConfigError, InputError, PortrayalError
from portrayal.generators import Editor, Generator
from portrayal.generators.diffusers import Diffusers
from portrayal.generators.diffusers.options import DiffusersOptions
from portrayal.generators.diffusers.pipeline import _dtype
from portrayal.generators.diffusers.schedulers import SCHEDULERS
from portrayal.records import Failed, Job, Made, Prompt, Refused
from portrayal.settings import parse_settings
from portrayal.study.generate.generate_images import generate
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

pytestmark = pytest.mark.slow

Outcome = Made | Refused | Failed
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKENS = [*(letter + end for end in ("", "</w>") for letter in LETTERS), "<start>", "<end>"]
COMMIT = "0123456789" * 4
BETAS: dict[str, Any] = {"beta_start": 0.00085, "beta_end": 0.012, "beta_schedule": "scaled_linear", "steps_offset": 1}
LEVELS = 1
"""What the page promises: an image differs by at most so many of 255 levels when others are drawn with it."""


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Tiny tensors are slower with several."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def words() -> CLIPTokenizer:
    vocabulary = {token: number for number, token in enumerate(TOKENS)}
    special = {"unk_token": "<end>", "bos_token": "<start>", "eos_token": "<end>", "pad_token": "<end>"}
    return CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=77, **special)


def clip_text(kind: Any = CLIPTextModel) -> Any:
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    tokens = {"vocab_size": len(TOKENS), "bos_token_id": len(TOKENS) - 2, "eos_token_id": len(TOKENS) - 1}
    return kind(CLIPTextConfig(**sizes, **tokens, max_position_embeddings=77, projection_dim=16))


def t5(size: int) -> tuple[T5EncoderModel, T5Tokenizer]:
    vocabulary = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0), *((letter, -3.0) for letter in LETTERS)]
    config = T5Config(vocab_size=len(vocabulary), d_model=size, d_kv=8, d_ff=32, num_layers=1, num_heads=2)
    return T5EncoderModel(config), T5Tokenizer(vocab=vocabulary, extra_ids=0, model_max_length=64)


def vae(**options: Any) -> AutoencoderKL:
    blocks = {"down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2}
    return AutoencoderKL(block_out_channels=(8, 16), norm_num_groups=4, sample_size=32, **blocks, **options)


def unet(**options: Any) -> UNet2DConditionModel:
    blocks = {
        "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"),
        "up_block_types": ("CrossAttnUpBlock2D", "UpBlock2D"),
    }
    sizes = {"block_out_channels": (8, 16), "norm_num_groups": 4, "layers_per_block": 1, "attention_head_dim": 2}
    return UNet2DConditionModel(sample_size=16, **blocks, **sizes, **{"cross_attention_dim": 16, **options})


def stable(kind: Any = StableDiffusionPipeline, network: Any = None, **others: Any) -> Any:
    parts: dict[str, Any] = {
        "scheduler": DDIMScheduler(**BETAS, clip_sample=False),
        "safety_checker": None,
        "feature_extractor": None,
        "requires_safety_checker": False,
    }
    text = {"text_encoder": clip_text(), "tokenizer": words()}
    return kind(vae=vae(), unet=network or unet(), **text, **{**parts, **others})


def instruct() -> Any:
    return stable(StableDiffusionInstructPix2PixPipeline, unet(in_channels=8))


def consistency() -> Any:
    return stable(LatentConsistencyModelPipeline, unet(time_cond_proj_dim=8), scheduler=LCMScheduler(**BETAS))


def sdxl(scheduler: Any = None) -> Any:
    network = unet(
        cross_attention_dim=32,
        addition_embed_type="text_time",
        addition_time_embed_dim=8,
        projection_class_embeddings_input_dim=64,
    )
    text = {"text_encoder": clip_text(), "text_encoder_2": clip_text(CLIPTextModelWithProjection)}
    read = {"tokenizer": words(), "tokenizer_2": words()}
    return StableDiffusionXLPipeline(
        vae=vae(),
        unet=network,
        **text,
        **read,
        scheduler=scheduler or EulerDiscreteScheduler(**BETAS),
        add_watermarker=False,
    )


def playground() -> Any:
    return sdxl(EDMDPMSolverMultistepScheduler())


def sd3() -> Any:
    heads = {"attention_head_dim": 8, "num_attention_heads": 2, "num_layers": 1, "patch_size": 2}
    sizes = {"caption_projection_dim": 16, "joint_attention_dim": 32, "pooled_projection_dim": 32}
    network = SD3Transformer2DModel(
        sample_size=16, in_channels=4, out_channels=4, pos_embed_max_size=32, **heads, **sizes
    )
    encoder, tokenizer = t5(32)
    return StableDiffusion3Pipeline(
        transformer=network,
        scheduler=FlowMatchEulerDiscreteScheduler(),
        vae=vae(shift_factor=0.1, scaling_factor=1.5),
        text_encoder=clip_text(CLIPTextModelWithProjection),
        text_encoder_2=clip_text(CLIPTextModelWithProjection),
        text_encoder_3=encoder,
        tokenizer=words(),
        tokenizer_2=words(),
        tokenizer_3=tokenizer,
    )


def flux() -> Any:
    heads = {"attention_head_dim": 16, "num_attention_heads": 2, "num_layers": 1, "num_single_layers": 1}
    sizes = {"joint_attention_dim": 16, "pooled_projection_dim": 16, "axes_dims_rope": (4, 4, 8)}
    encoder, tokenizer = t5(16)
    return FluxPipeline(
        transformer=FluxTransformer2DModel(patch_size=1, in_channels=16, **heads, **sizes),
        scheduler=FlowMatchEulerDiscreteScheduler(),
        vae=vae(shift_factor=0.1, scaling_factor=1.5),
        text_encoder=clip_text(),
        text_encoder_2=encoder,
        tokenizer=words(),
        tokenizer_2=tokenizer,
    )


def cascade_part(**options: Any) -> StableCascadeUNet:
    layers = ("SDCascadeResBlock", "SDCascadeTimestepBlock", "SDCascadeAttnBlock")
    once = (
        "down_num_layers_per_block",
        "up_num_layers_per_block",
        "down_blocks_repeat_mappers",
        "up_blocks_repeat_mappers",
    )
    return StableCascadeUNet(
        in_channels=4,
        out_channels=4,
        conditioning_dim=16,
        block_out_channels=(16, 16),
        num_attention_heads=(2, 2),
        block_types_per_layer=(layers, layers),
        clip_text_pooled_in_channels=16,
        clip_seq=4,
        timestep_ratio_embedding_dim=8,
        dropout=(0.1, 0.1),
        **dict.fromkeys(once, (1, 1)),
        **options,
    )


def cascade_prior() -> Any:
    network = cascade_part(clip_text_in_channels=16, clip_image_in_channels=16, patch_size=1, switch_level=(False,))
    text = {"tokenizer": words(), "text_encoder": clip_text(CLIPTextModelWithProjection)}
    return StableCascadePriorPipeline(prior=network, scheduler=DDPMWuerstchenScheduler(), **text)


def cascade() -> Any:
    network = cascade_part(effnet_in_channels=4, pixel_mapper_in_channels=3, patch_size=2, switch_level=None)
    pixels = PaellaVQModel(latent_channels=4, bottleneck_blocks=1, num_vq_embeddings=2, embed_dim=8, levels=2)
    text = {"tokenizer": words(), "text_encoder": clip_text(CLIPTextModelWithProjection)}
    return StableCascadeDecoderPipeline(decoder=network, vqgan=pixels, scheduler=DDPMWuerstchenScheduler(), **text)


MODELS: dict[str, Callable[[], Any]] = {
    "sd": stable,
    "sdxl": sdxl,
    "playground": playground,
    "sd3": sd3,
    "flux": flux,
    "instruct": instruct,
    "consistency": consistency,
    "cascade": cascade,
    "cascade_prior": cascade_prior,
}


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a tiny model, which is made when it is first asked for."""
    root = tmp_path_factory.mktemp("models")

    @functools.cache
    def make(name: str) -> Path:
        torch.manual_seed(0)
        save(MODELS[name](), root / name)
        return root / name

    return make


def save(pipe: Any, folder: Path) -> None:
    transformers_logging.disable_progress_bar()
    pipe.save_pretrained(folder)
    transformers_logging.enable_progress_bar()
    if "vqgan" in pipe.components:  # as in the model that was published
        index = json.loads((folder / "model_index.json").read_text())
        index["vqgan"] = ["wuerstchen", "PaellaVQModel"]
        (folder / "model_index.json").write_text(json.dumps(index))


def build(folder: Path | str, **options: Any) -> Diffusers:
    return Diffusers(str(folder), parse_settings(DiffusersOptions, {"steps": 2, **options}, "study.toml"))


def jobs(count: int = 4) -> list[Job]:
    texts = ["a photo of a man", "a photo of a woman", "x", "a nurse with a rather long name, at work"]
    return [Job(f"j{n}", "p", "g", n, seed=7 + n, text=texts[n % 4]) for n in range(count)]


def pixels(outcome: Outcome) -> NDArray[np.int64]:
    assert isinstance(outcome, Made), outcome
    picture = np.asarray(Pillow.open(io.BytesIO(outcome.data)))
    assert picture.shape == (outcome.height, outcome.width, 3)
    return picture.astype(np.int64)


def distance(some: Outcome, other: Outcome) -> int:
    return int(np.abs(pixels(some) - pixels(other)).max())


SIZES: dict[str, dict[str, Any]] = {
    "sd": {},
    "sdxl": {},
    "sd3": {},
    "flux": {"width": 64, "height": 48},
    "consistency": {},
    "cascade": {"width": 128, "height": 128},
}


@pytest.mark.parametrize("name", SIZES)
def test_an_image_does_not_depend_on_its_batch(model: Callable[[str], Path], name: str) -> None:
    options = dict(SIZES[name])
    if name == "cascade":
        options["prior"] = {"model": str(model("cascade_prior"))}
    painter = build(model(name), batch=1, **options)
    alone = list(painter.generate(jobs()))
    for batch in (3, 4):
        painter._drawing.batches.size = batch
        together = list(painter.generate(jobs()))
        assert [outcome.job for outcome in together] == ["j0", "j1", "j2", "j3"]
        assert max(distance(*pair) for pair in zip(alone, together, strict=True)) <= LEVELS
    assert min(distance(alone[0], other) for other in alone[1:]) > 20
    if options.get("width"):
        assert (pixels(alone[0]).shape[1], pixels(alone[0]).shape[0]) == (options["width"], options["height"])


def test_pixels_are_those_of_the_pipeline_called_by_hand(model: Callable[[str], Path]) -> None:
    pipe: Any = StableDiffusionPipeline.from_pretrained(model("sd"))
    pipe.set_progress_bar_config(disable=True)
    job = jobs()[1]
    settings = {"negative_prompt": "ugly", "guidance_scale": 3.0, "width": 40, "height": 32, "num_inference_steps": 3}
    theirs = pipe(job.text, generator=torch.Generator().manual_seed(job.seed), **settings).images[0]
    painter = build(model("sd"), steps=3, guidance=3, negative="ugly", width=40, height=32)
    (ours,) = painter.generate([job])
    assert np.array_equal(pixels(ours), np.asarray(theirs))
    assert ours.versions.startswith("diffusers ")
    assert ours.versions.endswith("; StableDiffusionPipeline; float32; cpu")
    assert painter.truth(Prompt("a", "a")) is None


@pytest.mark.parametrize("short", SCHEDULERS)
def test_every_scheduler_draws_and_keeps_images_apart(model: Callable[[str], Path], short: str) -> None:
    drives = {"edm": "playground", "flow": "sd3"}.get(short.split("_")[0], "sd")
    painter = build(model(drives), scheduler=short, steps=3)
    alone = list(painter.generate(jobs(3)))
    assert type(painter._drawing.pipe.scheduler).__name__ == SCHEDULERS[short][0]
    painter._drawing.batches.size = 3
    assert max(distance(*pair) for pair in zip(alone, painter.generate(jobs(3)), strict=True)) <= LEVELS


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("sd3", {"preset": "sdxl"}, "the scheduler 'euler_a' cannot drive StableDiffusion3Pipeline, whose own is "
         "FlowMatchEulerDiscreteScheduler; set options.scheduler to 'flow_euler' or 'own'"),
        ("playground", {"preset": "playground-2_5"}, "the scheduler 'euler_a' cannot drive StableDiffusionXLPipeline, "
         "whose own is EDMDPMSolverMultistepScheduler; set options.scheduler to 'edm_dpm++' or 'edm_euler' or 'own'"),
        ("cascade", {"preset": "cascade"}, "the scheduler 'euler_a' cannot drive StableCascadeDecoderPipeline, whose "
         "own is DDPMWuerstchenScheduler; set options.scheduler to 'own'"),
        ("consistency", {"scheduler": "ddim"}, "the scheduler 'ddim' cannot drive LatentConsistencyModelPipeline, "
         "whose own is LCMScheduler; set options.scheduler to 'lcm' or 'own'"),
        ("sd", {"scheduler": "EulerDiscretScheduler"}, "diffusers has no scheduler 'EulerDiscretScheduler'; did you "
         "mean 'EulerDiscreteScheduler'?"),
        ("sd", {"scheduler": "DPMSolverSDEScheduler"}, "DPMSolverSDEScheduler does not draw its noise from an image's "
         "seed; take another scheduler"),
        ("sd3", {"spacing": "trailing"}, "FlowMatchEulerDiscreteScheduler knows no spacing; leave options.spacing out"),
        ("cascade", {}, "StableCascadeDecoderPipeline is the second of two stages; set options.prior to the first"),
        ("instruct", {}, "StableDiffusionInstructPix2PixPipeline draws nothing from text alone; take a text-to-image "
         "model"),
        ("consistency", {"negative": "x"}, "LatentConsistencyModelPipeline takes no negative; leave options.negative "
         "out"),
        ("sd", {"width": 36, "height": 32}, "options.width is 36; StableDiffusionPipeline needs multiples of 8"),
    ],
)  # fmt: skip
def test_what_a_pipeline_cannot_do_is_one_line(
    model: Callable[[str], Path], name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        list(build(model(name), **options).generate(jobs(1)))
    assert str(caught.value) == f"generator 'diffusers': {message}"


def test_a_preset_is_the_same_as_its_settings_and_own_options_win(model: Callable[[str], Path]) -> None:
    size = {"width": 32, "height": 32}
    (preset,) = build(model("sd"), preset="sdxl-turbo", **size).generate(jobs(1))
    (written,) = build(model("sd"), scheduler="euler_a", guidance=1, **size).generate(jobs(1))
    (other,) = build(model("sd"), preset="sdxl-turbo", scheduler="own", guidance=1, **size).generate(jobs(1))
    assert distance(preset, written) == 0
    assert distance(preset, other) > LEVELS
    assert "Luo" in build(model("sd"), preset="sdxl").citations[0]


def test_the_first_of_two_stages_takes_steps_and_guidance(model: Callable[[str], Path]) -> None:
    options = {"preset": "cascade", "scheduler": "own", "width": 128, "height": 128}
    painter = build(model("cascade"), prior={"model": str(model("cascade_prior"))}, **options)
    (made,) = painter.generate(jobs(1))
    assert "StableCascadeCombinedPipeline" in made.versions
    assert painter._drawing._settings["prior_num_inference_steps"] == 2
    assert painter._drawing._settings["prior_guidance_scale"] == 4
    assert "+cascade_prior@" in painter.name


def limited(monkeypatch: pytest.MonkeyPatch, problem: Callable[[list[str]], Exception | None]) -> list[int]:
    """Let the pipeline break for some prompts; return the list that will hold the batches it was asked for."""
    sizes: list[int] = []
    draw = StableDiffusionPipeline.__call__

    @functools.wraps(draw)
    def call(self: Any, prompt: list[str], **options: Any) -> Any:
        sizes.append(len(prompt))
        if error := problem(prompt):
            raise error
        return draw(self, prompt, **options)

    monkeypatch.setattr(StableDiffusionPipeline, "__call__", call)
    return sizes


def test_out_of_memory_halves_the_batch_and_goes_on(
    model: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = list(build(model("sd"), batch=1).generate(jobs(7)))
    sizes = limited(monkeypatch, lambda prompt: torch.OutOfMemoryError("CUDA") if len(prompt) > 2 else None)
    painter = build(model("sd"), batch=6)
    outcomes = list(painter.generate(jobs(7)))
    assert sizes == [6, 3, 2, 2, 2, 1]
    assert max(distance(*pair) for pair in zip(outcomes, expected, strict=True)) <= LEVELS
    sizes.clear()
    list(painter.generate(jobs(2)))
    assert sizes == [2]


def test_a_call_that_broke_half_way_leaves_nothing_behind(
    model: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In half precision this pipeline takes its decoder to float32, and back when it is done."""
    half = {"dtype": "float16", "width": 32, "height": 32}
    expected = list(build(model("sdxl"), batch=2, **half).generate(jobs(4)))
    painter = build(model("sdxl"), batch=4, **half)
    decoder = painter._drawing.pipe.vae
    decode, seen = decoder.decode, list[tuple[int, torch.dtype]]()

    def breaking(latents: torch.Tensor, **options: Any) -> Any:
        seen.append((len(latents), decoder.dtype))
        if len(latents) > 2:
            raise torch.OutOfMemoryError("CUDA")
        return decode(latents, **options)

    monkeypatch.setattr(decoder, "decode", breaking)
    outcomes = list(painter.generate(jobs(4)))
    assert seen == [(4, torch.float32), (2, torch.float32), (2, torch.float32)]
    assert {tensor.dtype for tensor in decoder.parameters()} == {torch.float16}
    assert max(distance(*pair) for pair in zip(outcomes, expected, strict=True)) <= LEVELS


def test_an_image_that_never_fits_fails(model: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, lambda prompt: torch.OutOfMemoryError("CUDA") if "x" in prompt else None)
    made, *others = build(model("sd"), batch=4).generate(jobs(4))
    assert isinstance(made, Made)
    assert [(outcome.job, getattr(outcome, "reason", "")) for outcome in others] == [
        ("j1", ""),
        ("j2", "out_of_memory"),
        ("j3", ""),
    ]


def test_a_job_that_breaks_costs_only_itself(model: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = limited(monkeypatch, lambda prompt: ValueError("no x") if "x" in prompt else None)
    outcomes = list(build(model("sd"), batch=4).generate(jobs(4)))
    assert [type(outcome) for outcome in outcomes] == [Made, Made, Failed, Made]
    assert isinstance(outcomes[2], Failed)
    assert (outcomes[2].reason, outcomes[2].detail) == ("generator_error", "ValueError: no x")
    assert sizes == [4, 1, 1, 1, 1]


def checked(threshold: float) -> Any:
    """Return a pipeline with a safety checker that flags everything from a similarity on."""
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = CLIPConfig(text_config=sizes, vision_config={**sizes, "image_size": 32, "patch_size": 8}, projection_dim=8)
    checker = StableDiffusionSafetyChecker(config)
    with torch.no_grad():
        checker.concept_embeds_weights.fill_(threshold)
        checker.special_care_embeds_weights.fill_(2.0)
    look = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    torch.manual_seed(0)
    return stable(safety_checker=checker, feature_extractor=look, requires_safety_checker=True)


def paint_over(pipe: Any, value: float) -> Any:
    """Let every pixel of the pipeline's pictures have a value."""
    with torch.no_grad():
        pipe.vae.decoder.conv_out.weight.zero_()
        pipe.vae.decoder.conv_out.bias.fill_(value)
    return pipe


def test_blanks_of_the_safety_checker_are_refusals(
    tmp_path: Path, model: Callable[[str], Path], capfd: pytest.CaptureFixture[str]
) -> None:
    save(checked(-2.0), tmp_path / "strict")
    capfd.readouterr()
    outcomes = list(build(tmp_path / "strict", batch=2).generate(jobs(3)))
    for outcome in outcomes:
        assert isinstance(outcome, Refused)
        assert (outcome.reason, outcome.detail) == ("safety_checker", "the model's safety checker blanked the image")
    assert capfd.readouterr() == ("", "")
    save(checked(2.0), tmp_path / "lax")
    (seen,) = build(tmp_path / "lax").generate(jobs(1))
    assert distance(seen, next(build(model("sd")).generate(jobs(1)))) == 0


def test_a_black_image_is_a_refusal_only_where_there_is_a_safety_checker(tmp_path: Path) -> None:
    save(paint_over(checked(2.0), -1.0), tmp_path / "checked")
    (blank,) = build(tmp_path / "checked").generate(jobs(1))
    assert isinstance(blank, Refused)
    assert (blank.reason, blank.detail) == ("safety_checker", "the image is black all over")
    save(paint_over(stable(), -1.0), tmp_path / "unchecked")
    (black,) = build(tmp_path / "unchecked").generate(jobs(1))
    assert pixels(black).max() == 0


def test_an_image_without_numbers_fails(tmp_path: Path) -> None:
    save(paint_over(stable(), float("nan")), tmp_path / "broken")
    (outcome,) = build(tmp_path / "broken").generate(jobs(1))
    assert isinstance(outcome, Failed)
    assert outcome.reason == "not_a_number"


@pytest.fixture(scope="session")
def lora(model: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of an adapter for the tiny model."""
    folder = tmp_path_factory.mktemp("lora")
    network = UNet2DConditionModel.from_pretrained(model("sd") / "unet")
    network.add_adapter(LoraConfig(r=2, init_lora_weights=False, target_modules=["to_q", "to_v"]))
    layers = get_peft_model_state_dict(network)
    StableDiffusionPipeline.save_lora_weights(folder, unet_lora_layers=layers, weight_name="style.safetensors")
    return folder / "style.safetensors"


def test_adapters_change_the_model_by_their_scale(model: Callable[[str], Path], lora: Path) -> None:
    (plain,) = build(model("sd")).generate(jobs(1))
    (without,) = build(model("sd"), loras=[{"model": str(lora), "scale": 0}]).generate(jobs(1))
    (whole,) = build(model("sd"), loras=[{"model": str(lora)}]).generate(jobs(1))
    halves = [{"model": str(lora), "scale": 0.5}] * 2
    (twice,) = build(model("sd"), loras=halves).generate(jobs(1))
    assert distance(plain, without) <= LEVELS
    assert distance(plain, whole) > LEVELS
    assert distance(whole, twice) <= LEVELS


def test_an_adapter_of_another_model_is_one_line(model: Callable[[str], Path], lora: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    strange = {name.replace("unet", "transformer"): tensor for name, tensor in load_file(lora).items()}
    save_file(strange, tmp_path / "strange.safetensors")
    with pytest.raises(InputError, match=r"strange\.safetensors holds no adapter for StableDiffusionPipeline$"):
        list(build(model("sd"), loras=[{"model": str(tmp_path / "strange.safetensors")}]).generate(jobs(1)))


@pytest.fixture
def hub(model: Callable[[str], Path], lora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Put the model and an adapter into an empty cache of the hub, as their download would; return the model's id."""
    shutil.copytree(model("sd"), tmp_path / "models--me--tiny" / "snapshots" / COMMIT)
    shutil.copytree(lora.parent, tmp_path / "models--me--style" / "snapshots" / COMMIT)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return "me/tiny"


def test_models_of_the_hub_are_taken_from_the_cache(hub: str, model: Callable[[str], Path], lora: Path) -> None:
    style = {"model": "me/style", "revision": COMMIT, "weights": "style.safetensors"}
    cached = build(hub, revision=COMMIT, loras=[style])
    assert cached.name == "diffusers@1:me/tiny@012345678901+me/style@012345678901"
    (ours,) = cached.generate(jobs(1))
    assert distance(ours, next(build(model("sd"), loras=[{"model": str(lora)}]).generate(jobs(1)))) == 0


def test_a_model_that_was_not_fetched_is_one_line_with_the_remedy(hub: str) -> None:
    with pytest.raises(InputError) as caught:
        list(build("me/other", revision=COMMIT, variant="fp16").generate(jobs(1)))
    assert str(caught.value) == (
        "generator 'diffusers': me/other is not on this machine; fetch it once with: hf download me/other --revision "
        f"{COMMIT} --include '*.json' --include '*.txt' --include '*.model' --include '*/*.fp16*.safetensors'"
    )
    style = {"model": "me/style", "revision": COMMIT, "weights": "other.safetensors"}
    with pytest.raises(InputError, match=r"me/style holds no file other\.safetensors; check the option 'weights'$"):
        list(build(hub, revision=COMMIT, loras=[style]).generate(jobs(1)))


def test_a_variant_of_the_weights_is_loaded_by_its_name(model: Callable[[str], Path], tmp_path: Path) -> None:
    folder = shutil.copytree(model("sd"), tmp_path / "model")
    for path in [*folder.rglob("*.safetensors")]:
        path.rename(path.with_suffix(".fp16.safetensors"))
    (made,) = build(folder, variant="fp16").generate(jobs(1))
    assert distance(made, next(build(model("sd")).generate(jobs(1)))) == 0
    with pytest.raises(InputError, match="cannot be loaded"):
        list(build(folder).generate(jobs(1)))


def damaged(folder: Path) -> None:
    (folder / "unet" / "diffusion_pytorch_model.safetensors").write_bytes(b"damaged")


def with_a_layer_more(folder: Path) -> None:
    config = json.loads((folder / "text_encoder" / "config.json").read_text())
    (folder / "text_encoder" / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 3}))


def with_a_deeper_network(folder: Path) -> None:
    config = json.loads((folder / "vae" / "config.json").read_text())
    (folder / "vae" / "config.json").write_text(json.dumps({**config, "layers_per_block": 2}))


def without_index(folder: Path) -> None:
    (folder / "model_index.json").unlink()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damaged, "the model in FOLDER cannot be loaded: "),
        (with_a_layer_more, "FOLDER lacks some of the model's weights; fetch them anew"),
        (with_a_deeper_network, "FOLDER lacks some of the model's weights; fetch them anew"),
        (without_index, "FOLDER holds no pipeline of diffusers: there is no model_index.json in it"),
    ],
)
def test_a_model_that_cannot_be_used_is_one_line(
    model: Callable[[str], Path], tmp_path: Path, damage: Callable[[Path], None], message: str
) -> None:
    folder = shutil.copytree(model("sd"), tmp_path / "model")
    damage(folder)
    with pytest.raises(InputError) as caught:
        list(build(folder).generate(jobs(1)))
    assert str(caught.value).startswith("generator 'diffusers': " + message.replace("FOLDER", str(folder)))
    assert "\n" not in str(caught.value)


def test_a_device_that_is_not_there_is_one_line(model: Callable[[str], Path]) -> None:
    with pytest.raises(PortrayalError, match=r"^generator 'diffusers': the model in \S+ cannot be loaded: .*$"):
        list(build(model("sd"), device="cuda:77").generate(jobs(1)))


@pytest.mark.parametrize(
    ("form", "ext", "kind"), [("png", "png", "PNG"), ("jpeg", "jpg", "JPEG"), ("webp", "webp", "WEBP")]
)
def test_files_are_of_the_chosen_format(model: Callable[[str], Path], form: str, ext: str, kind: str) -> None:
    options = {} if form == "png" else {"quality": 100}
    (made,) = build(model("sd"), format=form, **options).generate(jobs(1))
    assert isinstance(made, Made)
    with Pillow.open(io.BytesIO(made.data)) as picture:
        assert (made.ext, picture.format, picture.size) == (ext, kind, (made.width, made.height))
    mean = np.abs(pixels(made) - pixels(next(build(model("sd")).generate(jobs(1))))).mean()
    assert (mean == 0) == (form == "png")
    assert mean < {"png": 1, "jpeg": 2, "webp": 30}[form]  # webp halves the colours of noise


def test_the_name_tells_the_models_and_moving_them_changes_nothing(
    model: Callable[[str], Path], lora: Path, tmp_path: Path
) -> None:
    name = build(model("sd"), loras=[{"model": str(lora)}]).name
    assert name.startswith("diffusers@1:sd@")
    assert "+style.safetensors@" in name
    moved = shutil.copytree(model("sd"), tmp_path / "elsewhere" / "sd")
    style = shutil.copy(lora, tmp_path / "style.safetensors")
    assert build(moved, loras=[{"model": str(style)}]).name == name
    (tmp_path / "style.safetensors").write_bytes(lora.read_bytes() + b" ")
    assert build(moved, loras=[{"model": str(style)}]).name != name


def test_loading_is_lazy_and_a_loaded_model_travels(model: Callable[[str], Path]) -> None:
    painter: Generator = build(model("sd"))
    before = list(painter.generate(jobs(1)))
    assert len(pickle.dumps(painter)) < 10_000
    assert list(pickle.loads(pickle.dumps(painter)).generate(jobs(1))) == before
    code = (
        f"import sys; from portrayal.generators.diffusers import Diffusers as D; D({str(model('sd'))!r}, D.Options());"
        "print([name for name in ('torch', 'diffusers', 'transformers', 'PIL') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_drawing_says_nothing_from_the_first_import_on(model: Callable[[str], Path]) -> None:
    code = (
        f"from portrayal.generators.diffusers import Diffusers as D; from portrayal.records import Job;"
        f"painter = D({str(model('sd'))!r}, D.Options(steps=2, dtype='float16', scheduler='dpm++_karras'));"
        "list(painter.generate([Job('j', 'p', 'g', 0, 1, text='very ' * 99)]))"
    )
    done = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_libraries_are_left_as_they_were(model: Callable[[str], Path]) -> None:
    def state() -> list[object]:
        libraries = (library_logging, transformers_logging)
        return [(library.get_verbosity(), library.is_progress_bar_enabled()) for library in libraries]

    before = state()
    list(build(model("sd")).generate(jobs(1)))
    assert state() == before


def source(size: tuple[int, int] = (50, 40), form: str = "PNG", **options: Any) -> bytes:
    rng, file = np.random.default_rng(1), io.BytesIO()
    picture = Pillow.fromarray(rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8))
    picture.save(file, form, **options)
    return file.getvalue()


def edits(*sources: bytes) -> list[Job]:
    return [Job(f"e{n}", "p", "g", 0, n, "make it a nurse", "nurse", source=data) for n, data in enumerate(sources)]


@pytest.mark.parametrize(
    ("name", "pipeline", "options"),
    [
        ("sd", "StableDiffusionImg2ImgPipeline", {"strength": 0.5}),
        ("sdxl", "StableDiffusionXLImg2ImgPipeline", {}),
        ("sd3", "StableDiffusion3Img2ImgPipeline", {}),
        ("flux", "FluxImg2ImgPipeline", {"width": 64, "height": 48}),
        ("instruct", "StableDiffusionInstructPix2PixPipeline", {"image_guidance": 2}),
    ],
)
def test_edits_do_not_depend_on_their_batch(
    model: Callable[[str], Path], name: str, pipeline: str, options: dict[str, Any]
) -> None:
    editor: Editor = build(model(name), batch=1, steps=4, **options)
    asked = edits(source(), source((40, 50)), b"no picture", source((40, 50)), source((40, 50)))
    alone = list(editor.edit(asked))
    together = list(build(model(name), batch=4, steps=4, **options).edit(asked))
    assert [outcome.job for outcome in together] == ["e0", "e1", "e2", "e3", "e4"]
    assert isinstance(together[2], Failed)
    assert together[2].reason == "unreadable_source"
    for some, other in zip(alone, together, strict=True):
        assert isinstance(some, Failed) or distance(some, other) <= LEVELS
        assert pipeline in some.versions
    if "width" not in options:
        assert [pixels(alone[n]).shape[:2] for n in (0, 1)] == [(24, 32), (32, 24)]
    assert distance(alone[3], alone[4]) > 5


def test_strength_decides_how_much_of_the_source_is_left(model: Callable[[str], Path]) -> None:
    def moved(strength: float) -> float:
        (made,) = build(model("sd"), steps=10, strength=strength, width=48, height=40).edit(edits(source((48, 40))))
        (less,) = build(model("sd"), steps=10, strength=0.1, width=48, height=40).edit(edits(source((48, 40))))
        return float(np.abs(pixels(made) - pixels(less)).mean())

    assert moved(0.1) == 0
    assert moved(0.3) < moved(1.0)


def test_sources_are_taken_upright(model: Callable[[str], Path]) -> None:
    exif = Pillow.Exif()
    exif[0x0112] = 6
    (made,) = build(model("sd"), steps=4).edit(edits(source((64, 32), "JPEG", exif=exif)))
    assert pixels(made).shape == (32, 16, 3)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("sd", {"image_guidance": 2}, "StableDiffusionImg2ImgPipeline takes no image_guidance"),
        ("instruct", {"strength": 0.5}, "StableDiffusionInstructPix2PixPipeline takes no strength"),
        ("cascade", {"scheduler": "own"}, "StableCascadeDecoderPipeline edits no images; take a model with"),
    ],
)
def test_what_an_editor_cannot_do_is_one_line(
    model: Callable[[str], Path], name: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        list(build(model(name), steps=4, **options).edit(edits(source())))
    assert str(caught.value).startswith(f"generator 'diffusers': {message}")


def test_two_devices_draw_the_same_images_into_the_same_table(
    model: Callable[[str], Path], make_study: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as here: another number rounds otherwise
    tables = []
    for devices in (["cpu"], ["cpu", "cpu"]):
        use = {"use": f"diffusers:{model('sd')}", "images": 3, "devices": devices, "options": {"steps": 2}}
        study = OpenStudy(make_study(f"{len(devices)}", generators=[use], generate={"batch": 1}))
        study.check()
        for stage in (plan, generate):
            stage(study, RunControl())
        tables.append(study.workspace.query("SELECT * EXCLUDE versions FROM outcomes"))
    assert tables[0]["status"].to_pylist() == ["made"] * 6
    assert tables[0].equals(tables[1])


@pytest.mark.parametrize("text", ["[" * 100_000, "5", '{"unet"'])
def test_an_index_that_says_nonsense_is_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "model_index.json").write_text(text)
    with pytest.raises(InputError, match=r"model_index\.json\b"):
        _dtype(tmp_path, "cuda:0")
