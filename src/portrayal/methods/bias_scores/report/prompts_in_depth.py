"""Prompt by prompt: the ones furthest from their reference, and the pairs that move the manifestation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import spoken, t
from portrayal.methods.bias_scores.report.benchmark_rows import ETA, IMPLICIT, Bench
from portrayal.methods.bias_scores.report.score_charts import compare, manifestation_chart, marked
from portrayal.methods.bias_scores.report.score_sentences import NEUTRAL
from portrayal.records import SIDES, Measurement
from portrayal.reports.charts.axes import centred_scale, share_scale
from portrayal.reports.charts.interval_chart import MAX_COLOURS, Figure
from portrayal.reports.charts.model_charts import Table, rows_of
from portrayal.reports.figures.named_figures import NamedChart
from portrayal.reports.lookup import Place, chart_groups
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import capital, human, known, running, score

__all__ = ["Depth", "Pairs", "in_depth", "leading_pairs"]

LOWEST = 5
PAIRS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Depth:
    """One prompt: its score by model in words, and the shares of every group beside the reference."""

    prompt: str
    why: str
    scores: Sequence[tuple[str, str]]
    chart: NamedChart


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs furthest from the middle of the axis, and how many there are in all."""

    shown: int
    total: int
    chart: NamedChart


def _mean(rows: Sequence[Measurement | None]) -> float | None:
    values = [row.value for row in rows if row and known(row.value) is not None and row.value is not None]
    return sum(values) / len(values) if values else None


def _scores(bench: Bench, attributes: Sequence[str], prompt: str) -> list[Measurement | None]:
    place = Place("prompt", prompt)
    return [row for attribute in attributes for row in bench.cells(IMPLICIT, attribute, place)]


def in_depth(bench: Bench, example: str = "") -> list[Depth]:
    """Return the implicit prompts with the lowest scores, and a paper's own ``example`` where it was asked."""
    attributes = bench.scored(IMPLICIT, "prompt")
    prompts = bench.items(IMPLICIT, "prompt")
    means = {prompt: _mean(_scores(bench, attributes, prompt)) for prompt in prompts}
    ranked = sorted((mean, prompt) for prompt, mean in means.items() if mean is not None)
    lowest = {prompt: _place(place, len(ranked)) for place, (_, prompt) in enumerate(ranked, start=1)}
    chosen = list(lowest)[:LOWEST]
    if example in lowest and example not in chosen:
        chosen.append(example)
    return [
        Depth(
            prompt,
            _why(lowest[prompt], is_example=prompt == example),
            _told(bench, attributes, prompt),
            _chart(bench, prompt, drawn),
        )
        for prompt in chosen
        if (drawn := _shares(bench, prompt))
    ]


def _chart(bench: Bench, prompt: str, drawn: Figure) -> NamedChart:
    title, marks = t("Groups drawn for “{text}”", text=prompt), t("share drawn")
    return NamedChart(f"prompt{bench.by} {prompt}", title, drawn, marks, annotator=bench.annotator)


def _place(place: int, total: int) -> str:
    """Return which place from below, said only from the second on."""
    if place == 1:
        return t("lowest of {n}", n=total)
    return t("{place} lowest of {n}", place=_ordinal(place), n=total)


def _ordinal(place: int) -> str:
    if spoken() != "en":
        return f"{place}."
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def _why(place: str, *, is_example: bool) -> str:
    return t("the paper’s example; {place}", place=place) if is_example else place


def _told(bench: Bench, attributes: Sequence[str], prompt: str) -> list[tuple[str, str]]:
    told = []
    for index, model in enumerate(bench.data.generators):
        parts = []
        for attribute in attributes:
            row = bench.cells(IMPLICIT, attribute, Place("prompt", prompt))[index]
            value = known(row.value) if row else None
            text = (
                t("no score")
                if row is None or value is None
                else score(value, row.low, row.high, row.corrected, sign(row))
            )
            parts.append(f"{running(bench.titled(attribute))} {text}" if attribute else text)
        told.append((model, ", ".join(parts)))
    return told


def _shares(bench: Bench, prompt: str) -> Figure | None:
    """Return each group's share beside the reference, one chart per attribute and, of two people, per side."""
    tables: dict[str, Table] = {}
    for name in bench.attributes:
        attribute = bench.attribute(name)
        # Many models get a chart per group, and of two groups one is the other's mirror image.
        every = not attribute or len(bench.data.generators) <= MAX_COLOURS
        groups = () if not attribute else attribute.groups if every else chart_groups(attribute)
        for aspect in (name, *(f"{side}.{name}" for side in SIDES)):
            table = [
                (capital(human(group)), bench.cells("share", aspect, Place("prompt", prompt), group))
                for group in groups
            ]
            if any(rows_of({"": table})):
                tables[bench.title(aspect)] = table
    return compare(bench, tables, "Group", share_scale(rows_of(tables)))


def leading_pairs(bench: Bench, variant: str) -> Pairs | None:
    """Return the pairs of prompts that move the manifestation factor most, over all models."""
    tables: dict[str, Table] = {}
    total = shown = 0
    for attribute in bench.scored(ETA, "pair"):
        rows = {item: bench.cells(ETA, attribute, Place("pair", item)) for item in bench.items(ETA, "pair")}
        means = {item: _mean(cells) for item, cells in rows.items()}
        valued = {item: mean for item, mean in means.items() if mean is not None}
        furthest = sorted(valued, key=lambda item: (-abs(valued[item] - NEUTRAL), item))[:PAIRS_SHOWN]
        ordered = sorted(furthest, key=lambda item: (-valued[item], item))
        tables[bench.title(attribute) if attribute else ""] = [
            (item, [marked(row) for row in rows[item]]) for item in ordered
        ]
        total, shown = max(total, len(rows)), max(shown, len(ordered))
    scale = centred_scale(rows_of(tables), NEUTRAL)
    drawn = compare(bench, tables, "Pair", scale, by_model=True)
    title = t("The pairs of prompts that move η most")
    chart = manifestation_chart(bench, "manifestation pairs", title, drawn, variant)
    return Pairs(shown, total, chart) if chart else None
