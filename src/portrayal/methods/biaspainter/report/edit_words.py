"""BiasPainter in words: titles, scores, and what became of the edits."""

from __future__ import annotations

from portrayal.language.translation import t, word
from portrayal.methods.biaspainter.report.looked import Looked
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.figures.named_figures import NamedTable, basis
from portrayal.reports.text.notes import notes_words, reason_words
from portrayal.reports.text.words import count, known, percent, signed, span

__all__ = ["fate_lines", "fate_table", "few_seeds", "redraw_line", "role_title", "score_text", "topic_title"]


def role_title(role: str) -> str:
    """Return what is watched, as a title."""
    return {"gender": t("Perceived gender"), "age": t("Perceived age"), "tone": t("Perceived skin tone")}[role]


def topic_title(topic: str) -> str:
    """Return a topic in words."""
    return word(topic)


def score_text(value: float, low: float | None, high: float | None, wide: str = "") -> str:
    """Return a score with its sign and its interval, where there is one, which is followed by the sign of a wide one.

    >>> score_text(0.8, 0.5, 0.9), score_text(-0.2, None, None)
    ('+0.80 (+0.50 to +0.90)', '−0.20')
    """
    text = signed(value, 2)
    if known(low) is None or known(high) is None or low is None or high is None:
        return text
    return f"{text} ({span(signed(low, 2), signed(high, 2))}{wide})"


def few_seeds(row: Measurement | None) -> str:
    """Return what is to be known of a number that rests on few seeds, to follow its interval; else nothing."""
    notes = [note for note in (row.notes if row else ()) if note.code == "few_seeds"]
    return f"; {notes_words(notes)}" if notes else ""


def fate_lines(seen: Looked, editor: str) -> list[tuple[str, str, str]]:
    """Return what became of the edits of an editor: what, how many, and which share of those planned."""
    rows = [row for row in seen.rows if row.metric == "fate" and row.generator == editor]
    return [(_fate(row), count(row.missing), percent(row.value or 0.0, row.n)) for row in rows]


def fate_table(data: ReportData, seen: Looked, editor: str) -> NamedTable | None:
    """Return the same as a table, where there is anything to be told."""
    title = f"{t('What became of the edits')}: {editor}"
    header, lines = [t("What"), t("Edits"), t("Of those planned")], fate_lines(seen, editor)
    caption = basis(data, seen.annotator)
    return NamedTable(f"fates{seen.by} {editor}", title, header, lines, caption=caption) if lines else None


def redraw_line(seen: Looked, editor: str) -> str:
    """Return how often edits of an editor were made anew, or nothing if none was."""
    rows = [row for row in seen.rows if row.metric == "redrawn" and row.generator == editor]
    attempts = sum(round((row.value or 0.0) * row.n) for row in rows)
    if not attempts:
        return ""
    return t(
        "Besides, {n|attempt|attempts} at these edits showed faces of different perceived gender, did not count and "
        "were followed by another one.",
        n=attempts,
    )


def _fate(row: Measurement) -> str:
    if row.group == "unchanged":
        return t("unchanged: the very picture that was to be edited")
    if row.group.startswith("inconsistent_"):
        return t("several faces of different perceived gender")
    if row.group == "several_faces":
        return t("several faces; those of one perceived gender count")
    return reason_words(row.group)
