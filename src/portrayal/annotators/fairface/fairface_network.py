"""FairFace's network, from a weights file that the user has.

The file holds the weights of a ResNet with 34 layers under the names that torchvision gives them. The same network is
built from transformers here, and every weight must find its place in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from portrayal import hub
from portrayal.errors import InputError
from portrayal.vision.network import chosen_device

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CHIP_PADDING", "CHIP_SIZE", "HEADS", "FairFaceNetwork"]

CHIP_SIZE, CHIP_PADDING = 300, 0.25
"""Edge in pixels of the aligned face, and its margin in dlib's terms, with which the network was trained."""

HEADS: Mapping[str, slice] = {"race7": slice(0, 7), "gender": slice(7, 9), "age9": slice(9, 18)}
"""Where in the 18 outputs each attribute's groups lie, in the order of the groups."""

_INPUT = 224
_MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
_SPREAD = np.array([0.229, 0.224, 0.225], dtype=np.float32)
_AT_A_TIME = 64

_BLOCK = "resnet.encoder.stages.{}.layers.{}."
_BUFFER = "num_batches_tracked"


class FairFaceNetwork:
    """The loaded network."""

    def __init__(self, part: str, file: Path, device: str) -> None:
        import torch

        self._torch = torch
        self._device = chosen_device(device)
        with hub.loading(part, file):
            network = _built()
            _fill(part, file, network, _weights(file))
            self._network = network.float().eval().to(self._device)

    def masses(self, chips: Sequence[NDArray[np.uint8]]) -> list[dict[str, tuple[float, ...]]]:
        """Return, for each aligned face, the mass over the groups of each attribute."""
        masses: list[dict[str, tuple[float, ...]]] = []
        for start in range(0, len(chips), _AT_A_TIME):
            masses += [_split(logits) for logits in self._logits(chips[start : start + _AT_A_TIME])]
        return masses

    def _logits(self, chips: Sequence[NDArray[np.uint8]]) -> NDArray[np.float64]:
        values = self._torch.from_numpy(np.stack([_prepared(chip) for chip in chips])).to(self._device)
        # On a GPU convolutions are rounded to fewer digits, unless forbidden.
        with self._torch.inference_mode(), self._torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            logits: NDArray[np.float64] = self._network(pixel_values=values).logits.double().cpu().numpy()
        return logits


def _prepared(chip: NDArray[np.uint8]) -> NDArray[np.float32]:
    from PIL import Image

    picture = Image.fromarray(chip).resize((_INPUT, _INPUT), Image.Resampling.BILINEAR)
    values = (np.asarray(picture, dtype=np.float32) / 255 - _MEAN) / _SPREAD
    return np.ascontiguousarray(values.transpose(2, 0, 1))


def _split(logits: NDArray[np.float64]) -> dict[str, tuple[float, ...]]:
    return {name: _softmax(logits[place]) for name, place in HEADS.items()}


def _softmax(logits: NDArray[np.float64]) -> tuple[float, ...]:
    weights = np.exp(logits - logits.max())
    return tuple((weights / weights.sum()).tolist())


def _built() -> Any:
    from transformers import ResNetConfig, ResNetForImageClassification

    config = ResNetConfig(
        embedding_size=64,
        hidden_sizes=[64, 128, 256, 512],
        depths=[3, 4, 6, 3],
        layer_type="basic",
        num_labels=max(place.stop for place in HEADS.values()),
    )
    return ResNetForImageClassification(config)


def _weights(file: Path) -> Mapping[str, Any]:
    import torch
    from safetensors.torch import load_file

    # Only numbers are unpickled, never code.
    loaded = load_file(file) if file.suffix == ".safetensors" else torch.load(file, "cpu", weights_only=True)
    if not isinstance(loaded, Mapping):
        raise TypeError(f"it holds a {type(loaded).__name__} instead of named weights")
    return loaded


def _fill(part: str, file: Path, network: Any, weights: Mapping[str, Any]) -> None:
    wanted: dict[str, Any] = network.state_dict()
    places = {_place(name): name for name in weights}
    # How many batches were seen in training plays no part afterwards; some ways to save a network leave it out.
    lacking = {name for name in wanted if not name.endswith(_BUFFER)} - set(places)
    unknown = [name for place, name in places.items() if place not in wanted]
    other = [name for place, name in places.items() if place in wanted and weights[name].shape != wanted[place].shape]
    for problem, names in (("lacks", sorted(lacking)), ("also has", unknown), ("has another size of", other)):
        if names:
            raise InputError(f"{part}: {file} is no FairFace network: it {problem} {names[0]} ({len(names)} such)")
    network.load_state_dict({place: weights[name] for place, name in places.items()}, strict=False)


def _place(name: str) -> str:
    """Return where transformers keeps the weight that torchvision calls ``name``; itself if there is no such.

    >>> _place("layer2.0.conv1.weight")
    'resnet.encoder.stages.1.layers.0.layer.0.convolution.weight'
    >>> _place("layer4.0.downsample.1.running_mean")
    'resnet.encoder.stages.3.layers.0.shortcut.normalization.running_mean'
    """
    if match := re.fullmatch(r"fc\.(\w+)", name):
        return f"classifier.1.{match[1]}"
    if match := re.fullmatch(r"(conv|bn)1\.(\w+)", name):
        return f"resnet.embedder.embedder.{_KINDS[match[1]]}.{match[2]}"
    if match := re.fullmatch(r"layer([1-4])\.(\d+)\.downsample\.([01])\.(\w+)", name):
        return f"{_BLOCK.format(int(match[1]) - 1, match[2])}shortcut.{_KINDS[match[3]]}.{match[4]}"
    if match := re.fullmatch(r"layer([1-4])\.(\d+)\.(conv|bn)([12])\.(\w+)", name):
        block = _BLOCK.format(int(match[1]) - 1, match[2])
        return f"{block}layer.{int(match[4]) - 1}.{_KINDS[match[3]]}.{match[5]}"
    return name


_KINDS = {"conv": "convolution", "bn": "normalization", "0": "convolution", "1": "normalization"}
