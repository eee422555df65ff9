"""A model that reads pictures and writes text, loaded from a folder: BLIP, GIT, ViT-GPT2, LLaVA and their like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portrayal import hub
from portrayal.errors import ConfigError, InputError
from portrayal.vision.network import FROM_FOLDER, chosen_device

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

__all__ = ["INSTRUCTION", "PART", "CaptionModel", "Decoding", "load"]

PART = "annotator 'caption'"
INSTRUCTION = "Describe this picture in one sentence."
"""What a model that holds conversations is asked, unless the option ``prompt`` says otherwise."""

_OPEN_ENDED = ("git",)
"""Models whose tokenizer ends a prompt as if it were a whole text; they would write nothing after that."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a caption is written: after which words, how long, and how many beginnings are followed at a time."""

    prompt: str
    max_tokens: int
    beams: int


def load(folder: Path, how: Decoding, device: str, dtype: str) -> CaptionModel:
    """Load the model in ``folder`` and try it out on a grey picture.

    So a model that cannot write with this prompt stops the command, instead of failing at every image.
    """
    from PIL import Image

    with hub.loading(PART, folder):
        model = CaptionModel(folder, how, device, dtype)
    try:
        model.write([Image.new("RGB", (64, 64), "grey")])
    except InputError:
        raise
    except Exception as error:  # each kind of model fails in its own way
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        prompt = f"the prompt {how.prompt!r}" if how.prompt else "no prompt"
        raise InputError(f"{PART}: the model in {folder} writes nothing with {prompt}: {line}") from None
    return model


class CaptionModel:
    """A loaded model, and the size of batch that its memory holds."""

    def __init__(self, folder: Path, how: Decoding, device: str, dtype: str) -> None:
        import torch

        self._torch, self._how = torch, how
        self._device = chosen_device(device)
        self._dtype = getattr(torch, dtype)
        self._processor, self._pixels, self._tokens = _processors(folder)
        if self._processor is None and how.prompt:
            raise ConfigError(f"{PART}: the model in {folder} takes no prompt; leave the option out")
        network = _network(folder, self._dtype)
        # Without its files a tokenizer is made that knows no words.
        if 2 * len(self._tokens) < network.config.get_text_config(decoder=True).vocab_size:
            raise InputError(f"{PART}: {folder} lacks the files of the model's tokenizer; fetch them, too")
        # Captions of one batch end at different places. What fills the shorter ones must not be read as words.
        self._tokens.padding_side = "left"
        if self._tokens.pad_token_id is None:
            self._tokens.pad_token = self._tokens.eos_token
        network.generation_config.pad_token_id = self._tokens.pad_token_id
        self._network = network.eval().to(self._device)
        self._most: int | None = None

    def write(self, pictures: Sequence[Picture]) -> list[str]:
        """Return one caption per picture; a batch that is too large for the memory is halved, then and afterwards."""
        size = min(self._most or len(pictures), len(pictures))
        captions: list[str] = []
        while len(captions) < len(pictures):
            try:
                captions += self._generate(pictures[len(captions) : len(captions) + size])
                continue
            except self._torch.OutOfMemoryError:
                if size == 1:
                    message = f"{PART}: {self._device} has not the memory for one picture; take a smaller model"
                    raise InputError(message) from None
            # Outside of the handler, whose traceback holds on to the memory of the failed attempt.
            size = self._most = size // 2
            if self._device.startswith("cuda"):
                self._torch.cuda.empty_cache()
        return captions

    def _generate(self, pictures: Sequence[Picture]) -> list[str]:
        length = {"max_new_tokens": self._how.max_tokens, "num_beams": self._how.beams, "num_return_sequences": 1}
        # On a GPU convolutions are rounded to fewer digits, unless forbidden.
        exact = self._torch.backends.cudnn.flags(enabled=True, allow_tf32=False)
        with self._torch.inference_mode(), exact, hub.quiet():
            inputs = {name: self._placed(value) for name, value in self._inputs(list(pictures)).items()}
            prompts = self._decode(inputs.get("input_ids"), len(pictures))
            written = self._decode(self._network.generate(**inputs, **length, do_sample=False), len(pictures))
        # Some models repeat the prompt before they go on, others do not.
        return [text.removeprefix(prompt).strip() for text, prompt in zip(written, prompts, strict=True)]

    def _inputs(self, pictures: list[Picture]) -> Mapping[str, Any]:
        prompt = self._how.prompt
        if self._processor is None:
            return dict(self._pixels(images=pictures, return_tensors="pt"))
        if getattr(self._processor, "chat_template", None):
            return dict(self._chat(pictures, prompt or INSTRUCTION))
        if not prompt:
            return dict(self._processor(images=pictures, return_tensors="pt"))
        texts = [prompt] * len(pictures)
        inputs = dict(self._processor(images=pictures, text=texts, padding=True, return_tensors="pt"))
        if self._network.config.model_type in _OPEN_ENDED:
            begun = {name: inputs[name][:, :-1] for name in ("input_ids", "attention_mask")}
            return {"pixel_values": inputs["pixel_values"], **begun}
        return inputs

    def _chat(self, pictures: list[Picture], prompt: str) -> Any:
        asked = {"type": "text", "text": prompt}
        return self._processor.apply_chat_template(
            [[{"role": "user", "content": [{"type": "image", "image": picture}, asked]}] for picture in pictures],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"padding": True},
        )

    def _placed(self, value: Any) -> Any:
        return value.to(self._device, self._dtype) if value.is_floating_point() else value.to(self._device)

    def _decode(self, tokens: Any, count: int) -> list[str]:
        if tokens is None:
            return [""] * count
        return [" ".join(text.split()) for text in self._tokens.batch_decode(tokens, skip_special_tokens=True)]


def _network(folder: Path, dtype: Any) -> Any:
    from transformers import AutoModelForImageTextToText

    network, loaded = AutoModelForImageTextToText.from_pretrained(
        folder, dtype=dtype, output_loading_info=True, **FROM_FOLDER
    )
    # A pooler sums a picture up, which no caption is made from; published models lack it.
    missing = [key for key in loaded["missing_keys"] if ".pooler." not in key]
    hub.check_complete(PART, folder, {**loaded, "missing_keys": missing})
    return network


def _processors(folder: Path) -> tuple[Any, Any, Any]:
    """Return what prepares pictures and texts together, or None where a model has no such thing, and each alone."""
    from transformers import AutoImageProcessor, AutoProcessor, AutoTokenizer

    # Pillow shrinks the pictures, whatever else is installed: other ways give slightly other numbers.
    processor = AutoProcessor.from_pretrained(folder, backend="pil", **FROM_FOLDER)
    if hasattr(processor, "image_processor") and hasattr(processor, "tokenizer"):
        return processor, processor.image_processor, processor.tokenizer
    pixels = AutoImageProcessor.from_pretrained(folder, backend="pil", **FROM_FOLDER)
    return None, pixels, AutoTokenizer.from_pretrained(folder, **FROM_FOLDER)
