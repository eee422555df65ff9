"""How often an atlas states a trend or difference where there is none, and how often it finds one that is planted.

python benchmarks/atlas_null.py [--repetitions 1000]

The tables of docs/validity.md. Scores, dates, kinds, schedulers and popularity are drawn independently of each other; a
table *states* something when any verdict of its page does. "Uncorrected": the same questions at 5 % each.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from portrayal.apps.atlas.evaluations.columns import Columns
from portrayal.apps.atlas.evaluations.verdicts import About, Question, State, Verdict, answers, questions
from portrayal.methods.atlas_part import derived
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation, ModelInfo, Score
from portrayal.stats.intervals import Array

KINDS = ("foundation", "photo realism", "animation", "art")
UNEQUAL, EVEN = (0.1, 0.5, 0.25, 0.15), (0.25, 0.25, 0.25, 0.25)
SCHEDULERS = ("PNDM", "Euler", "DDIM", "DPM-Solver multistep", "LMS", "Heun", "LCM")
FEW_EACH = (0.5, 0.25, 0.1, 0.06, 0.04, 0.03, 0.02)
Scores = Callable[[int, np.random.Generator], dict[str, Array]]


def plain(models: int, rng: np.random.Generator) -> dict[str, Array]:
    """Draw scores as the released ones scatter."""
    return {
        "distribution_bias": rng.lognormal(1.7, 0.2, models),
        "jaccard_hallucination": rng.normal(0.67, 0.04, models).clip(0, 0.99),
        "miss_rate": rng.exponential(0.015, models).clip(0, 0.99),
    }


def tied(models: int, rng: np.random.Generator) -> dict[str, Array]:
    """Draw scores of which most are equal: a miss rate of 0, others rounded to one digit."""
    scores = plain(models, rng)
    missed = np.where(rng.random(models) < 0.7, 0.0, scores["miss_rate"])
    rounded = scores["distribution_bias"].round(), scores["jaccard_hallucination"].round(1)
    return dict(zip(scores, (*rounded, missed), strict=True))


def heavy(models: int, rng: np.random.Generator) -> dict[str, Array]:
    """Draw scores with a few that lie far out."""
    scores = plain(models, rng)
    scores["distribution_bias"] = rng.lognormal(1.7, 1.0, models)
    scores["miss_rate"] = (0.002 * rng.pareto(1.2, models)).clip(0, 0.99)
    return scores


def sparse(models: int, rng: np.random.Generator) -> dict[str, Array]:
    """Return one score for all, but for eight models."""
    scores = equal(models, rng)
    for name in ("jaccard_hallucination", "miss_rate"):
        scores[name][rng.choice(models, 8, replace=False)] = rng.uniform(0.2, 0.9, 8)
    return scores


def equal(models: int, rng: np.random.Generator) -> dict[str, Array]:
    """Return one score for all."""
    values = dict(zip(plain(1, rng), (5.1, 0.7, 0.1), strict=True))
    return {name: np.full(models, value) for name, value in values.items()}


def table(
    models: int, scores: Scores, rng: np.random.Generator, kinds: tuple[float, ...] = UNEQUAL, slope: float = 0.0
) -> Columns:
    """Return a table of models; the hallucination of all rises by ``slope`` a year."""
    drawn, month = scores(models, rng), np.sort(rng.integers(0, 30, models))
    drawn["jaccard_hallucination"] = (drawn["jaccard_hallucination"] + slope * month / 12).clip(0, 0.99)
    infos = [
        ModelInfo(
            f"m/{place:03d}",
            str(rng.choice(KINDS, p=kinds)),
            str(rng.choice(SCHEDULERS, p=FEW_EACH)),
            created=f"{2022 + month[place] // 12}-{month[place] % 12 + 1:02d}",
            likes=int(rng.lognormal(4, 1.5)),
            downloads=int(rng.lognormal(7, 2)),
        )
        for place in range(models)
    ]
    rows = [
        Evaluation(info.model, derived({name: Score(float(values[place])) for name, values in drawn.items()}))
        for place, info in enumerate(infos)
    ]
    return Columns.of(AtlasRows().joined(rows, infos), "")


def page(columns: Columns, score: str = "") -> tuple[list[Verdict], list[Question]]:
    """Return the verdicts of a page, and the questions behind them."""
    asked = questions(columns, columns.compared_score(score))
    verdicts, _ = answers([asked])
    return verdicts[0], asked


def stated(verdicts: list[Verdict]) -> bool:
    """Return whether a page states any trend or difference."""
    return any(verdict.state is State.found for verdict in verdicts)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    print("| models | scores | comparisons, median | uncorrected, % | states something, % |")
    print("| --- | --- | --- | --- | --- |")
    for models in (24, 103):
        for scores in (plain, tied, heavy, sparse, equal):
            null(models, scores, repetitions)
    print("\n| models | rise a year, in standard deviations | found, % | said to rise, % | median margin |")
    print("| --- | --- | --- | --- | --- |")
    for models in (24, 103):
        for slope in (0.25, 0.5, 1.0, 1.5, 2.0):
            planted(models, slope, repetitions // 2)


def null(models: int, scores: Scores, repetitions: int) -> None:
    """Print how often tables without any trend or difference state one."""
    rng = np.random.default_rng(models)
    corrected, single, tests = 0, 0, []
    for _ in range(repetitions):
        verdicts, asked = page(table(models, scores, rng))
        corrected += stated(verdicts)
        single += stated([question.answer(1) for question in asked])
        tests.append(sum(question.closed is None for question in asked))
    rates = [f"{100 * number / repetitions:.1f}" for number in (single, corrected)]
    print(f"| {models} | {scores.__name__} | {np.median(tests):g} | {rates[0]} | {rates[1]} |", flush=True)


def planted(models: int, slope: float, repetitions: int) -> None:
    """Print how often a rise of the hallucination is found, and what pages say would have shown where it is not."""
    rng = np.random.default_rng([models, int(100 * slope)])
    found, margins = [], []
    for _ in range(repetitions):
        verdicts, _ = page(table(models, plain, rng, slope=slope * 0.04), "jaccard_hallucination")
        trend = next(own for own in verdicts if own.about is About.time and own.group is None)
        found.append(trend.value if trend.state is State.found else None)
        margins.append(trend.margin / 0.04 if trend.margin else np.nan)
    shown = [value for value in found if value is not None]
    rates = 100 * len(shown) / repetitions, 100 * sum(value > 0 for value in shown) / repetitions
    print(f"| {models} | {slope} | {rates[0]:.0f} | {rates[1]:.0f} | {np.median(margins):.2f} |", flush=True)


if __name__ == "__main__":
    main()
