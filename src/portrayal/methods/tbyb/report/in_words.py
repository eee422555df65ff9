"""What a model's pictures add and leave out, in sentences: the words before the scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from portrayal.language.translation import t
from portrayal.methods.tbyb.report.caption_rows import Row, overall, table_rows
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.text.words import NBSP, count, join, known, percent

__all__ = ["how_many", "in_words"]

COUNTED_BELOW = 100
"""Of fewer images than this their number says more than a percentage."""
ADDED, LEFT_OUT = 3, 2


def how_many(images: float, of: int) -> str:
    """Return how many of some images: their number where they are few, else the percentage."""
    if of < COUNTED_BELOW:
        return t("{k} of {n}", k=count(round(images)), n=count(of)).replace(" ", NBSP)
    return percent(images / of, of)


def in_words(data: ReportData, rows: Sequence[Measurement], generator: str, annotator: str) -> list[str]:
    """Return what captions say of a generator's pictures: what they add, leave out and miss; nothing where none do."""
    hallucination = overall(rows, "jaccard_hallucination", annotator).get(generator)
    if hallucination is None or known(hallucination.value) is None:
        return []
    said = [_added(data, generator, annotator, hallucination)]
    said.append(_left_out(data, rows, generator, annotator))
    missed = overall(rows, "miss_rate", annotator).get(generator)
    if missed is not None and missed.value is not None and known(missed.value) is not None:
        share = how_many(missed.value * missed.n, missed.n)
        said.append(
            t(
                "{share} of the pictures do not show their prompt, as {judge} sees them.",
                judge=missed.annotator,
                share=share,
            )
        )
    return said


def _added(data: ReportData, generator: str, annotator: str, whole: Measurement) -> str:
    uninvited = table_rows(data, "uninvited", generator=generator, annotator=annotator)
    asked = _asked(data, whole)
    if not uninvited:
        return t("{asked}, captions add nothing.", asked=asked)
    most = _listed((row["word"], how_many(row["images"], _images(row))) for row in uninvited[:ADDED])
    return t("{asked}, captions most often add {words}.", asked=asked, words=most)


def _left_out(data: ReportData, rows: Sequence[Measurement], generator: str, annotator: str) -> str:
    omitted = overall(rows, "hallucination_by_omission", annotator).get(generator)
    left = table_rows(data, "left_out", generator=generator, annotator=annotator)
    if omitted is None or omitted.value is None or known(omitted.value) is None or not left:
        return t("They leave out nothing that was asked for.")
    most = sorted(left, key=lambda row: (-row["images"], row["object"]))[:LEFT_OUT]
    words = _listed((row["object"], t("{k} of {n}", k=count(row["images"]), n=count(row["of"]))) for row in most)
    return t(
        "They leave out {share} of what was asked for, most often {words}.", share=percent(omitted.value), words=words
    )


def _asked(data: ReportData, whole: Measurement) -> str:
    """Return the beginning of the sentence: what was asked, and in how many pictures."""
    things = {term for term, category, _ in data.prompts if category == "objects"}
    if len(things) == len(data.prompts) == 1:
        return t("Asked for “{thing}” alone in {n|picture|pictures}", thing=next(iter(things)), n=whole.n)
    if len(things) == len(data.prompts) > 0:
        told = {"m": whole.prompts, "n": whole.n}
        return t("Asked for one thing at a time ({m|thing|things}, {n|picture|pictures})", **told)
    return t("In {n|picture|pictures} of {m|prompt|prompts}", n=whole.n, m=whole.prompts)


def _images(row: Row) -> int:
    """Return how many captioned images a share is of."""
    return round(row["images"] / row["share"]) if row["share"] else 0


def _listed(pairs: Iterable[tuple[str, str]]) -> str:
    return join([f"{t('“{text}”', text=name)} ({share})" for name, share in pairs])
