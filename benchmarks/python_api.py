"""The Python interface at size: importing it, measurements() of a FAIntbench study, images() of a million images.

python benchmarks/python_api.py [--images 10000 100000 1000000] [--folder FOLDER]

Writes the tables of a finished study (random masses over three attributes, a box for each person), then asks for them
in a process of its own. Prints seconds, those of the processor the first time (with what is loaded only then) and once
more, and the peak memory of that process; each size beside the first.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from portrayal.records import MEASUREMENT_SCHEMA, PROMPT_SCHEMA, Measurement, Note, Prompt, to_table
from portrayal.store.tables.table import ROW_GROUP, Table
from portrayal.store.workspace import SCHEMAS

PROMPTS = 200
MODELS = 2
GROUPS = {"gender": 2, "race5": 5, "age3": 3}
MEASUREMENTS = 77_826
"""What FAIntbench gives for seven models."""
STUDY = """
[study]
title = "A million images"
[[annotators]]
use = "imported:clip"
"""
ASK = """
import pathlib, re, sys, time
import portrayal
def peak():  # of this process, and not of the one it was started by
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1]) / 1024
study = portrayal.Study(sys.argv[1])
before, began, worked = peak(), time.monotonic(), time.process_time()
rows = getattr(study, sys.argv[2])()
seconds, processor = time.monotonic() - began, time.process_time() - worked
assert len(rows) == int(sys.argv[3]), len(rows)
most, rows, worked = peak(), None, time.process_time()
rows = getattr(study, sys.argv[2])()
print(seconds, processor, time.process_time() - worked, before, most)
"""
IMPORT = "import time; began = time.perf_counter(); import {}; print(time.perf_counter() - began)"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--folder", type=Path, help="where to put the tables; a temporary folder if not given")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    print("| import | milliseconds, least of 10 |\n| --- | --- |")
    for module in ("json", "portrayal"):
        print(f"| {module} | {1000 * min(imported(module) for _ in range(10)):.1f} |")
    print("\n| what | rows | seconds | processor s | again | MiB before | peak MiB | ratio of rows | of processor s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    first: dict[str, tuple[int, float]] = {}
    for count in options.images:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            write(Path(folder), count)
            for what, rows in (("images", count), ("measurements", MEASUREMENTS)):
                seconds, processor, again, before, peak = ask(folder, what, rows)
                least = first.setdefault(what, (rows, processor))
                print(
                    f"| {what} | {rows:,} | {seconds:.2f} | {processor:.2f} | {again:.2f} | {before:.0f} | {peak:.0f} "
                    f"| {rows / least[0]:.1f} | {processor / least[1]:.1f} |",
                    flush=True,
                )


def imported(module: str) -> float:
    """Return how long a fresh process takes to import a module."""
    done = subprocess.run([sys.executable, "-c", IMPORT.format(module)], check=True, capture_output=True, text=True)
    return float(done.stdout)


def ask(folder: str, what: str, rows: int) -> tuple[float, ...]:
    """Ask in another process; return seconds, those of the processor, the same once more, MiB before and at most."""
    words = [sys.executable, "-c", ASK, folder, what, str(rows)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return tuple(map(float, done.stdout.split()))


def write(folder: Path, images: int) -> None:
    """Write the tables of a finished study."""
    (folder / "study.toml").write_text(STUDY)
    tables = {name: Table(folder / "tables" / name, schema) for name, schema in SCHEMAS.items()}
    prompts = [Prompt(f"a photo of one person who is number {n}", f"number {n}") for n in range(PROMPTS)]
    tables["prompts"].replace([to_table(prompts, PROMPT_SCHEMA)])
    tables["measurements"].replace([to_table([measurement(n) for n in range(MEASUREMENTS)], MEASUREMENT_SCHEMA)])
    for name in ("jobs", "outcomes", "observations"):
        tables[name].replace(batches(name, [prompt.id for prompt in prompts], images, np.random.default_rng(1)))


def measurement(number: int) -> Measurement:
    """Return one of many rows that differ as those of a study do."""
    notes = (Note.of("only_images", n=number % 50),) if number % 3 else ()
    return Measurement(
        method="faintbench",
        metric="implicit_score",
        generator=f"model-{number % 7}",
        annotator="imported:clip",
        attribute="gender",
        level="prompt",
        item=f"a photo of one person who is number {number % 2654}",
        value=number / MEASUREMENTS,
        low=0.0,
        high=1.0,
        n=800,
        notes=notes,
    )


def batches(name: str, prompts: list[str], images: int, rng: np.random.Generator) -> Iterator[pa.Table]:
    """Yield one table's rows, a row group's worth of images at a time; annotators finish them in another order."""
    for start in range(0, images, ROW_GROUP):
        number = np.arange(start, min(start + ROW_GROUP, images))
        jobs, names = hexadecimal(rng, len(number), 16), hexadecimal(rng, len(number), 32)
        order = rng.permutation(len(number))
        columns: dict[str, Any]
        if name == "jobs":
            columns = {
                "id": jobs,
                "prompt": pa.array(prompts).take(pa.array(number % PROMPTS)),
                "generator": [f"model-{own}" for own in (number // PROMPTS % MODELS).tolist()],
                "index": number // (PROMPTS * MODELS),
                "seed": number,
            }
        elif name == "outcomes":
            columns = {"job": jobs, "image": names, "status": ["made"] * len(number), "ext": ["png"] * len(number)}
            columns |= {"attempt": np.ones(len(number), dtype=np.int32), "versions": ["benchmark"] * len(number)}
        else:
            columns = observations(names.take(pa.array(order)), np.random.default_rng(start))
        size = len(next(iter(columns.values())))
        arrays = [
            pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(size, field.type)
            for field in SCHEMAS[name]
        ]
        yield pa.Table.from_arrays(arrays, schema=SCHEMAS[name])


def observations(names: pa.Array, rng: np.random.Generator) -> dict[str, pa.Array]:
    """Return the columns of one observation per attribute."""
    size = len(names) * len(GROUPS)
    attribute = np.arange(size) % len(GROUPS)
    sizes = np.array(list(GROUPS.values()))[attribute]
    offsets = np.r_[0, np.cumsum(sizes)].astype(np.int32)
    mass = rng.random(int(offsets[-1]), dtype=np.float32) ** 4
    mass /= np.repeat(np.add.reduceat(mass, offsets[:-1]), sizes)
    box = np.repeat(rng.integers(0, 512, size=(len(names), 4)), len(GROUPS), axis=0).astype(np.int32)
    return {
        "image": names.take(pa.array(np.repeat(np.arange(len(names)), len(GROUPS)))),
        "annotator": pa.array(["imported:clip"] * size),
        "subject": pa.array(np.zeros(size, dtype=np.int32)),
        "attribute": pa.array(list(GROUPS)).take(pa.array(attribute)),
        "mass": pa.ListArray.from_arrays(pa.array(offsets), pa.array(mass)),
        "box": pa.ListArray.from_arrays(pa.array(np.arange(size + 1, dtype=np.int32) * 4), pa.array(box.reshape(-1))),
    }


def hexadecimal(rng: np.random.Generator, count: int, size: int) -> pa.Array:
    """Return random names of ``size`` bytes."""
    text = rng.bytes(count * size).hex().encode()
    offsets = np.arange(0, count + 1, dtype=np.int32) * 2 * size
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(text))


if __name__ == "__main__":
    main()
