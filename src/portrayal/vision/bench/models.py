"""Models to measure with: the sizes of published ones, and random weights, which are as fast as learnt ones."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from portrayal.vision.network import Network
from portrayal.vision.pictures import open_rgb
from portrayal.vision.preprocessing import Preprocessing

__all__ = ["MODELS", "TEXTS", "one_at_a_time", "random_network"]

MODELS: Mapping[str, tuple[dict[str, int], dict[str, int], int]] = {
    "vit-b-32": (
        {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12}
        | {"patch_size": 32},
        {"hidden_size": 512, "intermediate_size": 2048, "num_hidden_layers": 12, "num_attention_heads": 8},
        512,
    ),
    "vit-l-14": (
        {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16}
        | {"patch_size": 14},
        {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12},
        768,
    ),
}
"""The picture's part, the text's part, and the width both are brought to."""

TEXTS = tuple(f"a photo of person number {number}" for number in range(34))
"""As many as the annotator asks by default: gender, race5 and age3 of one person and of two."""

_MEAN, _STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)


def random_network(name: str, device: str, *, fast: bool, float8: bool = False) -> Network:
    """Return a model of a published size with random weights; the same each time."""
    import torch
    from transformers import CLIPConfig, CLIPModel

    pictures, words, width = MODELS[name]
    torch.manual_seed(0)
    with torch.device(device):  # a GPU draws random numbers in no time
        model = CLIPModel(CLIPConfig(vision_config=pictures, text_config=words, projection_dim=width))
    preprocessing = Preprocessing(224, (224, 224), 3, _MEAN, _STD)
    network = Network(model, _Words(), preprocessing, device, part="bench", fast=fast or float8)
    if float8:
        network.round_to_float8()
    return network


class _Words:
    """Stands in for a tokenizer, whose vocabulary would have to be fetched."""

    def __call__(self, texts: Sequence[str], **_: Any) -> Any:
        import torch
        from transformers import BatchEncoding

        ids = torch.full((len(texts), 77), 49_407)
        for number, text in enumerate(texts):
            numbers = torch.tensor([49_406, *(ord(letter) for letter in text[:75])])
            ids[number, : len(numbers)] = numbers
        return BatchEncoding({"input_ids": ids, "attention_mask": torch.ones_like(ids)})


def one_at_a_time(network: Network, files: Sequence[Path], count: int, *, anew: bool) -> float:
    """Return images a second of the plain loop: open a file, encode it, compare; ``anew``: encode all texts too."""
    network.encode_texts(TEXTS)
    _look(network, files[0], anew=anew)
    began = time.perf_counter()
    for number in range(count):
        _look(network, files[number % len(files)], anew=anew)
    return count / (time.perf_counter() - began)


def _look(network: Network, file: Path, *, anew: bool) -> None:
    import numpy as np
    import torch

    if anew:
        network.encode_texts(TEXTS)
    pixels = torch.from_numpy(np.stack([network.preprocessing.apply(open_rgb(file))])).permute(0, 3, 1, 2)
    network.score(pixels).softmax(dim=-1).cpu()
