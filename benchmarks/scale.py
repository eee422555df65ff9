"""How a study grows: seconds and peak memory of every stage at 10^4, 10^5 and 10^6 images without pixels.

Run: python benchmarks/scale.py [--sizes 10000 100000 1000000 14862400]

Every stage runs in a process of its own, so that its peak memory is its own. Each size is compared with the one before
it in the same run: ``times`` says how many times as long it takes, beside how many times as many images there are, and
``bytes an image`` is what the peak memory grew by, over the images added. On a busy machine processor seconds, those of
worker processes included, say more than seconds.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

STAGES = ("plan", "generate", "annotate", "measure", "status")
TERMS = 100

STUDY = """
[study]
title = "scale"
[suite]
use = "file"
options.path = "prompts.csv"
[[generators]]
use = "simulated"
images = {images}
[generators.options]
pixels = false
refused = 0.02
failed = 0.02
no_person = 0.02
several = 0.02
[[annotators]]
use = "simulated"
options.accuracy = 0.95
[generate]
batch = 5000
[annotate]
batch = 5000
workers = 1
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    sizes = parser.parse_args().sizes
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print(
        "| images | stage | seconds | processor s | peak MiB | images, times | seconds | processor | bytes an image |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    before: dict[str, Cost] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            create(Path(folder), size)
            for stage in STAGES:
                cost = run(stage, folder, size)
                line = f"| {size:,} | {stage} | {cost.seconds:.1f} | {cost.processor:.1f} | {cost.peak:.0f} | "
                print(line + grown(before.get(stage), cost), flush=True)
                before[stage] = cost


@dataclass(frozen=True)
class Cost:
    """What a stage took: seconds on the clock, seconds of processors, and peak memory in MiB."""

    images: int
    seconds: float
    processor: float
    peak: float


def grown(before: Cost | None, now: Cost) -> str:
    """Return how a stage compares with the smaller size before it."""
    if before is None:
        return "| | | |"
    more = (now.peak - before.peak) * 2**20 / (now.images - before.images)
    times = (now.images / before.images, now.seconds / before.seconds, now.processor / before.processor)
    return " | ".join(f"{ratio:.1f}" for ratio in times) + f" | {more:.0f} |"


def create(folder: Path, size: int) -> None:
    """Write a study of ``size`` images."""
    rows = "".join(f"a photo of person number {number},term {number}\n" for number in range(TERMS))
    (folder / "prompts.csv").write_text(f"text,term\n{rows}")
    (folder / "study.toml").write_text(STUDY.format(images=size // TERMS))


def run(stage: str, folder: str, images: int) -> Cost:
    """Run a stage in a process of its own; return what it took."""
    command = [sys.executable, "-c", "from portrayal.cli.main import main; main()", stage, folder]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{stage} failed with exit code {process.returncode}")
    return Cost(images, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
