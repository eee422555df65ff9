"""How fast images are annotated here, and what holds it up. Runs with torch, transformers, numpy and Pillow alone:

python -m portrayal.vision.bench --help
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from portrayal.errors import ConfigError, PortrayalError
from portrayal.processes import cpu_count
from portrayal.vision.bench.models import MODELS, TEXTS, one_at_a_time, random_network
from portrayal.vision.bench.pictures import draw_pictures
from portrayal.vision.float8 import require_float8
from portrayal.vision.network import chosen_device
from portrayal.vision.scoring import Scorer

__all__ = ["BenchResult", "BenchSettings", "Precision", "bench", "main"]

PictureFormat = Literal["jpeg", "png"]
Precision = Literal["exact", "bf16", "fp8"]


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """What is measured. No model, and 0 images, workers, batch or loop: what suits the machine."""

    model: str = ""
    format: PictureFormat = "jpeg"
    size: int = 1024
    images: int = 0
    device: str = "auto"
    workers: int = 0
    batch: int = 0
    exact: bool = False
    loop: int = 0
    precision: Precision = "bf16"

    @property
    def rounding(self) -> Precision:
        """The precision asked for, by whichever of its names."""
        return "exact" if self.exact else self.precision


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Images a second: end to end, each half alone, and one image at a time, as published scripts do it."""

    settings: dict[str, Any]
    device: str
    kilobytes: float
    prepared_s: float
    end_to_end: float
    model_alone: float
    decode_alone: float
    one_at_a_time: float
    published_loop: float

    @property
    def ratio(self) -> float:
        """How near the whole comes to its slower half, which it cannot beat."""
        return self.end_to_end / min(self.model_alone, self.decode_alone)

    @property
    def gain(self) -> float:
        """How many times faster than one image at a time with texts encoded once."""
        return self.end_to_end / self.one_at_a_time

    def as_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {**asdict(self), "ratio": self.ratio, "gain": self.gain}

    def lines(self) -> list[str]:
        """Return the result in words."""
        s = self.settings
        return [
            f"{s['images']} {s['format']} files of {s['size']} x {s['size']} pixels, {self.kilobytes:.0f} kB each; "
            f"{s['model']} with random weights, {s['precision']}, batches of {s['batch']}; "
            f"{self.device}, {s['workers']} of {cpu_count()} cores; prepared in {self.prepared_s:.1f} s",
            f"end to end      {self.end_to_end:10.1f} images/s",
            f"model alone     {self.model_alone:10.1f} images/s",
            f"decode alone    {self.decode_alone:10.1f} images/s",
            f"ratio           {self.ratio:10.2f} of the slower of the two",
            f"one at a time   {self.one_at_a_time:10.1f} images/s, texts encoded once",
            f"published loop  {self.published_loop:10.1f} images/s: the same, but all texts encoded for each image",
            f"gain            {self.gain:10.1f} times one at a time, "
            f"{self.end_to_end / self.published_loop:.1f} times the published loop",
        ]


def bench(settings: BenchSettings) -> BenchResult:
    """Draw pictures, then measure; what is drawn is deleted."""
    device = _usable(chosen_device(settings.device))
    gpu = device.startswith("cuda")
    chosen = {
        "model": settings.model or ("vit-l-14" if gpu else "vit-b-32"),
        "images": settings.images or (20_000 if gpu else 96),
        "workers": settings.workers or cpu_count(),
        "batch": settings.batch or (256 if gpu else 32),
        "loop": settings.loop or (100 if gpu else 8),
        "precision": settings.rounding,
    }
    if settings.rounding == "fp8":
        require_float8(device, "bench")
    with tempfile.TemporaryDirectory(prefix="portrayal-bench-") as folder:
        files = draw_pictures(Path(folder), settings.format, settings.size)
        return _measure({**asdict(settings), **chosen}, files, device)


def _usable(device: str) -> str:
    """Return the device when something can be done on it; else say so before pictures are drawn."""
    import torch

    try:
        torch.zeros(1, device=device).cpu()
    except (AssertionError, NotImplementedError, RuntimeError) as error:
        line = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise ConfigError(f"device {device!r} cannot be used here: {line}") from None
    return device


def _measure(settings: dict[str, Any], files: Sequence[Path], device: str) -> BenchResult:
    began = time.perf_counter()
    slow = random_network(settings["model"], device, fast=False)
    alone, published = (one_at_a_time(slow, files, settings["loop"], anew=anew) for anew in (False, True))
    fast, float8 = settings["precision"] != "exact", settings["precision"] == "fp8"
    network = random_network(settings["model"], device, fast=fast, float8=float8)
    network.encode_texts(TEXTS)
    scorer = Scorer(network, fast=fast, batch=settings["batch"])
    workers, count = settings["workers"], settings["images"]
    _drain(scorer.run(_batches(files, 3 * scorer.batch, scorer.batch), workers))  # compiles, starts, fills caches
    prepared = time.perf_counter() - began
    whole = _rate(count, lambda: _drain(scorer.run(_batches(files, count, scorer.batch), workers)))
    decoding = _rate(count, lambda: _drain(scorer.read(_batches(files, count, scorer.batch), workers)))
    model = _model_rate(scorer, max(count // 4, scorer.batch), files)
    kilobytes = sum(file.stat().st_size for file in files) / len(files) / 1000
    return BenchResult(
        settings,
        _called(device),
        kilobytes,
        prepared_s=prepared,
        end_to_end=whole,
        model_alone=model,
        decode_alone=decoding,
        one_at_a_time=alone,
        published_loop=published,
    )


def _batches(files: Sequence[Path], count: int, size: int) -> Iterator[list[Path]]:
    """Yield ``count`` files in batches; they come round again and again, out of the page cache."""
    endless = itertools.islice(itertools.cycle(files), count)
    while batch := list(itertools.islice(endless, size)):
        yield batch


def _drain(results: Iterator[Any]) -> None:
    """Take everything; of batches that lie on a GPU, wait until they are there."""
    for result in results:
        if getattr(result, "ready", None) is not None:
            result.ready.synchronize()


def _rate(count: int, work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return count / (time.perf_counter() - began)


def _model_rate(scorer: Scorer, count: int, files: Sequence[Path]) -> float:
    """Return how fast the model is when a batch is there already."""
    (batch,) = scorer.read(_batches(files, scorer.batch, scorer.batch), 0)
    turns = -(-count // scorer.batch)

    def work() -> None:
        for _ in range(turns):
            logits = scorer.network.score(batch.pixels)
        logits.cpu()

    work()
    return _rate(turns * scorer.batch, work)


def _called(device: str) -> str:
    import torch

    return str(torch.cuda.get_device_name(device)) if device.startswith("cuda") else device


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the measurement as a program of its own."""
    parser = argparse.ArgumentParser(prog="python -m portrayal.vision.bench", description=__doc__)
    parser.add_argument("--model", choices=sorted(MODELS), default="")
    parser.add_argument("--format", choices=("jpeg", "png"), default="jpeg")
    for name, default in (("size", 1024), ("images", 0), ("workers", 0), ("batch", 0), ("loop", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--precision", choices=("exact", "bf16", "fp8"), default="bf16")
    parser.add_argument("--json", action="store_true")
    given = vars(parser.parse_args(arguments))
    as_json = given.pop("json")
    try:
        result = bench(BenchSettings(**given))
    except PortrayalError as error:
        parser.exit(2, f"error: {error}\n")
    text = json.dumps(result.as_json(), indent=2) if as_json else "\n".join(result.lines())
    sys.stdout.write(text + "\n")
