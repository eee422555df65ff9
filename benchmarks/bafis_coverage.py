"""Do BAFIS's intervals hold what was planted? Studies in miniature, through the method's own code.

python benchmarks/bafis_coverage.py [--repetitions 300] [--occupations 2 3 5 10 24 151] [--jobs 2]

Each repetition is a study: occupations new in each, with a share of women of their own in every language and way of
asking, four images of each prompt. Half of an occupation's leaning is its own and shared by both sides of a pair, and
images with the same seed share their chance to a degree. Pictures of groups show one to six people, who resemble each
other. What is true of *these* occupations is the mean over those drawn; of occupations *like these* it is the mean
over all there could be.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from portrayal.evidence import (
    Design,
    Differences,
    Evidence,
    GroupCounts,
    Paired,
    PeopleByPicture,
    PictureSums,
    Plan,
    SeedPairs,
)
from portrayal.methods.bafis.method import Bafis, BafisOptions
from portrayal.methods.by_language.paired import Side as Base
from portrayal.methods.by_language.paired import couples
from portrayal.records import Measurement, Prompt, attribute_table
from portrayal.stats.intervals import Array

Side = tuple[str, str]
Scores = dict[tuple[str, str], list[tuple[float, float]]]

IMAGES, DRAWS, GROUP = 4, 300, 6
OCCUPATIONS = (2, 3, 5, 10, 24, 151)
SIDES: dict[Side, float] = {
    ("en", "direct"): 0.35,
    ("de", "direct"): 0.25,
    ("de", "indirect"): 0.4,
    ("de", "feminine"): 0.97,
    ("en", "group"): 0.4,
    ("de", "group"): 0.3,
}
METRICS = ("share", "paired_difference")


@dataclass(frozen=True, slots=True)
class Setting:
    """How far occupations differ (the smaller, the further; 0: each has 0 or 1), and how often equal seeds agree."""

    name: str
    scatter: float
    agree: float = 0.5


SETTINGS = (
    Setting("little", 20.0),
    Setting("much", 3.0),
    Setting("all or nobody", 0.0),
    Setting("little, equal seeds agree", 20.0, 1.0),
)


def leanings(occupations: int, scatter: float, rng: np.random.Generator) -> dict[Side, Array]:
    """Return the share of women of every occupation by side: a beta distribution about the side's mean."""
    ranks = rng.random(occupations)
    found = {}
    for side, mean in SIDES.items():
        rank = np.where(rng.random(occupations) < 0.5, ranks, rng.random(occupations))
        if scatter:
            pool = np.sort(rng.beta(scatter * mean, scatter * (1 - mean), size=4000))
            found[side] = pool[(rank * len(pool)).astype(int)]
        else:
            found[side] = (rank > 1 - mean).astype(float)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The people of every picture of a side: women and all, by occupation and image."""

    women: Array
    people: Array


def draw(side: Side, shares: Array, setting: Setting, common: Array, rng: np.random.Generator) -> Drawn:
    """Return who is shown; three in ten pictures of a group show people of one gender only."""
    chance = np.where(rng.random(common.shape) < setting.agree, common, rng.random(common.shape))
    if side[1] != "group":
        return Drawn((chance < shares[:, None]).astype(float), np.ones(common.shape))
    people = rng.integers(1, GROUP + 1, common.shape)
    each = np.where(rng.random(common.shape) < 0.3, people * (chance < shares[:, None]),
                    rng.binomial(people, shares[:, None]))  # fmt: skip
    return Drawn(each.astype(float), people.astype(float))


def study(method: Bafis, shares: dict[Side, Array], setting: Setting, rng: np.random.Generator) -> Evidence:
    """Return what one study would have added up."""
    occupations = len(shares["en", "direct"])
    prompts = {(side, t): Prompt(f"{side} {t}", f"t{t}", variant=side[1], language=side[0],
                                 people=0 if side[1] == "group" else 1)
               for side, t in product(SIDES, range(occupations))}  # fmt: skip
    common = rng.random((occupations, IMAGES))
    drawn = {side: draw(side, shares[side], setting, common, rng) for side in SIDES}
    places = {prompt.id: place for place, prompt in enumerate(prompts.values())}
    parts = {prompt.id: Drawn(drawn[side].women[t], drawn[side].people[t]) for (side, t), prompt in prompts.items()}
    pairs = {}
    for x, y in couples(prompts.values(), Base("en", "direct")):
        apart = np.outer(parts[x].women / parts[x].people - parts[y].women / parts[y].people, (-1, 1))
        pairs[places[x], places[y]] = Differences(IMAGES, apart.sum(axis=0), (apart**2).sum(axis=0))
    every = list(parts.values())
    counts = np.array([[(own.people - own.women).sum(), own.women.sum()] for own in every])
    design = Design({prompt.id: prompt for prompt in prompts.values()}, attribute_table(), {"a": ["gender"]})
    planned = np.full(len(prompts), IMAGES)
    results = {
        GroupCounts: {("a", "gender"): counts},
        PeopleByPicture: {("a", "gender"): _pictures(every, planned)},
        SeedPairs: Paired(dict.fromkeys(pairs, IMAGES), {("a", "gender"): pairs}),
    }
    cells = [("g", prompt.id) for prompt in prompts.values()]
    return Evidence.given(Plan(design, cells, planned, planned), method.needs, results)


def _pictures(drawn: list[Drawn], planned: Array) -> PictureSums:
    by_group = [np.column_stack([own.people - own.women, own.women]) for own in drawn]
    return PictureSums(
        planned.astype(np.int64),
        np.array([(own.people**2).sum() for own in drawn]).astype(np.int64),
        np.array([(own**2).sum(axis=0) for own in by_group]).astype(np.int64),
        np.array([(own * all_.people[:, None]).sum(axis=0) for own, all_ in zip(by_group, drawn, strict=True)]).astype(
            np.int64
        ),
    )


def scores(occupations: int, setting: Setting, seed: int) -> Iterator[tuple[str, str, float, float]]:
    """Yield of each interval of one study what it is about, whether it holds the truth, and its width."""
    rng = np.random.default_rng([occupations, int(setting.scatter), int(10 * setting.agree), seed])
    method = Bafis(BafisOptions(draws=DRAWS), Path())
    shares = leanings(occupations, setting.scatter, rng)
    here = {side: float(values.mean()) for side, values in shares.items()}
    for row in method.measure(study(method, shares, setting, rng), rng=rng):
        if row.metric not in METRICS or row.group != "female" or row.level != "overall" or not row.variant:
            continue
        about = f"{row.metric}, groups" if "group" in (row.variant, row.reference.partition(" ")[2]) else row.metric
        for kind, low, high, values in (
            ("these", row.low, row.high, here),
            ("like these", row.like_low, row.like_high, SIDES),
        ):
            if low is not None and high is not None:
                yield about, kind, float(low - 1e-9 <= truth(row, values) <= high + 1e-9), high - low


def truth(row: Measurement, shares: dict[Side, float]) -> float:
    """Return what a row about women should show."""
    value = shares[row.language, row.variant]
    if row.metric == "share":
        return value
    language, _, variant = row.reference.partition(" ")
    return value - shares[language, variant]


def repeat(task: tuple[int, Setting, range]) -> Scores:
    """Return the scores of some repetitions, by what they are about and of which occupations."""
    occupations, setting, seeds = task
    found: Scores = defaultdict(list)
    for seed in seeds:
        for about, kind, held, width in scores(occupations, setting, seed):
            found[about, kind].append((held, width))
    return dict(found)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--occupations", type=int, nargs="+", default=list(OCCUPATIONS))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("| metric | of occupations | occupations | differ | coverage % | mean width |")
    print("| --- | --- | --- | --- | --- | --- |")
    with ProcessPoolExecutor(options.jobs) as pool:
        for occupations, setting in product(options.occupations, SETTINGS):
            parts = [range(start, options.repetitions, options.jobs) for start in range(options.jobs)]
            found: Scores = defaultdict(list)
            for part in pool.map(repeat, [(occupations, setting, seeds) for seeds in parts]):
                for key, values in part.items():
                    found[key] += values
            for (about, kind), runs in found.items():
                held, width = np.mean(runs, axis=0)
                print(
                    f"| {about} | {kind} | {occupations} | {setting.name} | {100 * held:.1f} | {width:.3f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
