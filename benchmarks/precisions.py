"""What precision costs: scores of many files in 32 bits, in bfloat16 and in eight bits, against each other.

    python benchmarks/precisions.py [--images 5000] [--model vit-l-14] [--outliers 0] [--device auto]

Files of noise as smooth as photographs, a model of random weights; ``--outliers`` multiplies so many columns of what
each layer sees with 300 and divides the weights that meet them, which changes nothing in exact numbers. Cosines are
multiplied with 100, as a trained CLIP does, and compared as masses of gender, race and age. For each precision: the
shifts in the 64 files that the check of the annotator would take, and in all. Needs only what ``portrayal.vision``
needs. Prints Markdown.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from portrayal.vision.bench.models import TEXTS, random_network
from portrayal.vision.bench.pictures import draw_pictures
from portrayal.vision.network import chosen_device
from portrayal.vision.scoring import Scorer

SAMPLE = 64
QUESTIONS = (2, 2, 5, 3)
"""Groups of each question: is anybody there, gender, race, age."""
TRAINED = 100 / np.exp(2.6592)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=5000)
    parser.add_argument("--model", default="vit-l-14")
    parser.add_argument("--outliers", type=int, default=0)
    parser.add_argument("--device", default="auto")
    options = parser.parse_args()
    device = chosen_device(options.device)
    with tempfile.TemporaryDirectory() as name:
        files = crops(draw_pictures(Path(name), "png", 512), Path(name) / "crops", options.images)
        exact = masses(scorer(options.model, device, "exact", options.outliers), files)
        print(f"## {options.model}, {device}, {len(files)} files, {options.outliers} columns with outliers\n")
        print("| precision | files | mean shift | largest | labels that flip | largest effect on a share |")
        print("| --- | --- | --- | --- | --- | --- |")
        for precision in ("bf16", "fp8"):
            other = masses(scorer(options.model, device, precision, options.outliers), files)
            for count in (SAMPLE, len(files)):
                print(f"| {precision} | {count} | {compared(exact[:count], other[:count])} |", flush=True)


def crops(files: list[Path], folder: Path, count: int) -> list[Path]:
    """Return many different pictures: pieces of a few, for drawing each anew would take longest."""
    folder.mkdir()
    rng = np.random.default_rng(1)
    pictures = [Image.open(file).convert("RGB") for file in files]
    paths = []
    for number in range(count):
        left, top = rng.integers(0, 256, 2).tolist()
        paths.append(folder / f"{number}.jpg")
        pictures[number % len(pictures)].crop((left, top, left + 256, top + 256)).save(paths[-1], quality=95)
    return paths


def scorer(model: str, device: str, precision: str, outliers: int) -> Scorer:
    """Return the way to look at files."""
    network = random_network(model, device, fast=precision != "exact")
    for layer in network._model.vision_model.encoder.layers:
        _plant(layer, outliers)
    if precision == "fp8":
        network.round_to_float8()
    network.encode_texts(TEXTS[: sum(QUESTIONS)])
    return Scorer(network, fast=precision != "exact", batch=250)


def _plant(layer: Any, columns: int) -> None:
    """Let some numbers that a layer's products see be 300 times as large, and their weights as much smaller."""
    import torch

    with torch.no_grad():
        for norm, parts in (
            (layer.layer_norm1, [layer.self_attn.q_proj, layer.self_attn.k_proj, layer.self_attn.v_proj]),
            (layer.layer_norm2, [layer.mlp.fc1]),
        ):
            norm.weight[:columns] *= 300
            norm.bias[:columns] *= 300
            for part in parts:
                part.weight[:, :columns] /= 300


def masses(scorer: Scorer, files: list[Path]) -> np.ndarray:
    """Return the masses of every question, one after the other (files, groups)."""
    batches = (files[start : start + scorer.batch] for start in range(0, len(files), scorer.batch))
    logits = np.concatenate([scores.logits for scores in scorer.run(batches, 8)]).astype(float) * TRAINED
    found = []
    for part in np.split(logits, np.cumsum(QUESTIONS)[:-1], axis=1):
        weights = np.exp(part - part.max(axis=1, keepdims=True))
        found.append(weights / weights.sum(axis=1, keepdims=True))
    return np.concatenate(found, axis=1)


def compared(exact: np.ndarray, other: np.ndarray) -> str:
    """Return how far masses are apart, how many labels are others, and how far a share moves."""
    shift = np.abs(exact - other)
    pairs = zip(*(np.split(side, np.cumsum(QUESTIONS)[:-1], axis=1) for side in (exact, other)), strict=True)
    flips = sum(int((one.argmax(axis=1) != two.argmax(axis=1)).sum()) for one, two in pairs)
    of = len(exact) * len(QUESTIONS)
    share = np.abs((other - exact).mean(axis=0)).max()
    return f"{shift.mean():.4f} | {shift.max():.4f} | {flips} of {of} ({flips / of:.2%}) | {share:.4f}"


if __name__ == "__main__":
    main()
