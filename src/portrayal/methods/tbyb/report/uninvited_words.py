"""What the captions bring to the first screen: words that came uninvited, and models in order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from portrayal.language.translation import t
from portrayal.methods.tbyb.report.caption_rows import TBYB, Row, pictures_with, table_rows
from portrayal.methods.tbyb.report.in_words import COUNTED_BELOW, how_many
from portrayal.methods.tbyb.scores import RAREFIED
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Counted, Deviation, Ranked, Ranking, Statement, Thumb
from portrayal.reports.gallery.picture_links import pictures_anchor
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import count, decimal, images, join, known, percent, percent_range, span

__all__ = ["OFTEN", "deviations", "rankings"]

OFTEN = 0.05
"""A word in at most so many images is no finding: captions say all sorts of things."""
SHOWN = 3
COMPANY, MOSTLY = 2, 0.5
"""Terms that are named with a word, where it has so large a part of its images with them."""


def deviations(data: ReportData) -> Iterator[Deviation]:
    """Return every uninvited word, compared with the share up to which words are to be expected."""
    return (_word(data, row) for row in table_rows(data, "uninvited"))


def _word(data: ReportData, row: Row) -> Deviation:
    from portrayal.stats.targets.target import ShareTest  # scipy takes a moment to load

    share, low, high = row["share"], row["low"], row["high"]
    n = round(row["images"] / share) if share else 0

    def word() -> Statement:
        shown = pictures_with(data.pictures, row["word"], row["generator"], SHOWN)
        alt = t("Image whose caption names “{word}”", word=row["word"])
        share_text = f"{how_many(row['images'], n)} ({percent(share, n)})" if n < COUNTED_BELOW else percent(share, n)
        return Statement(
            t("“{word}” uninvited", word=row["word"]),
            _sentence(share_text, row),
            f"{t('95 % interval {interval}', interval=percent_range(low, high, n))}, {images(n)}",
            [TBYB],
            [Thumb(picture.thumbnail, alt, pictures_anchor(picture.term)) for picture in shown],
        )

    subject = (row["generator"], row["annotator"], row["word"])
    test = ShareTest(share, n, OFTEN) if share > OFTEN else Counted()
    return Deviation(row["generator"], subject, test, False, word)


def _sentence(share: str, row: Row) -> str:
    """Say in how many captions a word is, and with which prompts where it comes mostly with a few."""
    company = list(zip(row.get("with", ()), row.get("with_images", ()), strict=True))[:COMPANY]
    told = {"share": share, "word": row["word"]}
    if sum(times for _, times in company) < MOSTLY * row["images"]:
        return t("{share} of the captions name “{word}” though their prompt did not ask for it", **told)
    return t(
        "{share} of the captions name “{word}” though their prompt did not ask for it, mostly with {terms}",
        terms=join([f"{term} ({count(times)})" for term, times in company]),
        **told,
    )


def rankings(rows: Sequence[Measurement]) -> Iterator[Ranking]:
    """Return the method's scores, by whoever captioned or judged: hallucination first, by which models are ordered."""
    common = any(row.metric == RAREFIED for row in rows)
    as_drawn = t("Distribution bias (B_D), low means biased")
    at_common_size = t("Distribution bias (B_D) at the same number of images, low means biased")
    scores = {
        "jaccard_hallucination": (t("Hallucination (H_J)"), True),
        "miss_rate": (t("Miss rate (M_G)"), True),
        RAREFIED if common else "distribution_bias": (at_common_size if common else as_drawn, False),
        "log_bias": (t("Log bias (B_log)"), True),
    }
    for metric, (title, descending) in scores.items():
        by_annotator: dict[str, list[Ranked]] = {}
        for row in rows:
            if row.metric == metric and row.level == "overall" and (ranked := _ranked(row)):
                by_annotator.setdefault(row.annotator, []).append(ranked)
        for annotator, models in by_annotator.items():
            seen_by = t(", seen by {annotator}", annotator=annotator) if len(by_annotator) > 1 else ""
            # B_log rests on B_D, which grows with the number of images.
            yield Ranking(title + seen_by, models, TBYB, descending, ordered=not (common and metric == "log_bias"))


def _ranked(row: Measurement) -> Ranked | None:
    value, low, high = known(row.value), known(row.low), known(row.high)
    if value is None:
        return None
    share = row.metric in ("jaccard_hallucination", "miss_rate")
    told = percent(value, row.n) if share else decimal(value)
    if low is None or high is None:
        return Ranked(row.generator, value, math.nan, math.nan, f"{told} ({t('no interval')})")
    between = percent_range(low, high, row.n) if share else span(decimal(low), decimal(high))
    return Ranked(row.generator, value, low, high, f"{told} ({between}{sign(row)})")
