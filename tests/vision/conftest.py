"""What the tests of this room share: files of many kinds, a small model of random weights, and what is left behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from portrayal.vision.preprocessing import Preprocessing

SHARED = Path("/dev/shm")


@pytest.fixture(scope="session")
def preprocessing() -> Preprocessing:
    """Return how the small model wants its pictures."""
    return Preprocessing(32, (32, 32), 3, (0.48, 0.46, 0.41), (0.27, 0.26, 0.28))


@pytest.fixture(scope="session")
def photo() -> Callable[..., Image.Image]:
    """Draw something as smooth as a photograph, different for each seed."""

    def draw(width: int = 200, height: int = 160, seed: int = 0) -> Image.Image:
        coarse = np.random.default_rng(seed).integers(0, 256, (6, 5, 3), dtype=np.uint8)
        return Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)

    return draw


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory, photo: Callable[..., Image.Image]) -> list[Path]:
    """Return pictures of different shapes as JPEG and PNG files; the sixth is none, and the seventh is missing."""
    folder = tmp_path_factory.mktemp("files")
    paths = [folder / f"{number}{'.jpg' if number % 2 else '.png'}" for number in range(23)]
    for number, path in enumerate(paths):
        photo(60 + 7 * number, 100 - 3 * number, number).save(path)
    paths[5].write_bytes(b"not a picture")
    paths[6].unlink()
    return paths


@pytest.fixture
def no_memory_left_behind() -> Iterator[None]:
    """Check that no shared memory is left when the test ends."""
    before = set(SHARED.glob("psm_*"))
    yield
    while set(SHARED.glob("psm_*")) - before:  # what belongs to other processes goes away by itself
        time.sleep(0.05)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, preprocessing: Preprocessing) -> Path:
    """Return where a small CLIP of random weights is saved, with the way it wants pictures and texts."""
    import torch
    from transformers import CLIPConfig, CLIPModel, CLIPProcessor, CLIPTokenizer
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil
    from transformers.utils import logging

    letters = [*(letter + end for end in ("", "</w>") for letter in "abcdefghijklmnopqrstuvwxyz"), "<start>", "<end>"]
    start, end = len(letters) - 2, len(letters) - 1
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    words = {"vocab_size": len(letters), "max_position_embeddings": 20, "bos_token_id": start, "eos_token_id": end}
    torch.manual_seed(5)
    config = CLIPConfig(
        text_config={**sizes, **words}, vision_config={**sizes, "image_size": 32, "patch_size": 8}, projection_dim=8
    )
    special = {"unk_token": "<end>", "bos_token": "<start>", "eos_token": "<end>", "pad_token": "<end>"}
    vocabulary = {token: number for number, token in enumerate(letters)}
    pictures = CLIPImageProcessorPil(
        size={"shortest_edge": 32},
        crop_size={"height": 32, "width": 32},
        image_mean=preprocessing.mean,
        image_std=preprocessing.std,
    )
    place = tmp_path_factory.mktemp("models") / "small"
    logging.disable_progress_bar()
    CLIPModel(config).save_pretrained(place)
    logging.enable_progress_bar()
    CLIPProcessor(pictures, CLIPTokenizer(vocab=vocabulary, merges=[], **special)).save_pretrained(place)
    return place


@pytest.fixture(scope="session")
def network(folder: Path) -> Callable[..., Any]:
    """Load the small model, which then has encoded five texts."""
    from transformers.utils import logging

    from portrayal.vision.network import Network, load_network

    def load(*, fast: bool = False) -> Network:
        logging.disable_progress_bar()
        found = load_network(folder, "cpu", part="annotator 'clip'", fast=fast)
        logging.enable_progress_bar()
        found.encode_texts([f"a {word}" for word in ("man", "woman", "nurse", "tree", "cup")])
        return found

    return load
