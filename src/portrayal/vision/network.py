"""A model that compares images with texts: CLIP, SigLIP and their kind."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from portrayal.errors import ConfigError, InputError
from portrayal.vision.float8 import to_float8
from portrayal.vision.preprocessing import Preprocessing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

__all__ = ["FROM_FOLDER", "Network", "chosen_device", "load_network"]

FROM_FOLDER: Mapping[str, bool] = {"local_files_only": True, "trust_remote_code": False}
"""How a model's files are read: from this machine, and no code among them runs; else Transformers asks at the terminal
whether it may."""


def chosen_device(wanted: str) -> str:
    """Return the device to work on: for ``auto`` a GPU if there is one."""
    import torch

    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return wanted


def load_network(folder: Path, device: str, *, part: str, fast: bool = False, float8: bool = False) -> Network:
    """Load a model and the way it wants pictures and texts from a folder."""
    from transformers import AutoModel, AutoProcessor

    # Pillow shrinks the pictures, whatever else is installed: other ways give slightly other numbers.
    processor = AutoProcessor.from_pretrained(folder, backend="pil", **FROM_FOLDER)
    model, loaded = AutoModel.from_pretrained(folder, output_loading_info=True, **FROM_FOLDER)
    if not hasattr(model, "get_image_features") or not hasattr(model, "logit_scale"):
        raise InputError(f"{part}: {folder} holds no model that compares images with texts; take a CLIP")
    if loaded["missing_keys"] or loaded["mismatched_keys"]:  # would be filled with random numbers
        raise InputError(f"{part}: {folder} lacks some of the model's weights; fetch them anew")
    preprocessing = Preprocessing.of(processor.image_processor, part=part)
    network = Network(model, processor.tokenizer, preprocessing, device, part=part, fast=fast or float8)
    if float8:
        network.round_to_float8()
    return network


class Network:
    """The model on its device. ``fast`` rounds more: half the digits, and on a GPU one compiled program."""

    def __init__(
        self, model: Any, tokenizer: Any, preprocessing: Preprocessing, device: str, *, part: str, fast: bool
    ) -> None:
        import torch

        self.preprocessing, self.device, self.part = preprocessing, device, part
        # Half the digits only pay where the processor multiplies them natively; texts are encoded in full.
        half = fast and (device.startswith("cuda") or _multiplies_halves())
        self._fast = fast
        self.dtype = torch.bfloat16 if half else torch.float32
        self._model, self._words = model.float().eval().to(device), tokenizer
        self._scale = self._model.logit_scale.detach().float().exp()
        self._texts: Tensor | None = None
        self._with_features = self._compiled = False
        mean, spread = (
            torch.tensor(side, device=device).view(1, 3, 1, 1) for side in (preprocessing.mean, preprocessing.std)
        )
        self._factor, self._offset = preprocessing.factor / spread, -mean / spread

    def round_to_float8(self) -> None:
        """Let the layers that look at pictures multiply in eight bits, before anything is scored."""
        import torch

        self.dtype = torch.bfloat16
        for layer in self._model.vision_model.encoder.layers:
            to_float8(layer)

    @property
    def scale(self) -> float:
        """What the cosine of a picture and a text is multiplied with to be a logit."""
        return float(self._scale)

    def encode_texts(self, texts: Sequence[str], *, with_features: bool = False) -> None:
        """Encode the texts that pictures are compared with, once; ``with_features`` keeps pictures' vectors too."""
        for text in texts:
            if not self.reads(text):  # a cut text may lose the very word that tells the groups apart
                raise ConfigError(f"{self.part}: the model reads {self._longest} tokens; shorten {text!r}")
        self._texts = self._encode(texts)
        self._with_features = with_features
        self._model.to(self.dtype)
        if self._fast and self.device.startswith("cuda") and not self._compiled:
            self._compile()
        self._compiled = True

    def encoded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return texts as vectors of length 1, for pictures whose own vectors are kept."""
        encoded: NDArray[np.float32] = self._encode(texts).cpu().numpy()
        return encoded

    def reads(self, text: str) -> bool:
        """Return whether the model reads a text to its end."""
        return len(self._words(text)["input_ids"]) <= self._longest

    def score(self, pixels: Tensor) -> Tensor:
        """Return logits (pictures, texts) on the device. What a model adds to all of them cancels out in a question.

        Where pictures' vectors are kept they stand behind the logits.
        """
        import torch

        assert self._texts is not None
        with _inference():
            scaled = (pixels.to(self.device, self._offset.dtype) * self._factor + self._offset).to(self.dtype)
            features = _unit(self._features(scaled).float())
            logits: Tensor = features @ self._texts.T * self._scale
            return torch.cat([logits, features], dim=1) if self._with_features else logits

    @property
    def _longest(self) -> int:
        return int(self._model.config.text_config.max_position_embeddings)

    def _encode(self, texts: Sequence[str]) -> Tensor:
        tokens = self._words(list(texts), padding="max_length", max_length=self._longest, return_tensors="pt")
        with _inference():
            encoded = self._model.get_text_features(**tokens.to(self.device)).pooler_output
        return _unit(encoded.float())

    def _features(self, pixels: Tensor) -> Tensor:
        features: Tensor = self._model.get_image_features(pixel_values=pixels).pooler_output
        return features

    def _compile(self) -> None:
        """Compile one layer, which all layers share: seconds instead of half a minute for the whole, at its speed."""
        for layer in self._model.vision_model.encoder.layers:
            layer.compile(dynamic=False)


def _multiplies_halves() -> bool:
    """Return whether this processor multiplies numbers of half the digits natively, where torch can tell."""
    import torch

    return bool(getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)())


@contextlib.contextmanager
def _inference() -> Iterator[None]:
    import torch

    # On a GPU convolutions are rounded to fewer digits, unless forbidden.
    with torch.inference_mode(), torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
        yield


def _unit(features: Tensor) -> Tensor:
    return features / features.norm(dim=-1, keepdim=True)
