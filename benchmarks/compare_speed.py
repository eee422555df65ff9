"""How long it takes to compare seven models on all of FAIntbench: on measurement rows of that shape.

python benchmarks/compare_speed.py [--models 7] [--rows 93576]

The rows are made up: as many as ``portrayal measure`` writes for 14.9 million images, every one the share of a
perceived group in the pictures of a term, about 1,100 of them. That is the worst case, for every row is compared by its
counts; FAIntbench's scores are compared by their intervals, which is faster. Pictures are not paired: of so many
answers that is not tried (docs/compare.md). The last line is all that ``portrayal compare --json`` does, from the rows
in a study's tables to the text that it prints; a process of its own, and so with the time that Python takes to begin.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from portrayal.api.rows.comparison import Differences
from portrayal.records import MEASUREMENT_SCHEMA, Attribute, Measurement, to_table
from portrayal.reports.comparisons.models_compared import compare_models
from portrayal.reports.comparisons.models_view import models_view
from portrayal.reports.data import ReportData
from portrayal.study.study import OpenStudy

GROUPS = {
    "gender": ("male", "female"),
    "race": ("white", "black", "asian", "indian"),
    "age": ("young", "middle", "old"),
}
IMAGES = 159 * 7
STUDY = """
[study]
title = "Many models"
[suite]
use = "file"
options.path = "prompts.csv"
[[annotators]]
use = "simulated"
name = "eye"
"""
COMMAND = """
import sys
from portrayal.study.comparing import model_pairing
model_pairing.PAIRED_AT_MOST = -1  # as in a study of so many answers
from portrayal.cli.main import main
main()
"""


class _Clock:
    """Says how many seconds have gone by since it was made."""

    def __init__(self) -> None:
        self._processor, self._wall = time.process_time(), time.perf_counter()

    def __str__(self) -> str:
        return f"{time.process_time() - self._processor:.1f} s of processors, {time.perf_counter() - self._wall:.1f} s"


def main() -> None:
    """Print how many seconds each part takes, of all processors together and on the clock."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=7)
    parser.add_argument("--rows", type=int, default=93_576)
    options = parser.parse_args()
    attributes = {name: Attribute(name, f"perceived {name}", groups) for name, groups in GROUPS.items()}
    models = [f"model {number}" for number in range(options.models)]
    rows = _rows(models, options.rows // options.models)
    print(f"{len(rows):,} rows of {len(models)} models")
    start = _Clock()
    compared = compare_models(rows, models, 0.1, attributes)
    assert compared is not None
    print(f"compared {len(compared.every()):,} pairs of rows: {start}")
    start = _Clock()
    found = Differences(compared)
    print(f"as {len(found):,} rows with words (study.compare()): {start}")
    start = _Clock()
    data = ReportData("", models, ["eye"], [], 0, attributes, rows, {}, {}, declared=models)
    assert models_view(data) is not None
    print(f"the report's section, comparing included: {start}")
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), models, rows)
        began, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        ran = subprocess.run(
            [sys.executable, "-c", COMMAND, "compare", folder, "--json"], check=True, capture_output=True
        )
        ended, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - clock
    used = ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime
    print(f"the command, {len(ran.stdout) / 1e6:,.0f} MB of JSON: {used:.1f} s of processors, {seconds:.1f} s")
    print(f"its memory at most {ended.ru_maxrss / 2**20:.1f} GiB")
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB")


def _write(folder: Path, models: Sequence[str], rows: Sequence[Measurement]) -> None:
    """Write a study of which nothing but the numbers is there."""
    generators = (f'[[generators]]\nuse = "simulated"\nname = "{name}"\noptions.size = {8 + place}\n'
                  for place, name in enumerate(models))  # fmt: skip
    (folder / "study.toml").write_text(STUDY + "".join(generators))
    (folder / "prompts.csv").write_text("text,term\na photo of one CEO,CEO\n")
    study = OpenStudy(folder)
    named = dict(zip(models, study.generators, strict=True))
    [annotator] = study.annotators
    stored = [replace(row, generator=named[row.generator], annotator=annotator) for row in rows]
    study.workspace.tables["measurements"].replace([to_table(stored, MEASUREMENT_SCHEMA)])


def _rows(models: list[str], each: int) -> list[Measurement]:
    rng = np.random.default_rng(3)
    topics = [(name, group) for name, groups in GROUPS.items() for group in groups]
    rows = []
    for model in models:
        images = rng.integers(IMAGES // 2, IMAGES * 3 // 2, each)
        shares = rng.beta(1, 2, each)
        for place in range(each):
            attribute, group = topics[place % len(topics)]
            n = int(images[place])
            seen = int(rng.binomial(n, shares[place])) / n
            item = f"term {place // len(topics)}"
            rows.append(
                Measurement(
                    "representation", "share", model, "eye", attribute=attribute, group=group, level="term", item=item,
                    value=seen, low=max(seen - 0.1, 0.0), high=min(seen + 0.1, 1.0), n=n, missing=n // 50, prompts=1,
                    worth=float(n), prompt_set=item,
                )
            )  # fmt: skip
    return rows


if __name__ == "__main__":
    main()
