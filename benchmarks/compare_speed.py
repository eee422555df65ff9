"""How long it takes to compare seven models on all of FAIntbench: on measurement rows of that shape.

python benchmarks/compare_speed.py [--models 7] [--rows 93576]

The rows are made up: as many as ``portrayal measure`` writes for 14.9 million images, every one the share of a
perceived group in the pictures of a term, about 1,100 of them. That is the worst case, for every row is compared by its
counts; FAIntbench's scores are compared by their intervals, which is faster. Pictures are not paired: of so many
answers that is not tried (docs/compare.md).
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from portrayal.api.rows.comparison import Differences
from portrayal.records import Attribute, Measurement
from portrayal.reports.comparisons.models_compared import compare_models
from portrayal.reports.comparisons.models_view import models_view
from portrayal.reports.data import ReportData

GROUPS = {
    "gender": ("male", "female"),
    "race": ("white", "black", "asian", "indian"),
    "age": ("young", "middle", "old"),
}
IMAGES = 159 * 7


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
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB")


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
