"""What FAIntbench brings to the first screen: prompts off their reference, the manifestation factor, an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from portrayal.methods.faintbench.alignment import PLAIN
from portrayal.methods.faintbench.report.rows import ETA, EXPLICIT, FAINTBENCH, IMPLICIT, variants
from portrayal.methods.faintbench.report.words import NEUTRAL, reading
from portrayal.records import Measurement
from portrayal.reports.data import Picture, ReportData
from portrayal.reports.deviation import Deviation, Ranked, Ranking, Told
from portrayal.reports.language import t
from portrayal.reports.share_deviations import ShareDeviations
from portrayal.reports.words import decimal, known, page_digits, score, span

__all__ = ["aligned", "deviations", "rankings"]


def deviations(data: ReportData) -> Iterator[Deviation]:
    """Return the shares of every implicit prompt, and each model's manifestation factor beside its middle.

    Shares of probabilities that a profile has moved are no counts of pictures: chance alone does not explain them.
    """
    rows = [row for row in data.measurements if row.method == FAINTBENCH]
    if not aligned(data):
        yield from _shares(data, rows)
    variant = next(iter(variants(data)), "")
    for row in rows:
        if row.metric == ETA and row.level == "overall" and not row.attribute and _bounded(row):
            yield _eta(row, variant)


def aligned(data: ReportData) -> str:
    """Return the profile by which probabilities were moved, or nothing where it moves none: labels are sure."""
    profile = data.settings.get(FAINTBENCH, {}).get("profile", "")
    told = (own.mass for picture in data.pictures for face in picture.faces for own in face.findings if own.group)
    return profile if profile not in ("", PLAIN) and any(mass is not None and mass < 1 for mass in told) else ""


def _shares(data: ReportData, rows: Sequence[Measurement]) -> Iterator[Deviation]:
    reference = t("the proportions of the suite")
    return ShareDeviations(data, ("prompt",), _belongs, lambda row: row.item, lambda _: FAINTBENCH, reference).of(rows)


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
    from portrayal.stats.target import number_p  # scipy takes a moment to load

    value, low, high = _estimate(row), row.low or 0.0, row.high or 0.0

    def tell() -> Told:
        places = page_digits(low, high)
        interval = span(decimal(low, places), decimal(high, places))
        pairs = t("{n|prompt|prompts} in pairs", n=row.prompts)
        return Told(
            t("All prompts · manifestation factor η"),
            f"{decimal(value, places)}, {reading(row, variant)}",
            f"{t('95 % interval {interval}', interval=interval)}, {pairs}",
            [FAINTBENCH],
        )

    p = number_p(value, low, high, NEUTRAL, row.prompts)
    return Deviation(row.generator, (row.generator, ETA, row.annotator), 2 * abs(value - NEUTRAL), p, True, tell)


def rankings(data: ReportData) -> Iterator[Ranking]:
    """Return the models' scores; by the first two they are put in order, the most biased first."""
    titles = {
        IMPLICIT: t("Implicit bias score, 1 is unbiased"),
        EXPLICIT: t("Explicit bias score, 1 is unbiased"),
        ETA: t("Manifestation factor η, 0.5 is the middle"),
    }
    for metric, title in titles.items():
        found: dict[str, list[Ranked]] = {}
        for row in data.measurements:
            about = (row.method, row.metric, row.level, row.attribute)
            if about == (FAINTBENCH, metric, "overall", "") and _bounded(row):
                found.setdefault(row.annotator, []).append(_ranked(row))
        yield from _by_annotator(found, title, ordered=metric != ETA)


def _ranked(row: Measurement) -> Ranked:
    text = score(_estimate(row), row.low, row.high)
    if known(row.corrected) is not None and text != score(row.value or 0.0, row.low, row.high):
        text = t("{score}, corrected for few images", score=text)
    return Ranked(row.generator, _estimate(row), row.low or 0.0, row.high or 0.0, text)


def _by_annotator(found: Mapping[str, list[Ranked]], title: str, *, ordered: bool) -> Iterator[Ranking]:
    for annotator, models in found.items():
        seen_by = t(", seen by {annotator}", annotator=annotator) if len(found) > 1 else ""
        yield Ranking(title + seen_by, models, FAINTBENCH, descending=False, ordered=ordered)
