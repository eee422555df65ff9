"""Chosen models side by side: what is said of them, a table, bars and a picture of all three scores at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from portrayal.apps.atlas.evaluations.columns import protocol_titles
from portrayal.apps.atlas.evaluations.normalised import ComparedRow, ModelComparison
from portrayal.apps.atlas.report.atlas_numbers import moving
from portrayal.apps.atlas.report.atlas_verdicts import named
from portrayal.csvfile import csv_text
from portrayal.language.translation import speaking, t
from portrayal.methods.atlas_part import ScoreKind
from portrayal.reports.charts.bar_chart import BarPanel, BarRow, draw_bars
from portrayal.reports.charts.cube_chart import Space, space
from portrayal.reports.charts.cube_chart_svg import draw_space
from portrayal.reports.charts.svg_canvas import picture
from portrayal.reports.text.words import capital, count, decimal, human, join

__all__ = ["CompareSection", "comparison_files", "comparison_pictures", "comparison_section", "comparison_table"]

DIGITS = 3
MANY_PROTOCOLS = 4


@dataclass(frozen=True, slots=True)
class CompareSection:
    """What the page shows of the chosen models."""

    sentences: Sequence[str]
    cautions: Sequence[str]
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    bars: Sequence[BarPanel]
    space: Space
    files: Sequence[str]
    """The files beside the page: the table, the bars, the picture."""


def comparison_section(chosen: ModelComparison, files: Sequence[str] = ()) -> CompareSection:
    """Return the section, in the language that is spoken."""
    return CompareSection(
        sentences=_sentences(chosen),
        cautions=_cautions(chosen),
        header=_header(chosen),
        rows=[_cells(chosen, place, row) for place, row in enumerate(chosen.rows, start=1)],
        bars=_bars(chosen),
        space=_space(chosen),
        files=files,
    )


def comparison_table(chosen: ModelComparison) -> tuple[list[str], list[list[object]]]:
    """Return the header and rows of a table for programs: numbers as they are."""
    names = [kind.name for kind in chosen.scores]
    about, origin = ["label", "model", "images"], ["protocol", "run", "source"]
    rows: list[list[object]] = [
        [
            row.label,
            row.evaluation.model,
            row.evaluation.images,
            *(row.evaluation.scores[name].value for name in names),
            *(row.normalised[name] for name in names),
            *(getattr(row.evaluation, name) for name in origin),
        ]
        for row in chosen.rows
    ]
    return [*about, *names, *(f"{name}_normalised" for name in names), *origin], rows


def comparison_pictures(chosen: ModelComparison, language: str = "en") -> dict[str, str]:
    """Return the two pictures as SVG by their names, each to be read alone."""
    with speaking(language, page=True):
        section = comparison_section(chosen)
        title = t("{n|chosen evaluation|chosen evaluations} side by side", n=len(chosen.rows))
        below = " ".join([_meaning(), *section.cautions])
        beside = t("Beside each bar: its length and, in brackets, the score itself.")
        key = [f"{place}  {row.label}" for place, row in enumerate(chosen.rows, start=1)]
        return {
            "bars": picture(title, f"{beside} {below}", partial(draw_bars, section.bars)),
            "space": picture(title, below, partial(draw_space, section.space, key)),
        }


def _meaning() -> str:
    return t("Each score is brought to 0 to 1 among the chosen: 1 is the most biased of them, 0 the least.")


def _short(kind: ScoreKind) -> str:
    return kind.symbol or human(kind.title)


def _sentences(chosen: ModelComparison) -> list[str]:
    """Say which model has the figure of most bias by each score, then what the numbers are."""
    said = []
    for kind in chosen.scores:
        values = [row.evaluation.scores[kind.name].value for row in chosen.rows]
        if len(set(values)) == 1:
            said.append(t("All chosen have the same {score}, {value}.", score=named(kind), value=_number(values[0])))
            continue
        if kind.by_images and chosen.images:
            continue  # the caution says why these are put in no order by it
        value = max(values) if kind.more_is_biased else min(values)
        names = [row.label for row, known in zip(chosen.rows, values, strict=True) if known == value]
        said.append(_extreme(names, named(kind), _number(value), highest=bool(kind.more_is_biased)))
    return [*said, _meaning()]


def _extreme(names: Sequence[str], score: str, value: str, *, highest: bool) -> str:
    if len(names) > 1:
        told = {"models": join(names), "score": score, "value": value}
        if highest:
            return t("{models} have the highest {score} of the chosen, {value}.", **told)
        return t("{models} have the lowest {score} of the chosen, {value}.", **told)
    if highest:
        return t("{model} has the highest {score} of the chosen, {value}.", model=names[0], score=score, value=value)
    return t("{model} has the lowest {score} of the chosen, {value}.", model=names[0], score=score, value=value)


def _cautions(chosen: ModelComparison) -> list[str]:
    said = []
    if len(chosen.protocols) > 1:
        more = len(chosen.protocols) - MANY_PROTOCOLS
        names = [
            title or t("No protocol named")
            for title in list(protocol_titles(chosen.protocols).values())[:MANY_PROTOCOLS]
        ]
        names += [t("and {n|other|others}", n=more)] if more > 0 else []
        said.append(
            t(
                "These evaluations asked other prompts, or measured in other ways, so differences between them may "
                "come from that: {names}.",
                names="; ".join(names),
            )
        )
    if chosen.images:
        said += moving(chosen.scores, chosen.images)
    if any(row.evaluation.scores[kind.name].low is None for row in chosen.rows for kind in chosen.scores):
        said.append(t("Some of these figures have no interval: small differences may be chance."))
    for label, without in chosen.left_out:
        lacking = join([human(name) for name in without])
        said.append(t("{model} is left out: it has no {names}.", model=label, names=lacking))
    return said


def _header(chosen: ModelComparison) -> list[str]:
    names = [capital(named(kind)) for kind in chosen.scores]
    short = [t("{score}, 0 to 1", score=_short(kind)) for kind in chosen.scores]
    return [t("No."), t("Model"), t("Images"), *names, *short]


def _cells(chosen: ModelComparison, place: int, row: ComparedRow) -> list[str]:
    names = [kind.name for kind in chosen.scores]
    return [
        str(place),
        row.label,
        t("not known") if row.evaluation.images is None else count(row.evaluation.images),
        *(_number(row.evaluation.scores[name].value) for name in names),
        *(decimal(row.normalised[name], 2) for name in names),
    ]


def _number(value: float) -> str:
    return decimal(value, DIGITS)


def _bars(chosen: ModelComparison) -> list[BarPanel]:
    """Return a chart for each score, the most biased first."""
    panels = []
    for series, kind in enumerate(chosen.scores):
        name = kind.name
        bars = []
        for row in chosen.rows:
            length, value = row.normalised[name], _number(row.evaluation.scores[name].value)
            bars.append(BarRow(row.label, length, f"{decimal(length, 2)} ({value})"))
        panels.append(BarPanel(capital(named(kind)), series, sorted(bars, key=lambda bar: (-bar.length, bar.label))))
    return panels


def _space(chosen: ModelComparison) -> Space:
    across, along, up = (kind.name for kind in chosen.scores)
    points = []
    for place, row in enumerate(chosen.rows, start=1):
        at = row.normalised
        said = ", ".join(f"{_short(kind)} {decimal(at[kind.name], 2)}" for kind in chosen.scores)
        points.append(((at[across], at[along], at[up]), str(place), f"{place}  {row.label}: {said}"))
    summary = t(
        "{n|evaluation|evaluations} by three scores at once; a line leads from each down to its place on the floor",
        n=len(chosen.rows),
    )
    axes = [t("{score}: 1 is the most biased", score=_short(kind)) for kind in chosen.scores]
    return space(t("All three scores at once"), summary, axes, points)


_NAME = "compare"


def comparison_files(chosen: ModelComparison, language: str = "en") -> dict[str, str]:
    """Return the files by name, the table as CSV and the pictures as SVG."""
    pictures = {f"{_NAME}-{name}.svg": svg for name, svg in comparison_pictures(chosen, language).items()}
    return {f"{_NAME}.csv": csv_text(*comparison_table(chosen)), **pictures}
