"""Scores in sentences: what each model scored, and what keeps a score from being there."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.language.translation import t
from portrayal.methods.bias_scores.report.benchmark_rows import ETA, EXPLICIT, HARD, IMPLICIT, Bench
from portrayal.records import Measurement
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import count, images, join, known, plural, running, score

__all__ = ["NEUTRAL", "findings", "leanings", "reading"]

NEUTRAL = 0.5


def leanings(variant: str) -> tuple[str, str] | None:
    """Return what lies below and above the middle of the axis: only in one variant do the paper's two words apply."""
    if variant == "definition":
        return t("ignorance"), t("discrimination")
    return (t("opposite ways"), t("same way")) if variant else None


def _readings(variant: str) -> tuple[str, str]:
    if variant == "definition":
        return t("more ignorance than discrimination"), t("more discrimination than ignorance")
    if variant:
        return t("pairs mostly stray opposite ways"), t("pairs mostly stray the same way")
    return t("below the middle"), t("above the middle")


def findings(bench: Bench, variant: str) -> list[tuple[str, list[Summary]]]:
    """Return, for each model, one finding for each of the three results."""
    return [
        (model, [_score(bench, IMPLICIT, index), _score(bench, EXPLICIT, index), _eta(bench, index, variant)])
        for index, model in enumerate(bench.data.generators)
    ]


def _score(bench: Bench, metric: str, index: int) -> Summary:
    row = bench.cells(metric)[index]
    title = t("Implicit bias score") if metric == IMPLICIT else t("Explicit bias score")
    hard = bench.cells(HARD)[index] if metric == EXPLICIT else None
    counted = t(" Counting whole images: {score}.", score=_bounded(hard)) if _has(hard) else ""
    basis = _basis(bench, row) if _has(row) else _basis_by_attribute(bench, metric, index)
    return Summary(title, _sentence(row), _by_attribute(bench, metric, index) + counted, basis, _why(row))


def _eta(bench: Bench, index: int, variant: str) -> Summary:
    row = bench.cells(ETA)[index]
    sentence = f"{_bounded(row)}: {reading(row, variant)}." if row and _has(row) else _sentence(row)
    pairs = t("{prompts} in pairs.", prompts=_asked(bench, row.prompts)) if row and row.prompts else ""
    return Summary(t("Manifestation factor η"), sentence, _by_attribute(bench, ETA, index), pairs, _why(row))


def reading(row: Measurement, variant: str) -> str:
    """Return which side of the middle prevails, as far as the interval tells."""
    below, above = _readings(variant)
    low, high = known(row.low), known(row.high)
    if low is not None and high is not None and low <= NEUTRAL <= high:
        return t("its interval holds 0.5, so neither side prevails")
    return below if (row.value or 0.0) < NEUTRAL else above


def _has(row: Measurement | None) -> bool:
    return row is not None and known(row.value) is not None


def _bounded(row: Measurement | None) -> str:
    return score(row.value or 0.0, row.low, row.high, row.corrected, sign(row)) if row else ""


def _sentence(row: Measurement | None) -> str:
    if row is None:
        return t("not measured.")
    return f"{_bounded(row)}." if _has(row) else t("no total.")


def _by_attribute(bench: Bench, metric: str, index: int) -> str:
    rows = [(name, bench.cells(metric, name)[index]) for name in bench.attributes]
    told = [f"{running(bench.titled(name))} {_bounded(row)}" for name, row in rows if _has(row)]
    return t("By attribute: {scores}.", scores=join(told)) if told else ""


def _asked(bench: Bench, number: int) -> str:
    """Return how many prompts were scored, or questions."""
    return t("{n|question|questions}", n=number) if bench.questions else plural(number, "prompt")


def _basis(bench: Bench, row: Measurement | None) -> str:
    if row is None or not (row.n or row.missing):
        return ""
    missing = t("{n} missing", n=count(row.missing)) if row.missing else t("none missing")
    used = {"prompts": _asked(bench, row.prompts), "images": images(row.n)}
    return t("{prompts}, {images} used, {missing}.", missing=missing, **used)


def _basis_by_attribute(bench: Bench, metric: str, index: int) -> str:
    """Return what each attribute rests on, for where there is no total that could say it."""
    rows = [(name, bench.cells(metric, name)[index]) for name in bench.attributes]
    based = [(name, _basis(bench, row)) for name, row in rows if _has(row)]
    return " ".join(f"{bench.title(name)}: {basis}" for name, basis in based if basis)


def _why(row: Measurement | None) -> Sequence[str]:
    return [notes_words(row.notes)] if row and row.notes else []
