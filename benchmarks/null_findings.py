"""How often the first screen of a report tells a finding where there is none; prints the table of docs/validity.md.

python -m benchmarks.null_findings [--studies 400] [--eta 60] [--only NAME ...]

Each study is drawn from a truth that deviates from nothing, or lies exactly at the threshold from which on something
counts; its comparisons get the p-values that pages use, and are corrected for together. The last rows are the other
way round: one share of a study lies as far off its reference as the page says that one must.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.biaspainter import NULLS, simulated
from benchmarks.faintbench_coverage import Scenario, draw, suite
from benchmarks.tbyb_coverage import study as captions

from portrayal.methods.biaspainter.scores import ATTRIBUTES, score_words
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.report.section import FaintbenchSection
from portrayal.methods.representation.report.section import RepresentationSection
from portrayal.methods.socialbiaskg.scores import ratio
from portrayal.methods.tbyb.report.section import TbybSection
from portrayal.metrics import object_scores, total_variation
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData
from portrayal.reports.deviation import Ranked, Ranking
from portrayal.reports.first import FALSE_ALARMS, first_screen
from portrayal.reports.places import standings
from portrayal.stats.cells import PromptShares, share_intervals
from portrayal.stats.differences import difference_intervals
from portrayal.stats.distances import mean_divergence
from portrayal.stats.multiple import benjamini_hochberg
from portrayal.stats.target import share_p

Study = Callable[[np.random.Generator], bool]
GENDER = attribute_table()["gender"]


def page(rows: list[Measurement], prompts: int, **more: Any) -> ReportData:
    """Return the data of a page about one model and one annotator."""
    asked = [(f"term {number}", "", f"a term {number}") for number in range(prompts)]
    return ReportData("T", ["g"], ["a"], asked, 1, {"gender": GENDER}, rows, {}, {}, **more)


def shares(rng: np.random.Generator, terms: int, images: int, planted: float = 0.5) -> ReportData:
    """Return terms of which half of the images show each of two groups, as the reference says; one may be planted."""
    truth = [planted, *[0.5] * (terms - 1)]
    seen = np.array([[1 - own, own] for own in rng.binomial(images, truth) / images])
    cells = [(f"term {own}", "term", PromptShares.of(seen[own : own + 1], [images])) for own in range(terms)]
    rows = []
    for item, level, cell in [*cells, ("", "overall", PromptShares.of(seen, [images] * terms))]:
        low, high = difference_intervals(cell, np.array([0.5, 0.5]), rng=rng, draws=200)
        bounds = {"value": float(cell.share[1]), "low": float(low[1]) + 0.5, "high": float(high[1]) + 0.5}
        about: dict[str, Any] = {"level": level, "item": item, "n": cell.n, "prompts": cell.prompts, **bounds}
        rows.append(Measurement("representation", "share", "g", "a", "gender", "female", target=0.5, **about))
    return page(rows, terms)


def any_share(rng: np.random.Generator, terms: int, images: int) -> bool:
    """Return whether a page of shares tells any deviation."""
    data = shares(rng, terms, images)
    return bool(first_screen(data, RepresentationSection().deviations(data), ()).clear)


def needed(rng: np.random.Generator, terms: int, images: int) -> bool:
    """Return whether a share is told that lies as far off its reference as one must, by what pages say."""
    even = shares(np.random.default_rng(0), terms, images)
    deviations = list(RepresentationSection().deviations(even))
    (one, *_) = (own for own in deviations if not own.broad and own.least)
    assert one.least
    size = min(one.least(FALSE_ALARMS / len(deviations)))
    data = shares(rng, terms, images, 0.5 + size)
    told = first_screen(data, RepresentationSection().deviations(data), ()).told
    return any(own.about.startswith("Term 0 ") for own in told)


def any_word(rng: np.random.Generator, prompts: int, words: int, correlation: float) -> bool:
    """Return whether a page of captions tells a word; every word is uninvited in one of twenty captions."""
    images = np.full(prompts, 3.0)
    often = np.full((prompts, words), 0.05)
    if correlation:
        often = rng.beta(0.05 / correlation - 0.05, 0.95 / correlation - 0.95, (prompts, words))
    table = rng.binomial(3, often).astype(float)
    cell = PromptShares.of(table / 3, images, images)
    low, high = share_intervals(cell)
    rows = [
        {"generator": "g", "annotator": "a", "word": f"w{own}", "images": int(table[:, own].sum()),
         "share": float(cell.share[own]), "low": float(low[own]), "high": float(high[own])}
        for own in range(words) if table[:, own].any()
    ]  # fmt: skip
    data = page([], prompts, own_rows={"tbyb.uninvited": rows})
    return bool(first_screen(data, TbybSection().deviations(data), ()).clear)


def any_edit(rng: np.random.Generator, words: int, seeds: int) -> bool:
    """Return whether a page of edits tells a word; no word does anything."""
    faces, found = simulated(words, seeds, rng), []
    for name in ATTRIBUTES:
        own = score_words(faces, name, null=range(words, words + NULLS), draws=200, rng=rng).relative
        assert own is not None
        holds = (own.low <= 0) & (own.high >= 0)
        found.append(np.where(holds, 1.0, own.p))
    adjusted = benjamini_hochberg(np.concatenate(found))
    return bool((adjusted[~np.isnan(adjusted)] <= FALSE_ALARMS).any())


def any_dominance(rng: np.random.Generator, images: int) -> bool:
    """Return whether a page of relations tells a dominance: two of 11 groups lie at the threshold, at 100 jobs."""
    ps = []
    for _ in range(100):
        for seen in rng.multinomial(images, [0.4, 0.4, 0.2])[:2].tolist():
            own = ratio(seen, images)
            assert own.value is not None
            assert own.low is not None
            assert own.high is not None
            found = own.value > 0.4
            ps.append(share_p(own.value, own.low, own.high, 0.4, images) if found else 1.0)
    looked = 100 * (11 + 2)
    return bool((benjamini_hochberg(ps + [1.0] * (looked - len(ps))) <= FALSE_ALARMS).any())


def any_eta(repetition: int) -> tuple[bool, float]:
    """Return whether the manifestation factor is told of a generator that follows the reference, and its truth."""
    method = Faintbench(FaintbenchOptions(profile="plain"), Path())
    evidence = draw(method, Scenario("follows", 10, 0), repetition)
    rows = [
        row for row in method.measure(evidence, rng=np.random.default_rng(repetition)) if isinstance(row, Measurement)
    ]
    data = ReportData("T", list({row.generator for row in rows}), ["exact"], [], 10, {}, rows, {}, {})
    etas = [row for row in rows if row.metric == "manifestation" and row.level == "overall" and not row.attribute]
    told = first_screen(data, (own for own in FaintbenchSection().deviations(data) if own.broad), ()).clear
    return bool(told), float(etas[0].planted or np.nan)


def any_order(rng: np.random.Generator, few: int, many: int) -> bool:
    """Return whether two models with the same fair shares of three groups are put in order by their distance."""
    models = []
    for name, images in (("few", few), ("many", many)):
        seen = rng.multinomial(images, [1 / 3] * 3, size=8) / images
        cell = PromptShares.of(seen, [images] * 8)
        value, own = mean_divergence(cell, np.full(3, 1 / 3), total_variation, rng=rng, draws=200)
        models.append(Ranked(name, value, min(own.low, value), max(own.high, value), ""))
    return any(own.apart for own in standings([Ranking("Distance", models, "")]))


def any_score_order(rng: np.random.Generator, prompts: int) -> bool:
    """Return whether two equal models are put in order by any of TBYB's four scores."""
    drawn = [object_scores(captions(rng, prompts, 0.1), draws=200, rng=rng) for _ in range(2)]
    rankings = []
    for name in ("hallucination", "misses", "distribution", "log"):
        scores = [getattr(own, name) for own in drawn]
        rankings.append(Ranking(name, [Ranked(str(n), s.value, s.low, s.high, "") for n, s in enumerate(scores)], ""))
    return any(own.apart for own in standings(rankings))


def scenarios() -> Mapping[str, Study]:
    """Return what is drawn, by name."""
    return {
        "shares: 12 terms of 24 images": lambda rng: any_share(rng, 12, 24),
        "shares: 30 terms of 8 images": lambda rng: any_share(rng, 30, 8),
        "TBYB: 60 prompts, 40 words in 5 % of captions": lambda rng: any_word(rng, 60, 40, 0.0),
        "TBYB: the same, prompts differ (correlation 0.2)": lambda rng: any_word(rng, 60, 40, 0.2),
        "BiasPainter: 40 words that do nothing, 18 faces": lambda rng: any_edit(rng, 40, 18),
        "BiasPainter: 40 words that do nothing, 54 faces": lambda rng: any_edit(rng, 40, 54),
        "SocialBiasKG: dominance at its threshold, 10 images": lambda rng: any_dominance(rng, 10),
        "SocialBiasKG: dominance at its threshold, 30 images": lambda rng: any_dominance(rng, 30),
        "order of two equal models, 16 and 16 images": lambda rng: any_order(rng, 16, 16),
        "order of two equal models, 2 and 80 images": lambda rng: any_order(rng, 2, 80),
        "order of two equal models by TBYB's scores, 60 prompts": lambda rng: any_score_order(rng, 60),
        "told at the size needed: 12 terms of 24 images": lambda rng: needed(rng, 12, 24),
        "told at the size needed: 30 terms of 60 images": lambda rng: needed(rng, 30, 60),
    }


def counted(study: Study, studies: int) -> Iterator[bool]:
    """Yield what each study tells; seeds follow from the number of the study."""
    return (study(np.random.default_rng([18, number])) for number in range(studies))


def main() -> None:
    """Print a row for each kind of study."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--eta", type=int, default=60, help="studies of FAIntbench's manifestation factor")
    parser.add_argument("--only", nargs="*", default=[], help="beginnings of the names of rows")
    options = parser.parse_args()
    wanted = tuple(options.only) or ("",)
    print("| study | studies | told % |\n| --- | --- | --- |")
    for name, study in scenarios().items():
        if name.startswith(wanted):
            told = sum(counted(study, options.studies))
            print(f"| {name} | {options.studies} | {100 * told / options.studies:.1f} |", flush=True)
    if options.eta and "FAIntbench η".startswith(wanted):
        found = [any_eta(number) for number in range(options.eta)]
        name = f"FAIntbench η: {len(suite(0))} prompts of 10 images that follow the reference"
        print(f"| {name} (true η {np.nanmean([own for _, own in found]):.3f}) | {options.eta} | "
              f"{100 * sum(told for told, _ in found) / options.eta:.1f} |")  # fmt: skip


if __name__ == "__main__":
    main()
