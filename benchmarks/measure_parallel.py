"""Measuring by several processes: FAIntbench at its own size, 14,862,400 images, by one process and by two.

python benchmarks/measure_parallel.py [--images 800] [--workers 1 2] [--repeat 3] [--keep FOLDER]

Writes the tables of a finished study as benchmarks/faintbench_scale.py does, with the options of a new study, then lets
the measure stage run in a process of its own, once with each number of workers, in turn, ``--repeat`` times. Prints for
each the seconds on the clock, the processor seconds of all processes, the peak memory of the largest; then the ratio
of the best seconds to those of the first number. All of them must write the same measurements, byte for byte.

``reads ahead`` is one process as a small study has it where no number of workers is asked for: threads read tables
while it works, so it keeps more than one core busy. On a busy machine only processor seconds say anything.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import runpy
import subprocess
import sys
import tempfile
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

AHEAD = 0
"""In the place of a number of workers: one process that reads ahead."""
MEASURE = """
import json, pathlib, resource, sys, time
from portrayal.study.measure import adding
from portrayal.study.measure.measure_study import measure
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
workers = int(sys.argv[2])
if not workers:
    adding._ENOUGH = 10**12  # no study is large
study = OpenStudy(pathlib.Path(sys.argv[1]))
began = time.monotonic()
with study.workspace.writing():
    rows = measure(study, RunControl(workers=workers))
seconds = time.monotonic() - began
usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
processor = sum(own.ru_utime + own.ru_stime for own in usage)
print(json.dumps([seconds, processor, max(own.ru_maxrss for own in usage) / 1024, len(rows)]))
"""


@dataclass(frozen=True)
class Cost:
    """What measuring took: seconds on the clock, of processors, and peak MiB of the largest process."""

    seconds: float
    processor: float
    peak: float
    digest: str


def main() -> None:
    """Print the table and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=800, help="images of each of 7 x 2,654 prompts")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder for the study, which is used again if it is there")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() if options.keep is None else nullcontext(str(options.keep)) as folder:
        create(Path(folder), options.images)
        compare(folder, [*options.workers, AHEAD], options.repeat)


def compare(folder: str, workers: list[int], repeat: int) -> None:
    """Print what each number of workers takes, and how the best of it compares with that of the first."""
    print("| workers | seconds | processor s | peak MiB |\n| --- | --- | --- | --- |")
    costs: dict[int, list[Cost]] = {number: [] for number in workers}
    for _ in range(repeat):
        for number in workers:
            costs[number].append(cost := run(folder, number))
            print(f"| {title(number)} | {cost.seconds:.1f} | {cost.processor:.1f} | {cost.peak:.0f} |", flush=True)
    if len({cost.digest for own in costs.values() for cost in own}) != 1:
        raise SystemExit("the measurements differ")
    best = {number: min(cost.seconds for cost in own) for number, own in costs.items()}
    for number in workers[1:]:
        ratio = best[number] / best[workers[0]]
        print(f"\n{title(number)}: {ratio:.2f} of the time of {title(workers[0])}; the same bytes", flush=True)


def title(workers: int) -> str:
    """Return how a number of workers is called."""
    return "1, reads ahead" if workers == AHEAD else str(workers)


def create(folder: Path, images: int) -> None:
    """Write the study, unless it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "study.toml").exists():
        scale = runpy.run_path(str(Path(__file__).with_name("faintbench_scale.py")))
        made, rows = scale["write"](folder, images)
        (folder / "study.toml").write_text(scale["STUDY"].format(resample="images"))
        print(f"{made:,} images, {rows:,} observations\n", flush=True)


def run(folder: str, workers: int) -> Cost:
    """Measure in a process of its own."""
    command = [sys.executable, "-c", MEASURE, folder, str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, processor, peak, _ = (float(number) for number in done.stdout.strip("[]\n").split(","))
    (written,) = (Path(folder) / "tables" / "measurements").glob("*.parquet")
    return Cost(seconds, processor, peak, hashlib.sha256(written.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
