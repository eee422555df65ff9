"""How often the intervals of arena ratings hold the truth, by simulation; prints the table of docs/validity.md.

python benchmarks/arena_coverage.py [--repetitions 300] [--draws 1000] [--jobs 2]

Raters have strengths of their own about the common ones (sd 0.5 in log odds for each model), lean to a side of the
screen (sd 0.5) and call a draw in a share of battles of their own (15 % on average). The truth is what Bradley-Terry
gives for endlessly many such raters. Beside the bootstrap by rater stands one by vote, which takes a rater's votes for
independent.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product

import numpy as np

from portrayal.apps.arena.ratings.bradley_terry import strengths, to_rating
from portrayal.apps.arena.ratings.rate import RateOptions, rate_votes
from portrayal.apps.arena.ratings.votes import CategoricalColumn, Votes
from portrayal.apps.arena.ratings.win_counts import count_wins
from portrayal.stats.intervals import Array

STRENGTH = np.array([0.8, 0.4, 0.0, 0.0, -1.2])  # the third and fourth are equal: how often are they told apart?
OWN, SIDE, DRAWS = 0.5, 0.5, 0.15
RATERS, VOTES = (5, 10, 20, 50), (10, 30, 100)
MODELS = tuple(f"m{number}" for number in range(len(STRENGTH)))


@dataclass(frozen=True, slots=True)
class Task:
    """One cell of the table."""

    raters: int
    votes: int
    repetitions: int
    draws: int


def cast(raters: int, votes: int, rng: np.random.Generator) -> Votes:
    """Return ``votes`` votes by each of so many raters."""
    models = len(STRENGTH)
    own = STRENGTH + rng.normal(0, OWN, size=(raters, models))
    lean, drawish = rng.normal(0, SIDE, size=raters), rng.beta(3, 17, size=raters)
    who = np.repeat(np.arange(raters), votes)
    first = rng.integers(models, size=len(who))
    second = (first + rng.integers(1, models, size=len(who))) % models
    chance = 1 / (1 + np.exp(own[who, second] - own[who, first] - lean[who]))
    outcome = np.where(rng.random(len(who)) < chance, 0, 1)
    outcome = np.where(rng.random(len(who)) < drawish[who], 2, outcome)
    return Votes(MODELS, first, second, outcome, {"rater": CategoricalColumn(tuple(map(str, range(raters))), who)})


def truth() -> Array:
    """Return the ratings that very many raters would give."""
    return strengths(count_wins(cast(1_000_000, 10, np.random.default_rng(7)))).rating


def simulate(task: Task) -> tuple[Task, Array]:
    """Return coverage and width by rater and by vote, and how often equal neighbours are told apart."""
    rng = np.random.default_rng([task.raters, task.votes])
    target = truth()
    runs = np.array([_run(task, target, rng) for _ in range(task.repetitions)])
    return task, np.nanmean(runs, axis=0)


def _run(task: Task, target: Array, rng: np.random.Generator) -> list[float]:
    votes = cast(task.raters, task.votes, rng)
    alone = Votes(votes.models, votes.first, votes.second, votes.outcome)
    found: list[float] = []
    for given in (votes, alone):
        (section,) = rate_votes(given, RateOptions(draws=task.draws, orders=1), rng=rng).sections
        rows = sorted(section.ratings, key=lambda row: row.model)
        low, high = np.array([row.low for row in rows]), np.array([row.high for row in rows])
        equal = [n.p for n in section.neighbours if {n.higher, n.lower} == {"m2", "m3"}]
        apart = float(equal[0] < 0.05) if equal else np.nan
        found += [float(((low <= target) & (target <= high)).mean()), float((high - low).mean()), apart]
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    print(
        f"Truth: {', '.join(f'{value:.0f}' for value in truth())} (from {to_rating(STRENGTH).round()}, less own views)."
    )
    print(
        "| raters | votes each | by rater: coverage % | width | equal told apart % "
        "| by vote: coverage % | width | told apart % |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    tasks = [Task(raters, votes, given.repetitions, given.draws) for raters, votes in product(RATERS, VOTES)]
    with ProcessPoolExecutor(given.jobs) as pool:
        for task, mean in pool.map(simulate, tasks):
            cells = [f"{value:.0f}" if place % 3 == 1 else f"{100 * value:.1f}" for place, value in enumerate(mean)]
            print(f"| {task.raters} | {task.votes} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
