"""Differences between models and distances from a reference before and after the annotator's errors are put right.

Those that do not survive come first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.numbers import decimal
from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.models_compared import compare_models
from portrayal.reports.comparisons.words.corrected_words import corrected_difference_text, place_of
from portrayal.reports.comparisons.words.difference_words import about, difference_ends
from portrayal.reports.corrected_difference import CorrectedDifference, change_of, differences_by_place
from portrayal.reports.corrected_share import WORST_FIRST, Change, CorrectedScore, Way
from portrayal.reports.data import ReportData, in_order
from portrayal.reports.findings.words.correction_words import becomes
from portrayal.reports.section import section_of
from portrayal.reports.text.wide_intervals import SIGN
from portrayal.reports.text.words import aspect_title, capital, count, human

__all__ = ["CorrectedNumbers", "difference_errors", "score_errors"]

LISTED = 40


@dataclass(frozen=True, slots=True)
class CorrectedNumber:
    """A number in a line of a table; ``models`` is the one that it is about, or both."""

    about: str
    models: str
    annotator: str
    seen: str
    corrected: str
    by: str
    becomes: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class CorrectedNumbers:
    """What the correction makes of numbers: in a sentence, then line by line; ``more`` are not listed."""

    sentence: str
    lines: Sequence[CorrectedNumber]
    more: int


def difference_errors(data: ReportData) -> CorrectedNumbers | None:
    """Return what the correction makes of the differences that the page compares; None where it corrects none."""
    corrected = differences_by_place(data.corrected_differences)
    compared = None
    if corrected:
        models = in_order(data, data.generators)
        compared = compare_models(
            data.measurements, models, data.tolerance, data.attributes, pairing=data.pairing, within=data.missing_within
        )
    if compared is None:
        return None
    compared_shares = (each for each in compared.every() if is_share(each.one) and each.low == each.low)
    known = [(each, after) for each in compared_shares if (after := corrected.get(place_of(each)))]
    if not known:
        return None
    changes = [(each, after, change_of(after, each.low, each.high)) for each, after in known]
    changes.sort(key=lambda one: (WORST_FIRST.index(one[2]), -abs(one[0].value)))
    lines = [_difference_line(data, *one) for one in changes[:LISTED]]
    said = _differences_survive(Counter(change for _, _, change in changes))
    return CorrectedNumbers(said, lines, len(changes) - len(lines))


def score_errors(data: ReportData) -> CorrectedNumbers | None:
    """Return what the correction makes of distances from a reference; None where it corrects none.

    Differences and ratios say the same as the shares, and divergences as total variation, which pages show.
    """
    scores = [
        score for score in data.corrected_scores if score.decides and score.change and score.seen.metric in _titles()
    ]
    if not scores:
        return None
    scores.sort(key=lambda score: (WORST_FIRST.index(score.change), score.seen.level != "overall"))
    lines = [_score_line(data, score) for score in scores[:LISTED]]
    said = _distances_survive(Counter(score.change for score in scores))
    return CorrectedNumbers(said, lines, len(scores) - len(lines))


def _differences_survive(changes: Counter[Change]) -> str:
    before = changes["stands"] + changes["gone"] + changes["reversed"]
    if not before:
        said = t("As it was read, no difference between models excludes 0 by its own interval.")
    else:
        values: dict[str, str | int] = {"stand": count(changes["stands"]), "n": count(before)}
        said = t("Differences between models that survive the correction: {stand} of {n}.", **values)
    if changes["appears"]:
        new = t("{n|difference appears|differences appear} only after it.", n=changes["appears"])
        said = f"{said} {new}"
    return said


def _distances_survive(changes: Counter[Change]) -> str:
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


def _difference_line(
    data: ReportData, difference: Difference, after: CorrectedDifference, change: Change
) -> CorrectedNumber:
    row = difference.one
    return CorrectedNumber(
        capital(f"{about(row, data.attributes)} · {aspect_title(row.attribute, data.attributes)}: {human(row.group)}"),
        models=t("{one} less {other}", one=row.generator, other=difference.other.generator),
        annotator=row.annotator,
        seen=difference_ends(difference),
        corrected=corrected_difference_text(after),
        by=_by(after.way),
        becomes=becomes(change),
        doubtful=change in ("gone", "reversed"),
    )


def _score_line(data: ReportData, score: CorrectedScore) -> CorrectedNumber:
    row = score.seen
    title = f"{section_of(row.method).item(row)} · {aspect_title(row.attribute, data.attributes)}"
    return CorrectedNumber(
        capital(f"{title}: {_titles()[row.metric]}"),
        models=row.generator,
        annotator=row.annotator,
        seen=_distance(row.value, row.low or 0.0, row.high if row.high is not None else 1.0),
        corrected=_distance(score.value, score.low, score.high) + (SIGN if score.wide else ""),
        by=_by(score.way),
        becomes=becomes(score.change),
        doubtful=score.change == "gone",
    )


def _titles() -> dict[str, str]:
    return {
        "total_variation": t("total variation"),
        "mean_total_variation": t("mean total variation over terms"),
        "mean_absolute_deviation": t("mean absolute deviation over terms"),
    }


def _by(way: Way) -> str:
    return t("confusion matrix") if way == "matrix" else t("labelled sample")


def _distance(value: float | None, low: float, high: float) -> str:
    """Return a distance with its interval; only how far it reaches where nothing says that there is any."""
    if low <= 0 or value is None:
        return t("at most {high}", high=decimal(high))
    return t("{value} ({low} to {high})", value=decimal(value), low=decimal(low), high=decimal(high))
