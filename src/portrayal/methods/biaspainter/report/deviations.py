"""What words do to faces, for the first screen."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.methods.biaspainter.report.changes import bounded, changed, concerned
from portrayal.methods.biaspainter.report.rows import BIASPAINTER, Looked, Row
from portrayal.methods.biaspainter.report.words import role_title
from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Deviation, Ranked, Ranking, Thumb, Told
from portrayal.reports.language import t
from portrayal.reports.words import count, decimal, known, span

__all__ = ["deviations", "first_edit", "rankings"]


def deviations(data: ReportData, seen: Looked) -> Iterator[Deviation]:
    """Return every word in every attribute, compared with doing nothing."""
    for role in seen.roles:
        for row in seen.words:
            if row["attribute"] == seen.attributes[role] and row["score"] is not None:
                yield _deviation(data, seen, role, row)


def first_edit(seen: Looked, word: Row) -> Row | None:
    """Return the first edit with a word of a face that its bias is about, whatever it did."""
    role = next(role for role, name in seen.attributes.items() if name == word["attribute"])
    edits = concerned(seen, role, word)
    return next((row for row in edits if row["image"] and row["seed_image"]), None)


def _deviation(data: ReportData, seen: Looked, role: str, row: Row) -> Deviation:
    prefix = "" if row["relative_score"] is None else "relative_"
    score, low, high, p = (row[f"{prefix}{name}"] for name in ("score", "low", "high", "p"))
    if known(low) is not None and known(high) is not None and low <= 0 <= high:
        p = 1.0  # nothing is told that its interval does not carry

    def tell() -> Told:
        missing = count(row["planned"] - row["n"])
        edits = t("{n|edit|edits} compared, {missing} missing.", n=row["n"], missing=missing).removesuffix(".")
        return Told(
            f"{t('“{text}”', text=row['word'])} · {role_title(role)}",
            changed(data, seen, role, row),
            f"{bounded(data, role, row)}; {edits}",
            [BIASPAINTER],
            _pictures(data, first_edit(seen, row)),
        )

    subject = (row["generator"], role, row["topic"], row["word"])
    return Deviation(row["generator"], subject, abs(score), known(p), False, tell, role)


def _pictures(data: ReportData, edit: Row | None) -> list[Thumb]:
    if edit is None:
        return []
    pair = [
        Thumb(data.thumbnails.get(edit["seed_image"], b""), t("Seed: {seed}", seed=edit["seed"])),
        Thumb(data.thumbnails.get(edit["image"], b""), t("Edited with “{text}”", text=edit["word"])),
    ]
    return pair if all(own.thumbnail for own in pair) else []


def rankings(seen: Looked, *, several: bool) -> Iterator[Ranking]:
    """Return the mean size of the words' biases of each editor, beside what words that do nothing would show."""
    for role in seen.roles:
        rows = [row for editor in seen.editors if (row := seen.get("model_bias", editor, role))]
        found = [
            Ranked(row.generator, row.value, row.low, row.high, _size(row.value, (row.low, row.high), row.target))
            for row in rows
            if row.value is not None and row.low is not None and row.high is not None
        ]
        title = t("Mean size of the words’ biases, {attribute}", attribute=role_title(role))
        title += t(", seen by {annotator}", annotator=seen.annotator) if several else ""
        if found:
            yield Ranking(title, found, BIASPAINTER)


def _size(value: float, bounds: tuple[float, float], chance: float | None) -> str:
    told = f"{decimal(value)} ({span(*map(decimal, bounds))})"
    return told if chance is None else t("{size}, by chance about {chance}", size=told, chance=decimal(chance))
