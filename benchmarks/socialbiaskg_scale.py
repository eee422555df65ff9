"""How long the graphs of five models take at the published size: 1,579 prompts with 10 images each, once observed.

The images are simulated and have no pixels; how alike pairs of them are is written into the table at random, as
comparing is work of its own (see ssim.py). Timed is what ``portrayal measure`` does: evidence, metrics, intervals,
graphs and their comparison. It must take less than 60 seconds on 2 cores.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from portrayal.methods.socialbiaskg.vertices import read_vertices, schema
from portrayal.records import COMPARISON_SCHEMA
from portrayal.study.annotate.annotate_images import annotate
from portrayal.study.annotate.picture_pairs import picture_needs, pictures_table, structure_comparer
from portrayal.study.generate.generate_images import generate
from portrayal.study.measure.measure_study import measure
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

MODELS, PAIRS, SEED = 5, 292, 1
JOBS = '{ "{term}" = 0.9, none = 0.1 }'
STUDY = """\
[study]
title = "Scale"
[suite]
use = "socialbiaskg"
options.edges = "people.csv"
{generators}
[[annotators]]
use = "simulated"
options = {{ attributes = ["race11", "occupation"], accuracy = 0.95 }}
[[methods]]
use = "socialbiaskg"
options = {{ edges = "people.csv", similarity_weight = 1.0 }}
[generate]
batch = 2000
[annotate]
batch = 5000
"""
MODEL = """[[generators]]
use = "simulated"
images = 10
options = {{ pixels = false, obey = {obey}, shares = {{ race11 = {races}, occupation = {jobs} }} }}
"""


def write(folder: Path) -> None:
    """Write a study of five models and a table of edges between 292 pairs, of all types and directions."""
    rng, vertices = random.Random(SEED), read_vertices()
    pairs = [(own.name, group.name) for own in vertices.occupations for group in vertices.groups]
    rows = []
    for job, group in rng.sample(pairs, PAIRS):
        name = rng.choice(list(schema().types))
        there = rng.choice(schema().types[name]).startswith("occupation")
        ends = (f"occupation:{job}", f"race:{group}")
        rows.append(",".join((ends[not there], name, ends[there])))
    (folder / "people.csv").write_text("\n".join(["source,type,target", *rows, ""]), encoding="utf-8")
    names = [group.name for group in vertices.groups]
    models = []
    for number in range(MODELS):
        weights = np.random.default_rng(number).dirichlet(np.ones(len(names)))
        weights[-1] += 1 - weights.sum()
        races = ", ".join(f"{name} = {share:.17g}" for name, share in zip(names, weights.tolist(), strict=True))
        models.append(MODEL.format(obey=0.5 + number / 10, races=f"{{ {races} }}", jobs=JOBS))
    (folder / "study.toml").write_text(STUDY.format(generators="\n".join(models)), encoding="utf-8")


def compare(study: OpenStudy) -> int:
    """Write how alike pairs are, at random."""
    (need,) = picture_needs(study)
    pairs = pictures_table(study, need).select(["image", "other"])
    values = np.random.default_rng(SEED).uniform(0, 0.8, pairs.num_rows)
    columns = [
        *(pairs[name].combine_chunks() for name in ("image", "other")),
        pa.array([structure_comparer(need)] * pairs.num_rows),
        pa.array(values),
        pa.nulls(pairs.num_rows, pa.string()),
    ]
    study.workspace.tables["comparisons"].replace([pa.Table.from_arrays(columns, schema=COMPARISON_SCHEMA)])
    return int(pairs.num_rows)


def main() -> None:
    """Make the study, then time what measures it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        study, control = OpenStudy(folder), RunControl()
        plan(study, control)
        generate(study, control)
        annotate(study, control)
        compared = compare(study)
        study = OpenStudy(folder)
        start = time.perf_counter()
        found = measure(study, control)
        seconds = time.perf_counter() - start
        jobs, prompts = (study.workspace.tables[table].count() for table in ("jobs", "prompts"))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        print(f"prompts {prompts:,}; images {jobs:,}; pairs of images {compared:,}; measurements {len(found):,}")
        print(f"measure {seconds:.1f} s (goal: below 60); peak memory {memory:.0f} MB")
        sys.exit(0 if seconds < 60 else 1)


if __name__ == "__main__":
    main()
