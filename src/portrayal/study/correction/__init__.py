"""Shares put right by what people said of a part of the images, from what the tables hold; needs no lock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from portrayal.reports.corrected_difference import CorrectedDifference
from portrayal.reports.corrected_share import CorrectedScore, CorrectedShare
from portrayal.study.correction.correct_differences import correct_differences
from portrayal.study.correction.correct_scores import correct_scores
from portrayal.study.correction.correct_shares import correct_shares
from portrayal.study.correction.labelled import chosen_labeller, labellers
from portrayal.study.study import OpenStudy

__all__ = [
    "corrected_differences",
    "corrected_scores",
    "corrected_shares",
    "reported_corrections",
    "reported_differences",
    "reported_scores",
]


def corrected_shares(study: OpenStudy, reference: str = "", labels_from: Sequence[Path] = ()) -> list[CorrectedShare]:
    """Return the shares of a measured study put right by labels.

    ``reference`` is whose word counts; without it the one that study.toml names, or the only ``imported:`` annotator.
    ``labels_from`` are other studies whose labels say how the same annotators err; without any those of study.toml.
    """
    return correct_shares(study, *_whose(study, reference, labels_from))


def corrected_differences(
    study: OpenStudy, shares: Sequence[CorrectedShare], reference: str = "", labels_from: Sequence[Path] = ()
) -> list[CorrectedDifference]:
    """Return the differences between models of shares that :func:`corrected_shares` put right by the same labels."""
    people, others = _whose(study, reference, labels_from)
    return correct_differences(study, people, shares, others)


def corrected_scores(
    study: OpenStudy, shares: Sequence[CorrectedShare], reference: str = "", labels_from: Sequence[Path] = ()
) -> list[CorrectedScore]:
    """Return the scores that follow from shares that :func:`corrected_shares` put right by the same labels."""
    people, others = _whose(study, reference, labels_from)
    return correct_scores(study, people, shares, others)


def reported_differences(study: OpenStudy, shares: Sequence[CorrectedShare]) -> list[CorrectedDifference]:
    """Return what the report shows of differences, of the shares that it shows."""
    return corrected_differences(study, shares) if shares else []


def reported_scores(study: OpenStudy, shares: Sequence[CorrectedShare]) -> list[CorrectedScore]:
    """Return what the report shows of scores, of the shares that it shows."""
    return corrected_scores(study, shares) if shares else []


def reported_corrections(study: OpenStudy) -> list[CorrectedShare]:
    """Return what the report shows: nothing where nobody labelled, or where it is not said whose word counts."""
    if len(labellers(study)) == 1 or _named(study):
        return corrected_shares(study)
    return []


def _whose(study: OpenStudy, reference: str, labels_from: Sequence[Path]) -> tuple[str, list[OpenStudy]]:
    """Return whose word counts in this study, and the others whose labels count, too."""
    others = [OpenStudy.to_read(folder) for folder in labels_from or _named(study)]
    people = chosen_labeller(study, reference) if reference or labellers(study) or not others else ""
    return people, others


def _named(study: OpenStudy) -> list[Path]:
    return [study.root / folder for folder in study.config.report.labels_from]
