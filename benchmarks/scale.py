"""How a study grows: rows per second and peak memory of every stage at 10^4, 10^5 and 10^6 images without pixels.

Run: python benchmarks/scale.py [--sizes 10000 100000 1000000]

Every stage runs in a process of its own, so that its peak memory is its own. The ratio compares a size with the
smallest one in the same run: a ratio of memory near 1 is flat, a ratio of seconds near that of the sizes is linear.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STAGES = ("plan", "generate", "annotate", "measure")
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
    print("| images | stage | seconds | images/s | peak MiB | seconds ratio | memory ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    first: dict[str, tuple[float, float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            create(Path(folder), size)
            for stage in STAGES:
                seconds, peak = run(stage, folder)
                base = first.setdefault(stage, (seconds, peak))
                print(
                    f"| {size:,} | {stage} | {seconds:.1f} | {size / seconds:,.0f} | {peak:.0f} "
                    f"| {seconds / base[0]:.1f} | {peak / base[1]:.2f} |",
                    flush=True,
                )


def create(folder: Path, size: int) -> None:
    """Write a study of ``size`` images."""
    rows = "".join(f"a photo of person number {number},term {number}\n" for number in range(TERMS))
    (folder / "prompts.csv").write_text(f"text,term\n{rows}")
    (folder / "study.toml").write_text(STUDY.format(images=size // TERMS))


def run(stage: str, folder: str) -> tuple[float, float]:
    """Run a stage in a process of its own; return its seconds and its peak memory in MiB."""
    command = [sys.executable, "-c", "from portrayal.cli.main import main; main()", stage, folder]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{stage} failed with exit code {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


if __name__ == "__main__":
    main()
