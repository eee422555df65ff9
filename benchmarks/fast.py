"""How far the option ``fast`` of the annotator clip moves pixels and cosines, against the same without it.

    python benchmarks/fast.py [--device auto]

Files of every kind, a model of random weights. Needs only what ``portrayal.vision`` needs. Prints Markdown.
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

SCALE = np.exp(2.6592)
"""By which an untrained CLIP multiplies cosines."""


def main() -> None:
    """Look at the same files both ways."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    device = chosen_device(parser.parse_args().device)
    with tempfile.TemporaryDirectory() as name:
        files = collect(Path(name))
        exact, fast = (scorer(device, fast=fast) for fast in (False, True))
        print(f"## fast against exact, {device}, ViT-B/32 of random weights\n")
        print("| files | n | pixels: most | mean | cosines: most | same reasons |")
        print("| --- | --- | --- | --- | --- | --- |")
        for kind, paths in files.items():
            print(f"| {kind} | {len(paths)} | {compared(exact, fast, paths)} |")


def collect(folder: Path) -> dict[str, list[Path]]:
    """Return plain JPEG and PNG files, others that go another way, and some that hold no picture."""
    plain = {kind: draw_pictures(folder, kind, size)[:40] for kind, size in (("jpeg", 1024), ("png", 333))}
    with Image.open(plain["png"][0]) as opened:
        picture = opened.convert("RGB")
    made: dict[str, Any] = {
        "grey.jpg": picture.convert("L"),
        "cmyk.jpg": picture.convert("CMYK"),
        "alpha.png": picture.convert("RGBA"),
        "wide.png": picture.resize((900, 300)),
        "tall.jpg": picture.resize((300, 901)),
        "small.png": picture.resize((100, 80)),
        "other.webp": picture,
    }
    for name, one in made.items():
        one.save(folder / name)
    picture.save(folder / "progressive.jpg", progressive=True)
    (folder / "cut.jpg").write_bytes(plain["jpeg"][0].read_bytes()[:5000])
    (folder / "cut.png").write_bytes(plain["png"][0].read_bytes()[:5000])
    (folder / "text.png").write_text("no picture")
    others = [*made, "progressive.jpg"]
    broken = ["cut.jpg", "cut.png", "text.png", "gone.png"]
    return {**plain, "others": [folder / name for name in others], "no pictures": [folder / name for name in broken]}


def scorer(device: str, *, fast: bool) -> Scorer:
    """Return the way to look at files."""
    network = random_network("vit-b-32", device, fast=fast)
    network.encode_texts(TEXTS)
    return Scorer(network, fast=fast, batch=32)


def compared(exact: Scorer, fast: Scorer, paths: list[Path]) -> str:
    """Return how far pixels (of 255 levels) and cosines are apart, and whether the same files have none."""
    batches = [paths[start : start + 32] for start in range(0, len(paths), 32)]
    pixels, cosines, reasons = [], [], []
    for one, other in zip(exact.read(iter(batches), 2), fast.read(iter(batches), 2), strict=True):
        if other.ready is not None:
            other.ready.synchronize()
        pixels.append((one.pixels.float().cpu() - other.pixels.float().cpu()).abs().numpy().ravel())
    for scores, others in zip(exact.run(iter(batches), 2), fast.run(iter(batches), 2), strict=True):
        seen = [not reason for reason in scores.reasons]
        cosines.append(np.abs(scores.logits - others.logits)[seen].ravel() / SCALE)
        reasons.append(list(scores.reasons) == list(others.reasons))
    apart, moved = np.concatenate(pixels), np.concatenate(cosines)
    most = f"{moved.max():.5f}" if moved.size else "-"
    return f"{apart.max():.2f} | {apart.mean():.2f} | {most} | {all(reasons)}"


if __name__ == "__main__":
    main()
