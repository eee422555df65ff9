"""What the first screen of a report says where the truth is known; prints the tables of docs/validity.md.

python -m benchmarks.first_screen [--studies 400] [--eta 60] [--only NAME ...]

Studies are drawn from a truth, and looked at as a page does: which deviations are said openly, and how many of them
are true. Where nothing deviates, or everything lies exactly at the threshold from which on it counts, none should be.
In the other tables some terms are planted off their reference.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.biaspainter import NULLS, simulated
from benchmarks.faintbench_coverage import Scenario, draw, suite

from portrayal.methods.biaspainter.scores import ATTRIBUTES, score_words
from portrayal.methods.faintbench.method import Faintbench
from portrayal.methods.faintbench.options import FaintbenchOptions
from portrayal.methods.faintbench.report.section import FaintbenchSection
from portrayal.methods.representation.report.section import RepresentationSection
from portrayal.methods.tbyb.report.section import TbybSection
from portrayal.records import Measurement, attribute_table
from portrayal.reports import ReportData
from portrayal.reports.findings.deviations.deviation import Counted, Deviation, Statement, Test
from portrayal.reports.findings.deviations.selection import Selection, select
from portrayal.reports.findings.power import reach
from portrayal.stats.shares.cells import PromptShares, share_intervals, worth
from portrayal.stats.targets.target import NumberTest, ShareTest

Study = Callable[[np.random.Generator], bool]
GENDER = attribute_table()["gender"]


@dataclass(frozen=True)
class Terms:
    """Some terms: how many, of how many prompts and images of each, what they show and what the reference says."""

    number: int
    images: int
    share: float = 0.5
    target: float = 0.5
    prompts: int = 1
    spread: float = 0.0
    """The intraclass correlation of a term's prompts; the mean of their shares is ``share``."""

    @property
    def planted(self) -> bool:
        """Whether they deviate."""
        return self.share != self.target


def blank(test: Test) -> Deviation:
    """Return a comparison that nobody puts into words."""
    return Deviation("g", (str(id(test)),), test, False, lambda: Statement("", "", "", ()))


def sure(deviations: Iterable[Deviation]) -> list[Deviation]:
    """Return what a page says openly."""
    selection = select(list(deviations))
    return [own for own in selection.in_order if selection.is_sure(own)]


def page(rows: Sequence[Measurement], prompts: int, **more: Any) -> ReportData:
    """Return the data of a page about one model and one annotator."""
    asked = [(f"term {number}", "", f"a term {number}") for number in range(prompts)]
    return ReportData("T", ["g"], ["a"], asked, 1, {"gender": GENDER}, rows, {}, {}, **more)


def study(rng: np.random.Generator, *kinds: Terms) -> tuple[Selection, list[bool]]:
    """Return the comparisons of a study, and which of them are planted; the last is over all prompts."""
    cells, targets, planted = [], [], []
    for kind in kinds:
        for _ in range(kind.number):
            truths = _prompts(rng, kind)
            seen = rng.binomial(kind.images, truths) / kind.images
            cells.append(PromptShares.of(np.column_stack([1 - seen, seen]), [kind.images] * kind.prompts))
            targets.append(kind.target)
            planted.append(kind.planted)
    rows = [
        _row(cell, target, f"term {place}") for place, (cell, target) in enumerate(zip(cells, targets, strict=True))
    ]
    data = page(rows, len(rows))
    return select(list(RepresentationSection().deviations(data))), planted


def _prompts(rng: np.random.Generator, kind: Terms) -> np.ndarray:
    if not kind.spread or not 0 < kind.share < 1:
        return np.full(kind.prompts, kind.share)
    size = 1 / kind.spread - 1
    drawn = rng.beta(kind.share * size, (1 - kind.share) * size, kind.prompts)
    # These prompts' own mean is the truth, so it is set to what was planted.
    moved = drawn + kind.share - drawn.mean()
    return np.asarray(moved if ((moved >= 0) & (moved <= 1)).all() else np.full(kind.prompts, kind.share))


def _row(cell: PromptShares, target: float, item: str) -> Measurement:
    low, high = share_intervals(cell)
    return Measurement(
        "representation", "share", "g", "a", "gender", "female", "term", item, "even", float(cell.share[1]),
        float(low[1]), float(high[1]), target, n=cell.n, prompts=cell.prompts, worth=float(worth(cell)[1]),
    )  # fmt: skip


NULL: Mapping[str, Sequence[Terms]] = {
    "12 terms of 24 images": [Terms(12, 24)],
    "30 terms of 8 images": [Terms(30, 8)],
    "100 terms of 60 images, reference 5 %": [Terms(100, 60, 0.05, 0.05)],
    "12 terms of 8 prompts x 30 images that differ": [Terms(12, 30, prompts=8, spread=0.3)],
    "20 terms of 4, 20 of 40, 20 of 400 images": [Terms(20, 4), Terms(20, 40), Terms(20, 400)],
    "two methods: 12 terms twice": [Terms(12, 24), Terms(12, 24, 0.3, 0.3)],
}
PLANTED: Mapping[str, Sequence[Terms]] = {
    "30 small on target, 10 large 15 points off": [Terms(30, 8), Terms(10, 100, 0.65)],
    "80 small on target, 20 large 10 points off": [Terms(80, 10), Terms(20, 300, 0.6)],
    "40 tiny on a 10 % target, 20 large 5 points off": [Terms(40, 6, 0.1, 0.1), Terms(20, 400, 0.15, 0.1)],
    "180 on target, 60 large 6 points off": [Terms(180, 30, 0.3, 0.3), Terms(60, 500, 0.36, 0.3)],
    "29 on target, one 30 points off": [Terms(29, 24), Terms(1, 24, 0.8)],
    "11 on target, one shows women only": [Terms(11, 30, prompts=8), Terms(1, 30, 1.0, prompts=8)],
}


def any_word(rng: np.random.Generator, prompts: int, words: int, correlation: float) -> bool:
    """Return whether a page of captions tells a word; every word is uninvited in one of twenty captions."""
    images = np.full(prompts, 3.0)
    often = np.full((prompts, words), 0.05)
    if correlation:
        often = rng.beta(0.05 / correlation - 0.05, 0.95 / correlation - 0.95, (prompts, words))
        often = np.minimum(often * 0.05 / often.mean(axis=0), 1.0)  # the truth is that of these prompts
    table = rng.binomial(3, often).astype(float)
    cell = PromptShares.of(table / 3, images, images)
    low, high = share_intervals(cell)
    rows = [
        {"generator": "g", "annotator": "a", "word": f"w{own}", "images": int(table[:, own].sum()),
         "share": float(cell.share[own]), "low": float(low[own]), "high": float(high[own])}
        for own in range(words) if table[:, own].any()
    ]  # fmt: skip
    data = page([], prompts, own_rows={"tbyb.uninvited": rows})
    return bool(sure(TbybSection().deviations(data)))


def any_edit(rng: np.random.Generator, words: int, seeds: int) -> bool:
    """Return whether a page of edits shows a word; no word does anything."""
    faces, tests = simulated(words, seeds, rng), []
    for name in ATTRIBUTES:
        scores = score_words(faces, name, null=range(words, words + NULLS), draws=200, rng=rng).relative
        assert scores is not None
        numbers = zip(scores.value, scores.low, scores.high, scores.p, strict=True)
        tests += [NumberTest(float(own), float(low), float(high), 0.0, exact=float(p)) for own, low, high, p in numbers]
    return bool(sure(blank(test) for test in tests if not np.isnan(test.value)))


def any_dominance(rng: np.random.Generator, images: int) -> bool:
    """Return whether a page of relations shows a dominance: two of 11 groups lie at the threshold, at 100 jobs."""
    tests = [
        ShareTest(seen / images, images, 0.4)
        for _ in range(100)
        for seen in rng.multinomial(images, [0.4, 0.4, 0.2])[:2].tolist()
        if seen / images > 0.4
    ]
    looked = 100 * (11 + 2)
    return bool(sure([*(blank(test) for test in tests), *(blank(Counted()) for _ in range(looked - len(tests)))]))


def any_eta(repetition: int) -> tuple[bool, float]:
    """Return whether the manifestation factor is told of a generator that follows the reference, and its truth."""
    method = Faintbench(FaintbenchOptions(profile="plain"), Path())
    evidence = draw(method, Scenario("follows", 10, 0), repetition)
    rows = [
        row for row in method.measure(evidence, rng=np.random.default_rng(repetition)) if isinstance(row, Measurement)
    ]
    data = ReportData("T", list({row.generator for row in rows}), ["exact"], [], 10, {}, rows, {}, {})
    etas = [row for row in rows if row.metric == "manifestation" and row.level == "overall" and not row.attribute]
    shown = sure(own for own in FaintbenchSection().deviations(data) if own.broad)
    return bool(shown), float(etas[0].planted or np.nan)


def nothing_planted(studies: int) -> None:
    """Print how often a page says anything openly where nothing deviates."""
    print("| study | studies | pages that show a deviation openly, % | that list a possible one, % |")
    print("| --- | --- | --- | --- |")
    for name, kinds in NULL.items():
        drawn = [study(np.random.default_rng([26, number]), *kinds)[0] for number in range(studies)]
        openly = sum(any(own.is_sure(found) for found in own.found) for own in drawn)
        listed = sum(bool(own.found) for own in drawn)
        print(f"| {name} | {studies} | {100 * openly / studies:.1f} | {100 * listed / studies:.1f} |", flush=True)
    for name, told in methods().items():
        shown = sum(told(np.random.default_rng([18, number])) for number in range(studies))
        print(f"| {name} | {studies} | {100 * shown / studies:.1f} | |", flush=True)


def something_planted(studies: int) -> None:
    """Print how many deviations that pages show or list are false, and how many of those planted are shown."""
    print("| study | first one false, % | openly shown false, % | listed false, % | planted that are shown, % |")
    print("| --- | --- | --- | --- | --- |")
    for name, kinds in PLANTED.items():
        first, openly, listed, power = [], [], [], []
        for number in range(studies):
            selection, planted = study(np.random.default_rng([27, number]), *kinds)
            true = {own.subject: fact for own, fact in zip(selection.compared, planted, strict=True)}
            order = [(selection.is_sure(own), true[own.subject]) for own in selection.in_order]
            shown = [fact for certain, fact in order if certain]
            first += [not fact for fact in shown[:1]]
            openly += [not fact for fact in shown[:3]]
            listed += [not fact for _, fact in order]
            power.append(sum(shown) / sum(planted))
        rates = [100 * float(np.mean(own)) if own else 0.0 for own in (first, openly, listed, power)]
        print(f"| {name} | " + " | ".join(f"{rate:.1f}" for rate in rates) + " |", flush=True)


def stereotypes(studies: int) -> None:
    """Print how often a term is shown openly by how biased it is and by how many images it has."""
    print("| true share of one term of 12 (8 prompts each) | 1 image a prompt | 3 | 10 | 30 |")
    print("| --- | --- | --- | --- | --- |")
    for share in (0.6, 0.7, 0.85, 0.95, 0.98, 0.99, 1.0):
        rates = []
        for images in (1, 3, 10, 30):
            kinds = (Terms(1, images, share, prompts=8, spread=0.1), Terms(11, images, prompts=8, spread=0.1))
            shown = 0
            for number in range(studies):
                selection, _ = study(np.random.default_rng([28, number]), *kinds)
                shown += selection.is_sure(selection.compared[0])
            rates.append(f"{100 * shown / studies:.0f}")
        print(f"| {share} | " + " | ".join(rates) + " |", flush=True)


def stated(studies: int) -> None:
    """Print how often deviations of the sizes that a page states are found."""
    print("| study | said to be found in half of cases: points, found % | four in five | nine in ten |")
    print("| --- | --- | --- | --- |")
    for terms, images, target in ((12, 24, 0.5), (30, 60, 0.5), (12, 100, 0.1), (100, 50, 0.9), (3, 240, 0.3)):
        even, _ = study(np.random.default_rng(0), Terms(terms, images, target, target))
        found = reach(even.compared, even.threshold, 0.1)
        assert found is not None
        side = 1 if target <= 0.5 else -1
        cells = []
        for size in (found.half, found.mostly, found.nearly):
            kinds = (Terms(1, images, target + side * size, target), Terms(terms - 1, images, target, target))
            drawn = [study(np.random.default_rng([29, number]), *kinds)[0] for number in range(studies)]
            rate = np.mean([own.is_sure(own.compared[0]) for own in drawn])
            cells.append(f"{100 * size:.0f}, {100 * rate:.0f}")
        print(f"| {terms} terms of {images} images, reference {target} | " + " | ".join(cells) + " |", flush=True)


def methods() -> Mapping[str, Study]:
    """Return studies of other methods in which nothing deviates, by name."""
    return {
        "TBYB: 60 prompts, 40 words in 5 % of captions": lambda rng: any_word(rng, 60, 40, 0.0),
        "TBYB: the same, prompts differ (correlation 0.2)": lambda rng: any_word(rng, 60, 40, 0.2),
        "BiasPainter: 40 words that do nothing, 18 faces": lambda rng: any_edit(rng, 40, 18),
        "BiasPainter: 40 words that do nothing, 54 faces": lambda rng: any_edit(rng, 40, 54),
        "SocialBiasKG: dominance at its threshold, 10 images": lambda rng: any_dominance(rng, 10),
        "SocialBiasKG: dominance at its threshold, 30 images": lambda rng: any_dominance(rng, 30),
    }


def main() -> None:
    """Print the tables."""
    tables = {"null": nothing_planted, "planted": something_planted, "stereotypes": stereotypes, "stated": stated}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=400)
    parser.add_argument("--eta", type=int, default=60, help="studies of FAIntbench's manifestation factor")
    parser.add_argument("--only", nargs="*", choices=[*tables, "eta"], default=[*tables, "eta"])
    options = parser.parse_args()
    for name, table in tables.items():
        if name in options.only:
            print(f"\n### {name}\n")
            table(options.studies)
    if options.eta and "eta" in options.only:
        shown = [any_eta(number) for number in range(options.eta)]
        rate, truth = 100 * np.mean([own for own, _ in shown]), np.mean([truth for _, truth in shown])
        print(f"\nFAIntbench's eta, {len(suite(0))} prompts of 10 images on the reference ({truth:.3f}): {rate:.1f} %")


if __name__ == "__main__":
    main()
