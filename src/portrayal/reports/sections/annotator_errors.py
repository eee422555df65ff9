"""Shares beside what is left of them once the annotator's errors are put right, and what becomes of each finding."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.reports.corrected_share import WORST_FIRST, CorrectedShare, share_key
from portrayal.reports.data import ReportData
from portrayal.reports.findings.words.correction_words import becomes, corrected_text
from portrayal.reports.lookup import chart_groups
from portrayal.reports.section import section_of
from portrayal.reports.sections.corrected_numbers import CorrectedNumbers, difference_errors, score_errors
from portrayal.reports.text.wide_intervals import interval_text
from portrayal.reports.text.words import aspect_title, capital, count, human, percent

__all__ = ["AnnotatorErrors", "CorrectedLine", "annotator_errors"]

LISTED = 60


@dataclass(frozen=True, slots=True)
class CorrectedLine:
    """One share in a line of the table; ``matrix`` and ``sample`` are empty where it was not put right in that way."""

    about: str
    generator: str
    annotator: str
    seen: str
    matrix: str
    sample: str
    reference: str
    becomes: str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class AnnotatorErrors:
    """What the page says of the correction: in a sentence, then line by line; ``more`` are not listed.

    ``uneven`` names annotators and attributes whose errors differ too much for a confusion matrix, ``chosen`` those for
    which the labelled pictures were not chosen at random.
    """

    sentence: str
    lines: Sequence[CorrectedLine]
    more: int
    uneven: Sequence[str] = ()
    chosen: Sequence[str] = ()
    differences: CorrectedNumbers | None = None
    scores: CorrectedNumbers | None = None


def annotator_errors(data: ReportData) -> AnnotatorErrors | None:
    """Return what the correction changes; None where nothing is known of the annotators' errors by labels."""
    shares: dict[tuple[str, ...], dict[str, CorrectedShare]] = defaultdict(dict)
    for share in data.corrections:
        if share.change and share.seen.group in chart_groups(data.attributes[share.seen.attribute.rpartition(".")[2]]):
            shares[share_key(share.seen)][share.way] = share
    decided = [ways for ways in shares.values() if any(share.decides for share in ways.values())]
    uneven = [_whose(data, share) for share in data.corrections if share.uneven]
    chosen = [_whose(data, share) for share in data.corrections if share.chosen]
    if not decided and not uneven and not chosen:
        return None
    decided.sort(key=lambda ways: (WORST_FIRST.index(_decides(ways).change), -_moved(ways)))
    lines = [_line(data, ways) for ways in decided[:LISTED]]
    more = len(decided) - len(lines)
    return AnnotatorErrors(
        _sentence(decided),
        lines=lines,
        more=more,
        uneven=list(dict.fromkeys(uneven)),
        chosen=list(dict.fromkeys(chosen)),
        differences=difference_errors(data),
        scores=score_errors(data),
    )


def _whose(data: ReportData, share: CorrectedShare) -> str:
    title = aspect_title(share.seen.attribute.rpartition(".")[2], data.attributes)
    return f"{share.seen.annotator}, {title}"


def _decides(ways: Mapping[str, CorrectedShare]) -> CorrectedShare:
    return next(share for share in ways.values() if share.decides)


def _moved(ways: Mapping[str, CorrectedShare]) -> float:
    share = _decides(ways)
    return 1.0 if share.value is None else abs(share.value - (share.seen.value or 0.0))


def _sentence(decided: Sequence[Mapping[str, CorrectedShare]]) -> str:
    """Say how many findings survive; each is one interval that leaves its reference out, not corrected for all."""
    if not decided:
        return t("No share can be corrected by these labels.")
    changes = Counter(_decides(ways).change for ways in decided)
    before = changes["stands"] + changes["gone"] + changes["reversed"]
    if before:
        values = {"stand": count(changes["stands"]), "n": count(before)}
        said = t("Deviations from the reference that survive the correction: {stand} of {n}.", **values)
    else:
        said = t("Before the correction no share differs from its reference by its interval.")
    if changes["reversed"]:
        turned = t("{n|changes|change} to the other side of the reference.", n=changes["reversed"])
        said = f"{said} {turned}"
    if changes["appears"]:
        new = t("{n|deviation appears|deviations appear} only after it.", n=changes["appears"])
        said = f"{said} {new}"
    return said


def _line(data: ReportData, ways: Mapping[str, CorrectedShare]) -> CorrectedLine:
    share = _decides(ways)
    row = share.seen
    about = section_of(row.method).item(row)
    texts = {way: corrected_text(corrected) for way, corrected in ways.items()}
    return CorrectedLine(
        capital(f"{about} · {aspect_title(row.attribute, data.attributes)}: {human(row.group)}"),
        row.generator,
        annotator=row.annotator,
        seen=f"{percent(row.value or 0.0, row.n)} ({interval_text(row)})",
        matrix=texts.get("matrix", ""),
        sample=texts.get("sample", ""),
        reference=percent(row.target or 0.0, row.n),
        becomes=becomes(share.change),
        doubtful=share.change in ("gone", "reversed"),
    )
