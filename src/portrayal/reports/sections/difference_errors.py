"""Differences between models before and after the annotator's errors are put right, those that do not survive first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.models_compared import compare_models
from portrayal.reports.comparisons.words.corrected_words import corrected_difference_text, place_of
from portrayal.reports.comparisons.words.difference_words import about, difference_ends
from portrayal.reports.corrected_difference import CorrectedDifference, change_of, differences_by_place
from portrayal.reports.corrected_share import Change
from portrayal.reports.data import ReportData, in_order
from portrayal.reports.findings.words.correction_words import becomes
from portrayal.reports.text.words import aspect_title, capital, count, human

__all__ = ["DifferenceErrors", "DifferenceLine", "difference_errors"]

LISTED = 40
_ORDER: Sequence[Change] = ("reversed", "gone", "appears", "stands", "undecided")


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A difference between two models in a line of the table."""

    about: str
    models: str
    seen: str
    corrected: str
    by: str
    becomes: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class DifferenceErrors:
    """What the correction makes of differences: in a sentence, then line by line; ``more`` are not listed."""

    sentence: str
    lines: Sequence[DifferenceLine]
    more: int


def difference_errors(data: ReportData) -> DifferenceErrors | None:
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
    changes.sort(key=lambda one: (_ORDER.index(one[2]), -abs(one[0].value)))
    lines = [_line(data, *one) for one in changes[:LISTED]]
    return DifferenceErrors(_sentence(Counter(change for _, _, change in changes)), lines, len(changes) - len(lines))


def _sentence(changes: Counter[Change]) -> str:
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


def _line(data: ReportData, difference: Difference, after: CorrectedDifference, change: Change) -> DifferenceLine:
    row = difference.one
    return DifferenceLine(
        capital(f"{about(row, data.attributes)} · {aspect_title(row.attribute, data.attributes)}: {human(row.group)}"),
        models=t("{one} less {other}", one=row.generator, other=difference.other.generator),
        seen=difference_ends(difference),
        corrected=corrected_difference_text(after),
        by=t("confusion matrix") if after.way == "matrix" else t("labelled sample"),
        becomes=becomes(change),
        doubtful=change in ("gone", "reversed"),
    )
