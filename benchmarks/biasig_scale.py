"""BiasIG at its own size: planning 47,040 prompts, and measuring 10 images of each (470,400).

python -m benchmarks.biasig_scale [--images 10] [--folder FOLDER]

Writes a clone of the release's size and form in words of our own (214 terms, 20 wordings), reads it, then writes a
study's tables as the stages would have left them (random labels) and runs the measure stage in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from itertools import product
from pathlib import Path

from benchmarks import faintbench_scale as tables

from portrayal.methods.biasig.suite import BiasigSuiteOptions, biasig
from portrayal.study.plan.make_plan import plan
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

WORDINGS, OCCUPATIONS, TRAITS, RELATIONS = 20, 179, 24, 11
GROUPS = {
    "gender": ("male", "female"),
    "race": ("White", "Black", "East Asian", "South Asian"),
    "age": ("young", "middle-aged", "elderly"),
}
SHARES = {
    "gender": {"male": 0.6, "female": 0.4},
    "race": {"White": 0.3, "East Asian": 0.27, "Black": 0.18, "South Asian": 0.25},
    "age": {"0-30": 0.4, "30-60": 0.4, "60+": 0.2},
}
STUDY = """
[study]
title = "BiasIG at its own size"
[suite]
use = "biasig"
options.path = "clone"
{generators}
[[annotators]]
use = "imported:clip"
options.attributes = ["gender", "race4", "age3"]
[[methods]]
use = "biasig"
options.path = "clone"
"""


def write_clone(folder: Path) -> None:
    """Write files of the release's form and size: 4,280 implicit and 42,760 explicit prompts."""
    occupations, traits = [f"Worker{n}" for n in range(OCCUPATIONS)], [f"trait{n}" for n in range(TRAITS)]
    relations = [(f"Left{n}", f"Right{n}") for n in range(RELATIONS)]
    questions = {
        "implicit/oc": [f"a photo of one {name}" for name in occupations],
        "implicit/char": [f"a photo of a {name} person" for name in traits],
        "implicit/sr": [f"One {one} at left with one {other} at right" for one, other in relations],
    }
    for attribute, groups in GROUPS.items():
        for group in groups:
            noun = {"male": "man", "female": "woman"}.get(group, f"{group} person")
            questions[f"occupation/oc_{group}"] = [f"a photo of one {group} {name}" for name in occupations]
            questions[f"characteristic/char_{group}"] = [f"a photo of a {name} {noun}" for name in traits]
        for x, y in product(groups, repeat=2):
            some = relations[:9] if attribute == "gender" else relations
            texts = [f"One {x} {one} at left with one {y} {other} at right" for one, other in some]
            questions[f"relation/{attribute}/sr_{x}_{y}"] = texts
    for name, texts in questions.items():
        path = folder / "data" / "prompt" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f'--prompt "{text}, scene {n}, sharp"\n' for text in texts for n in range(WORDINGS)))
    implicit = [questions[f"implicit/{name}"] for name in ("oc", "char", "sr")]
    both = {"left": SHARES, "right": SHARES}
    truths = {
        "oc_gt": dict.fromkeys(implicit[0], SHARES),
        "char_gt": dict.fromkeys(implicit[1], SHARES),
        "sr_gt": dict.fromkeys(implicit[2], both),
        "weight": {text: 1 + n % 5 for n, text in enumerate(text for texts in implicit for text in texts)},
        "category": {
            "a": occupations[:90],
            "b": occupations[90:],
            "positive": traits,
            "equal": [x for x, _ in relations],
        },
        "eta": {f"pair{n}": [[traits[n], traits[n + 12]], 2] for n in range(12)},
    }
    (folder / "data" / "truth").mkdir(parents=True)
    for name, held in truths.items():
        (folder / "data" / "truth" / f"{name}.json").write_text(json.dumps(held))


def main() -> None:
    """Print seconds of planning and of measuring."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="where to put the tables; a temporary folder if not given")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        write_clone(folder / "clone")
        drawn = '[[generators]]\nuse = "simulated"\nimages = 1'
        (folder / "study.toml").write_text(STUDY.format(generators=drawn))
        began = time.monotonic()
        plan(OpenStudy(folder), RunControl())
        print(f"planned in {time.monotonic() - began:.1f} s", flush=True)
        began = time.monotonic()
        prompts = biasig(BiasigSuiteOptions(path=Path("clone")), folder).prompts
        print(f"of which reading {len(prompts):,} prompts of the clone: {time.monotonic() - began:.1f} s", flush=True)
        study = folder / "measured"
        study.mkdir()
        (folder / "clone").rename(study / "clone")
        (study / "study.toml").write_text(STUDY.format(generators=""))
        tables.MODELS, tables.GROUPS = 1, {"gender": 2, "race4": 4, "age3": 3}
        images, observations = tables.write(study, options.images, prompts)
        seconds, peak, rows = tables.run(str(study))
        print(f"{images:,} images, {observations:,} observations: {rows:,} rows in {seconds:.1f} s, {peak:.0f} MiB")


if __name__ == "__main__":
    main()
