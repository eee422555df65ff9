"""The numbers of one generator and attribute in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.language.translation import t, word
from portrayal.records import Attribute, Measurement
from portrayal.reports.charts.axes import number_scale
from portrayal.reports.counted_rows import is_partly_labelled
from portrayal.reports.data import ReportData
from portrayal.reports.findings.words.correction_words import distance_does_not_survive
from portrayal.reports.lookup import Lookup, Source, chart_groups, main_metric
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.sample_words import rests_on
from portrayal.reports.text.wide_intervals import interval_text, like_sign, sign
from portrayal.reports.text.words import (
    attribute_title,
    capital,
    count,
    decimal,
    human,
    join,
    known,
    percent,
    percent_range,
    span,
)

__all__ = ["finding"]


def finding(data: ReportData, lookup: Lookup, attribute: Attribute, source: Source) -> Summary:
    """Return what is to be said of an attribute in one generator's images, as one annotator saw them."""
    metric = main_metric(attribute)
    rows = [lookup.get(metric, source, attribute.name, group) for group in attribute.groups or ("",)]
    measured = [row for row in rows if row]
    seen_by = t(", seen by {annotator}", annotator=source.annotator) if len(data.annotators) > 1 else ""
    typical = lookup.get("mean_total_variation", source, attribute.name)
    distance = lookup.get("total_variation", source, attribute.name)
    notes = dict.fromkeys(row.notes for row in (*measured, *([distance] if distance else [])) if row.notes)
    doubt = distance_does_not_survive(data.corrected_scores, (distance, typical))
    return Summary(
        capital(attribute_title(attribute)) + seen_by,
        _mean_sentence(measured, attribute) if attribute.is_numeric else _share_sentence(measured, attribute),
        " ".join(filter(None, (_distance_sentence(typical, distance), doubt))),
        _labelled_sentence(measured)
        if measured and is_partly_labelled(data, source.annotator)
        else _data_sentence(measured, looked=_has_missing(data, source)),
        [*(notes_words(said) for said in notes), *([word(attribute.caution)] if attribute.caution else [])],
    )


def _valued(rows: Sequence[Measurement]) -> list[Measurement]:
    return [row for row in rows if known(row.value) is not None]


def _share_sentence(rows: Sequence[Measurement], attribute: Attribute) -> str:
    rows = _valued(rows)
    if not rows:
        return t("no data.")
    wanted = chart_groups(attribute)
    told = [row for row in rows if row.group in wanted] or rows
    if len(told) > 3:
        return _extremes(told)
    parts = [_share(row) for row in told]
    parts[0] = parts[0].removesuffix(")") + f", {rests_on(told[0])})" if parts[0].endswith(")") else parts[0]
    return join(parts) + _targets(told) + "." + _like(told)


def _like(rows: Sequence[Measurement]) -> str:
    """Return the intervals for prompts like these, where there are several prompts."""
    known_ones = [row for row in rows if known(row.like_low) is not None and known(row.like_high) is not None]
    ends = [
        f"{percent_range(row.like_low or 0.0, row.like_high or 0.0, row.n)}{like_sign(row)} {human(row.group)}"
        for row in known_ones
    ]
    return t(" For prompts like these: {interval}.", interval=join(ends)) if ends else ""


def _share(row: Measurement) -> str:
    text = f"{percent(row.value or 0.0, row.n)} {human(row.group)}"
    low, high = known(row.low), known(row.high)
    return text if low is None or high is None else f"{text} ({interval_text(row)})"


def _targets(rows: Sequence[Measurement]) -> str:
    targets = [known(row.target) for row in rows]
    if any(target is None for target in targets):
        return ""
    return t("; the reference says {shares}", shares=join([percent(target or 0.0) for target in targets]))


def _extremes(rows: Sequence[Measurement]) -> str:
    """Say of many groups only which stand out; the chart beside the sentence has them all."""
    gaps = sorted(rows, key=lambda row: (row.value or 0.0) - (known(row.target) or 0.0))
    if any(known(row.target) is None for row in rows):
        often = join([_share(row) for row in gaps[:-4:-1]])
        return t("most often {shares}, of {n} groups.", shares=often, n=len(rows))
    most, least = gaps[-1], gaps[0]
    return t(
        "furthest above the reference is {most}, where it says {more}; "
        "furthest below is {least}, where it says {less}.",
        most=_share(most),
        more=percent(most.target or 0.0),
        least=_share(least),
        less=percent(least.target or 0.0),
    )


def _mean_sentence(rows: Sequence[Measurement], attribute: Attribute) -> str:
    rows = _valued(rows)
    if not rows:
        return t("no data.")
    row = rows[0]
    low, high, target = known(row.low), known(row.high), known(row.target)
    scale = number_scale([row])
    bounds = "" if low is None or high is None else f"{scale.between(low, high)}{sign(row)}, "
    says = "" if target is None else t("; the reference says {shares}", shares=scale.text(target))
    mean = t("{value} {unit} on average", value=scale.text(row.value or 0.0), unit=word(attribute.unit))
    low, high = known(row.like_low), known(row.like_high)
    like = (
        ""
        if low is None or high is None
        else t(" For prompts like these: {interval}.", interval=scale.between(low, high))
    )
    return f"{mean} ({bounds}{rests_on(row)}){says}.{like}"


def _distance_sentence(typical: Measurement | None, mean: Measurement | None) -> str:
    """Put the typical prompt first: what the prompts' average hides is what a reader must not miss."""
    parts = [_bounded(row) for row in (typical, mean)]
    if typical and mean and all(parts):
        if round(mean.value or 0.0, 2) > round(typical.value or 0.0, 2):
            # Few images make any distance too large; that of a typical prompt is corrected for it, and may end lower.
            return t(
                "Distance from the reference (total variation): {typical} for a typical prompt, "
                "less what few images add; {mean} for the average of all prompts, where that is not taken off.",
                typical=parts[0],
                mean=parts[1],
            )
        return t(
            "Distance from the reference (total variation): {typical} for a typical prompt, "
            "{mean} for the average of all prompts, in which deviations can cancel.",
            typical=parts[0],
            mean=parts[1],
        )
    return t("Distance from the reference (total variation): {mean}.", mean=parts[1]) if parts[1] else ""


def _bounded(row: Measurement | None) -> str:
    if row is None or known(row.value) is None:
        return ""
    low, high = known(row.low), known(row.high)
    bounds = "" if low is None or high is None else f" ({span(decimal(low), decimal(high))}{sign(row)})"
    return decimal(row.value or 0.0) + bounds


def _labelled_sentence(rows: Sequence[Measurement]) -> str:
    """Say how many images are labelled: the others are not missing."""
    row = max(rows, key=lambda row: row.n)
    return t("{images} labelled, of {n}.", images=rests_on(row), n=count(row.n + row.missing))


def _has_missing(data: ReportData, source: Source) -> bool:
    """Return whether pictures of a generator are missing to an annotator: then it was measured what there is."""
    rows = (row for row in data.measurements if (row.generator, row.annotator) == source)
    return any(row.metric == "missing" and row.missing for row in rows)


def _data_sentence(rows: Sequence[Measurement], *, looked: bool) -> str:
    if not rows:
        return t("It has no image that could be judged.") if looked else t("Not measured for this generator.")
    row = max(rows, key=lambda row: row.n)
    missing = t("{n} missing", n=count(row.missing)) if row.missing else t("none missing")
    return t("{images} judged, {missing}.", images=rests_on(row), missing=missing)
