"""Distances from a reference before and after the annotator's errors are put right, the doubtful ones first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.numbers import decimal
from portrayal.language.translation import t
from portrayal.reports.corrected_score import CorrectedScore
from portrayal.reports.corrected_share import Change
from portrayal.reports.data import ReportData
from portrayal.reports.findings.words.correction_words import becomes
from portrayal.reports.section import section_of
from portrayal.reports.text.words import aspect_title, capital, count

__all__ = ["ScoreErrors", "ScoreLine", "score_errors"]

LISTED = 40
_ORDER: Sequence[Change] = ("reversed", "gone", "appears", "stands", "undecided")


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A distance in a line of the table."""

    about: str
    generator: str
    annotator: str
    seen: str
    corrected: str
    by: str
    becomes: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class ScoreErrors:
    """What the correction makes of distances: in a sentence, then line by line; ``more`` are not listed."""

    sentence: str
    lines: Sequence[ScoreLine]
    more: int


def score_errors(data: ReportData) -> ScoreErrors | None:
    """Return what the correction makes of distances from a reference; None where it corrects none.

    Differences and ratios say the same as the shares, and divergences as total variation, which pages show.
    """
    scores = [
        score for score in data.corrected_scores if score.decides and score.change and score.seen.metric in _titles()
    ]
    if not scores:
        return None
    scores.sort(key=lambda score: (_ORDER.index(score.change), score.seen.level != "overall"))
    lines = [_line(data, score) for score in scores[:LISTED]]
    return ScoreErrors(_sentence(Counter(score.change for score in scores)), lines, len(scores) - len(lines))


def _titles() -> dict[str, str]:
    return {
        "total_variation": t("total variation"),
        "mean_total_variation": t("mean total variation over terms"),
        "mean_absolute_deviation": t("mean absolute deviation over terms"),
    }


def _sentence(changes: Counter[Change]) -> str:
    before = changes["stands"] + changes["gone"]
    if before:
        values: dict[str, str | int] = {"stand": count(changes["stands"]), "n": count(before)}
        said = t("Distances from the reference that survive the correction: {stand} of {n}.", **values)
    else:
        said = t("As it was read, no distance from a reference is surely above 0.")
    if changes["appears"]:
        new = t("{n|distance appears|distances appear} only after it.", n=changes["appears"])
        said = f"{said} {new}"
    return said


def _line(data: ReportData, score: CorrectedScore) -> ScoreLine:
    row = score.seen
    title = f"{section_of(row.method).item(row)} · {aspect_title(row.attribute, data.attributes)}"
    return ScoreLine(
        capital(f"{title}: {_titles()[row.metric]}"),
        row.generator,
        annotator=row.annotator,
        seen=_text(row.value, row.low or 0.0, row.high if row.high is not None else 1.0),
        corrected=_text(score.value, score.low, score.high),
        by=t("confusion matrix") if score.way == "matrix" else t("labelled sample"),
        becomes=becomes(score.change),
        doubtful=score.change == "gone",
    )


def _text(value: float | None, low: float, high: float) -> str:
    """Return a distance with its interval; only how far it reaches where nothing says that there is any."""
    if low <= 0 or value is None:
        return t("at most {high}", high=decimal(high))
    return t("{value} ({low} to {high})", value=decimal(value), low=decimal(low), high=decimal(high))
