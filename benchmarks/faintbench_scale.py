"""FAIntbench at its own size: 7 models x 2,654 prompts x 800 images = 14,862,400 images, three attributes each.

python benchmarks/faintbench_scale.py [--images 50 200 800] [--resample prompts] [--keep FOLDER]

Writes a study's tables as the stages would have left them (random masses, in the order of the annotate stage), then
runs the measure stage in a process of its own: join, alignment by the published profile, all levels, 1,000 draws.
Prints seconds and peak memory of that process, and both beside the smallest size: linear is the ratio of the sizes.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from portrayal.methods.faintbench.suite import FaintbenchSuiteOptions, faintbench
from portrayal.records import PROMPT_SCHEMA, Prompt, to_table
from portrayal.store.tables.table import ROW_GROUP
from portrayal.store.workspace import SCHEMAS, Workspace

MODELS = 7
GROUPS = {"gender": 2, "race5": 5, "age3": 3}
ANNOTATOR = "imported:clip"
STUDY = """
[study]
title = "FAIntbench at its own size"
[suite]
use = "faintbench"
[[annotators]]
use = "imported:clip"
[[methods]]
use = "faintbench"
options.resample = "{resample}"
"""
MEASURE = """
import sys, pathlib, resource, time
from portrayal.study.run_control import RunControl
from portrayal.study.measure.measure_study import measure
from portrayal.study.study import OpenStudy
began = time.monotonic()
rows = measure(OpenStudy(pathlib.Path(sys.argv[1])), RunControl())
print(time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(rows))
"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, nargs="+", default=[50, 200, 800])
    parser.add_argument("--resample", default="prompts", choices=["images", "prompts"])
    parser.add_argument("--folder", type=Path, help="where to put the tables; a temporary folder if not given")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print("| images | observations | rows | seconds | images/s | peak MiB | ratio of images | of seconds | of memory |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    first: tuple[int, float, float] | None = None
    for count in options.images:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            (Path(folder) / "study.toml").write_text(STUDY.format(resample=options.resample))
            images, observations = write(Path(folder), count)
            seconds, peak, rows = run(folder)
        first = first or (images, seconds, peak)
        print(
            f"| {images:,} | {observations:,} | {rows:,} | {seconds:.1f} | {images / seconds:,.0f} | {peak:.0f} "
            f"| {images / first[0]:.1f} | {seconds / first[1]:.1f} | {peak / first[2]:.2f} |",
            flush=True,
        )


def run(folder: str) -> tuple[float, float, int]:
    """Measure in a process of its own; return seconds, peak MiB and the number of measurements."""
    done = subprocess.run([sys.executable, "-c", MEASURE, folder], check=True, capture_output=True, text=True)
    seconds, peak, rows = done.stdout.split()
    return float(seconds), float(peak), int(rows)


def write(folder: Path, images: int, prompts: Sequence[Prompt] = ()) -> tuple[int, int]:
    """Write the tables of a finished study, of FAIntbench unless prompts are given; return images and observations."""
    prompts = prompts or faintbench(FaintbenchSuiteOptions(), folder).prompts
    tables = Workspace(folder).tables
    tables["prompts"].replace([to_table(prompts, PROMPT_SCHEMA)])
    written = {"jobs": 0, "observations": 0}
    for name in ("jobs", "outcomes", "observations"):
        rng = np.random.default_rng(1)  # the same names in all three

        def counted(name: str = name, rng: np.random.Generator = rng) -> Iterator[pa.Table]:
            for table in batches(name, prompts, images, rng):
                if name in written:
                    written[name] += table.num_rows
                yield table

        tables[name].replace(counted())
    return written["jobs"], written["observations"]


def batches(name: str, prompts: Sequence[Prompt], images: int, rng: np.random.Generator) -> Iterator[pa.Table]:
    """Yield one table's rows, a row group's worth of images at a time."""
    asked = np.repeat(np.arange(len(prompts)), images)
    for model in range(MODELS):
        for start in range(0, len(asked), ROW_GROUP):
            chosen = asked[start : start + ROW_GROUP]
            jobs, names = hexadecimal(rng, len(chosen), 16), hexadecimal(rng, len(chosen), 32)
            order = rng.permutation(len(chosen))
            if name == "jobs":
                columns = {
                    "id": jobs,
                    "prompt": pa.array([prompt.id for prompt in prompts]).take(pa.array(chosen)),
                    "generator": [f"model-{model}"] * len(chosen),
                    "index": np.arange(start, start + len(chosen)) % images,
                    "seed": np.zeros(len(chosen), dtype=np.int64),
                }
            elif name == "outcomes":
                columns = {"job": jobs, "image": names, "status": ["made"] * len(chosen), "ext": [""] * len(chosen)}
                columns |= {"attempt": np.ones(len(chosen), dtype=np.int32), "versions": ["benchmark"] * len(chosen)}
            else:
                people = np.array([prompts[prompt].people for prompt in chosen[order]])
                columns = observations(names.take(pa.array(order)), people, np.random.default_rng(start))
            size = len(next(iter(columns.values())))
            arrays = [
                pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(size, field.type)
                for field in SCHEMAS[name]
            ]
            yield pa.Table.from_arrays(arrays, schema=SCHEMAS[name])


def observations(names: pa.Array, people: NDArray[np.int64], rng: np.random.Generator) -> dict[str, pa.Array]:
    """Return the columns of one observation per person and attribute."""
    image = np.repeat(np.arange(len(names)), people * len(GROUPS))
    subject = np.concatenate([np.repeat(np.arange(count), len(GROUPS)) for count in people])
    attribute = np.arange(len(image)) % len(GROUPS)
    sizes = np.array(list(GROUPS.values()))[attribute]
    offsets = np.r_[0, np.cumsum(sizes)].astype(np.int32)
    mass = rng.random(int(offsets[-1]), dtype=np.float32) ** 4
    mass /= np.repeat(np.add.reduceat(mass, offsets[:-1]), sizes)
    return {
        "image": names.take(pa.array(image)),
        "annotator": pa.array([ANNOTATOR] * len(image)),
        "subject": pa.array(subject.astype(np.int32)),
        "attribute": pa.array(list(GROUPS)).take(pa.array(attribute)),
        "mass": pa.ListArray.from_arrays(pa.array(offsets), pa.array(mass)),
    }


def hexadecimal(rng: np.random.Generator, count: int, size: int) -> pa.Array:
    """Return random names of ``size`` bytes."""
    names = rng.integers(0, 256, size=(count, size), dtype=np.uint8)
    digits = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
    text = np.stack([digits[names >> 4], digits[names & 15]], axis=-1).tobytes()
    offsets = np.arange(0, count + 1, dtype=np.int32) * 2 * size
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(text))


if __name__ == "__main__":
    main()
