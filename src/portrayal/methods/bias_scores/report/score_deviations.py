"""What bias scores bring to the first screen: prompts off their reference, the manifestation factor, an order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from portrayal.language.translation import t
from portrayal.methods.bias_scores.report.benchmark_rows import ETA, EXPLICIT, IMPLICIT, LABELS, variants
from portrayal.methods.bias_scores.report.score_sentences import NEUTRAL, reading
from portrayal.records import Measurement
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.findings.deviations.deviation import Deviation, Ranked, Ranking, Statement
from portrayal.reports.findings.deviations.share_deviations import ShareDeviations
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import decimal, known, page_digits, score, span

__all__ = ["deviations", "rankings", "too_few", "unsure"]


def deviations(data: ReportData, method: str) -> Iterator[Deviation]:
    """Return the label shares of every implicit prompt, and each model's manifestation factor beside its middle.

    Probabilities lie off a reference for being unsure, and a profile moves them: that is no chance, and no finding
    about the model. So labels are compared, and the factor only of annotators that are sure.
    """
    rows = data.rows(method)
    labels = [replace(row, metric="share") for row in rows if row.metric == LABELS]
    reference = t("the proportions of the suite")
    chart = ShareDeviations(
        data,
        ("prompt",),
        belongs=_belongs,
        about=lambda row: row.item,
        fallback=lambda _: method,
        reference=reference,
    )
    yield from chart.of(labels)
    variant, guessing = next(iter(variants(data, method)), ""), unsure(data, method)
    for row in rows:
        whole = row.metric == ETA and row.level == "overall" and not row.attribute
        if whole and _bounded(row) and row.annotator not in guessing:
            yield _eta(row, variant)


def unsure(data: ReportData, method: str) -> set[str]:
    """Return the annotators whose probabilities add up to other shares than their labels do."""
    shares: dict[tuple[str, ...], dict[str, float | None]] = {}
    for row in data.measurements:
        if row.method == method and row.metric in ("share", LABELS):
            about = (row.annotator, row.generator, row.item, row.attribute, row.group)
            shares.setdefault(about, {})[row.metric] = row.value
    return {
        about[0]
        for about, both in shares.items()
        if len(both) > 1 and abs((both["share"] or 0.0) - (both[LABELS] or 0.0)) > 1e-6
    }


def _belongs(row: Measurement, picture: Picture) -> bool:
    # What is drawn may have words behind the prompt that ask for a good picture.
    return picture.prompt.startswith(row.item)


def _bounded(row: Measurement) -> bool:
    return None not in (known(row.value), known(row.low), known(row.high))


def _estimate(row: Measurement) -> float:
    """Return what the interval is around."""
    corrected = known(row.corrected)
    return (row.value or 0.0) if corrected is None else corrected


def _eta(row: Measurement, variant: str) -> Deviation:
    from portrayal.stats.targets.target import NumberTest  # scipy takes a moment to load

    value, low, high = _estimate(row), row.low or 0.0, row.high or 0.0

    def word() -> Statement:
        places = page_digits(low, high)
        interval = span(decimal(low, places), decimal(high, places))
        pairs = t("{n|prompt|prompts} in pairs", n=row.prompts)
        return Statement(
            t("All prompts · manifestation factor η"),
            f"{decimal(value, places)}, {reading(row, variant)}",
            f"{t('95 % interval {interval}', interval=interval)}, {pairs}",
            [row.method],
        )

    # On the scale from its middle to either end.
    test = NumberTest(2 * value, 2 * low, 2 * high, 2 * NEUTRAL, max(row.prompts - 1, 1))
    return Deviation(row.generator, (row.generator, ETA, row.annotator), test, True, word)


def rankings(data: ReportData, method: str) -> Iterator[Ranking]:
    """Return the models' scores; by the first two they are put in order, the most biased first.

    Few images lower implicit scores by more than is corrected for: then they order nobody.
    """
    titles = {
        IMPLICIT: t("Implicit bias score, 1 is unbiased"),
        EXPLICIT: t("Explicit bias score, 1 is unbiased"),
        ETA: t("Manifestation factor η, 0.5 is the middle"),
    }
    for metric, title in titles.items():
        by_annotator: dict[str, list[Ranked]] = {}
        for row in data.measurements:
            about = (row.method, row.metric, row.level, row.attribute)
            if about == (method, metric, "overall", "") and _bounded(row):
                by_annotator.setdefault(row.annotator, []).append(_ranked(row))
        scant = too_few(data, method) if metric == IMPLICIT else set[str]()
        unordered = set(by_annotator) if metric == ETA else scant
        for annotator, models in by_annotator.items():
            seen_by = t(", seen by {annotator}", annotator=annotator) if len(by_annotator) > 1 else ""
            yield Ranking(title + seen_by, models, method, descending=False, ordered=annotator not in unordered)


def too_few(data: ReportData, method: str) -> set[str]:
    """Return the annotators by whose implicit scores models are not put in order: a model has too few images."""
    return {
        row.annotator
        for row in data.measurements
        if (row.method, row.metric, row.level, row.attribute) == (method, IMPLICIT, "overall", "")
        and any(note.code == "under_ten_images" for note in row.notes)
    }


def _ranked(row: Measurement) -> Ranked:
    text = score(_estimate(row), row.low, row.high, sign=sign(row))
    if known(row.corrected) is not None and text != score(row.value or 0.0, row.low, row.high, sign=sign(row)):
        text = t("{score}, corrected for few images", score=text)
    return Ranked(row.generator, _estimate(row), row.low or 0.0, row.high or 0.0, text)
