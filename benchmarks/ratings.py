"""Seconds for rating a million votes, beside a plain loop of Algorithm 1 and the library evalica, in the same run.

python benchmarks/ratings.py [--votes 1000000] [--draws 1000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import evalica
import numpy as np

from portrayal.apps.arena.ratings import Votes, bradley_terry, elo, parse_votes_csv
from portrayal.apps.arena.ratings.bootstrap import resample_strengths
from portrayal.apps.arena.ratings.bradley_terry import strengths
from portrayal.apps.arena.ratings.votes import CategoricalColumn
from portrayal.apps.arena.ratings.win_counts import count_wins

WINNERS = (evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)


def plain(rows: list[tuple[str, str, int]]) -> dict[str, float]:
    """Return Elo as Algorithm 1 is printed: the baseline."""
    rating: dict[str, float] = {}
    for a, b, vote in rows:
        one, two = rating.setdefault(a, 1000.0), rating.setdefault(b, 1000.0)
        expect_a = 1 / (1 + 10 ** ((two - one) / 400))
        expect_b = 1 / (1 + 10 ** ((one - two) / 400))
        score = 1.0 if vote == 0 else 0.0 if vote == 1 else 0.5
        rating[a] += 4 * (score - expect_a)
        rating[b] += 4 * ((1 - score) - expect_b)
    return rating


def cast(votes: int, models: int, raters: int) -> Votes:
    """Return random votes between models of even steps in strength; no column of raters for 0."""
    rng = np.random.default_rng([votes, models, raters])
    first = rng.integers(models, size=votes)
    second = (first + rng.integers(1, models, size=votes)) % models
    strength = np.linspace(-1, 1, models)
    chance = 1 / (1 + np.exp(strength[second] - strength[first]))
    outcome = np.where(rng.random(votes) < chance, 0, 1)
    outcome[rng.random(votes) < 0.2] = 2
    who = CategoricalColumn(tuple(map(str, range(raters))), rng.integers(raters, size=votes)) if raters else None
    return Votes(tuple(f"model-{m}" for m in range(models)), first, second, outcome, {"rater": who} if who else {})


def timed(what: str, work: Callable[[], Any]) -> Any:
    """Print how long ``work`` takes and return its result."""
    begin = time.perf_counter()
    result = work()
    print(f"{time.perf_counter() - begin:8.2f} s  {what}", flush=True)
    return result


def main() -> None:
    """Print the seconds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--votes", type=int, default=1_000_000)
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    votes = cast(given.votes, 50, 1000)
    names, raters = np.array(votes.models), votes.columns["rater"].codes
    a, b = names[votes.first].tolist(), names[votes.second].tolist()
    rows = list(zip(a, b, votes.outcome.tolist(), strict=True))
    print(f"{given.votes} votes, 50 models")
    ours = timed("elo(tuples)", lambda: elo(rows))
    timed("elo(Votes)", lambda: elo(votes))
    base = timed("baseline: plain loop of Algorithm 1", lambda: plain(rows))
    winners = [WINNERS[outcome] for outcome in votes.outcome.tolist()]
    other = timed("evalica.elo", lambda: evalica.elo(a, b, winners)).scores.to_dict()
    print(f"           largest difference: {max(abs(ours[m] - base[m]) for m in base):.1e} to the loop, "
          f"{max(abs(ours[m] - other[m]) for m in base):.1e} to evalica")  # fmt: skip
    timed("bradley_terry(tuples)", lambda: bradley_terry(rows))
    timed("bradley_terry(Votes)", lambda: bradley_terry(votes))
    timed("evalica.bradley_terry", lambda: evalica.bradley_terry(a, b, winners))
    lines = "\n".join(f"{x},{y},{z},r{r}" for (x, y, z), r in zip(rows, raters.tolist(), strict=True))
    data = f"model_a,model_b,vote,rater\n{lines}\n".encode()
    timed("parse_votes_csv", lambda: parse_votes_csv(data, "votes.csv"))
    for models in (5, 50):
        for count in (0, 1000, 100_000):
            votes = cast(given.votes, models, count)
            found = strengths(count_wins(votes))
            what = f"{given.draws} bootstrap draws, {models} models, {count or 'no'} raters"
            timed(what, partial(resample_strengths, votes, found, "half", given.draws, np.random.default_rng(0)))


if __name__ == "__main__":
    main()
