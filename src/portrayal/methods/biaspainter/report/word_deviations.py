"""What words do to faces beyond edits that ask for nothing, and what those do, for the first screen."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.language.translation import t
from portrayal.methods.biaspainter.editing import NULL
from portrayal.methods.biaspainter.report.deeds import bias, null_flips, null_moved, relative, seed_gender, unit
from portrayal.methods.biaspainter.report.edit_words import few_seeds, role_title, score_text
from portrayal.methods.biaspainter.report.looked import BIASPAINTER, Looked, Row
from portrayal.methods.biaspainter.report.word_changes import bounded, changed, concerned, shift_words
from portrayal.methods.biaspainter.wide import word_sign
from portrayal.records import Measurement
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Counted, Deviation, Ranked, Ranking, Statement, Test, Thumb
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import count, decimal, known, signed, span

__all__ = ["deviations", "first_edit", "first_null", "rankings"]


def deviations(data: ReportData, seen: Looked) -> Iterator[Deviation]:
    """Return every word in every attribute, compared with edits that ask for nothing or else with doing nothing.

    Edits that ask for nothing should do nothing; they are compared with that.
    """
    for role in seen.roles:
        for row in seen.nothing:
            if row["attribute"] == seen.attributes[role] and row["score"] is not None:
                yield _null_deviation(data, seen, role, row)
        for row in seen.words:
            if row["attribute"] == seen.attributes[role] and row["score"] is not None:
                yield _deviation(data, seen, role, row)


def first_edit(seen: Looked, word: Row) -> Row | None:
    """Return the first edit with a word of a face that its sentence is about, whatever it did."""
    role = next(role for role, name in seen.attributes.items() if name == word["attribute"])
    edits = concerned(seen, role, word)
    return next((row for row in edits if row["image"] and row["seed_image"]), None)


def _edits(row: Row) -> str:
    missing = count(row["planned"] - row["n"])
    return t("{n|edit|edits} compared, {missing} missing.", n=row["n"], missing=missing).removesuffix(".")


def _test(score: float | None, low: float | None, high: float | None, p: float | None) -> Test:
    from portrayal.stats.targets.target import NumberTest  # scipy takes a moment to load

    if None in map(known, (score, low, high, p)) or score is None or low is None or high is None:
        return Counted()
    return NumberTest(score, low, high, 0.0, exact=p)


def _deviation(data: ReportData, seen: Looked, role: str, row: Row) -> Deviation:
    def word() -> Statement:
        return Statement(
            f"{t('“{text}”', text=row['word'])} · {role_title(role)}",
            changed(data, seen, role, row),
            f"{bounded(data, seen, role, row)}; {_edits(row)}",
            [BIASPAINTER],
            _pictures(data, first_edit(seen, row)),
        )

    subject = (row["generator"], role, row["topic"], row["word"])
    test = _test(*bias(row), row["relative_p" if relative(row) else "p"])
    return Deviation(row["generator"], subject, test=test, broad=False, word=word, topic=role)


def _null_deviation(data: ReportData, seen: Looked, role: str, row: Row) -> Deviation:
    """Return what edits that ask for nothing do: it is the editor's or the annotator's doing, whatever the word."""
    editor = row["generator"]

    def word() -> Statement:
        about = f"{t('Edits that ask for nothing')} · {role_title(role)}"
        sentence = _null_sentence(data, seen, role, editor)
        few = few_seeds(seen.get("null_bias", editor, role))
        basis = f"{_null_bounds(data, role, row)}{few}; {_edits(row)}"
        return Statement(about, sentence, basis, [BIASPAINTER], _pictures(data, first_null(seen, row)))

    test = _test(row["score"], row["low"], row["high"], row["p"])
    return Deviation(editor, (editor, role, NULL, ""), test=test, broad=False, word=word, topic=role)


def _null_sentence(data: ReportData, seen: Looked, role: str, editor: str) -> str:
    if role == "gender":
        did = null_flips(seen, editor)
        return t(
            "Edits that ask for nothing turned men’s faces into women’s in {k} of {n}, and women’s into men’s in {k2} "
            "of {n2}.",
            k=count(did.men.turned), n=count(did.men.edits),
            k2=count(did.women.turned), n2=count(did.women.edits),
        ).removesuffix(".")  # fmt: skip
    shift = shift_words(role, null_moved(data, seen, role, editor) or 0.0)
    if role == "age":
        return t("With edits that ask for nothing faces look {moved} on average.", moved=shift).removesuffix(".")
    return t("With edits that ask for nothing skin is {moved} on average.", moved=shift).removesuffix(".")


def _null_bounds(data: ReportData, role: str, row: Row) -> str:
    score, low, high = row["score"], row["low"], row["high"]
    if role == "gender":
        return t(
            "bias {score} on a scale from −1 to 1", score=score_text(score, low, high, word_sign(row["attribute"]))
        )
    if low is None or high is None:
        return t("no interval")
    size = unit(data, role)
    return t("95 % interval {interval}", interval=span(signed(low * size, 1), signed(high * size, 1)))


def first_null(seen: Looked, row: Row) -> Row | None:
    """Return the first edit that asks for nothing of a face that its sentence is about, whatever it did."""
    edits = [edit for edit in seen.null_edits(row["generator"]) if edit["image"] and edit["seed_image"]]
    if row["attribute"] == seen.attributes["gender"] and row["score"] is not None:
        edits = [edit for edit in edits if seed_gender(edit) == ("male" if row["score"] > 0 else "female")]
    return next(iter(edits), None)


def _pictures(data: ReportData, edit: Row | None) -> list[Thumb]:
    if edit is None:
        return []
    pair = [
        Thumb(data.thumbnails.get(edit["seed_image"], b""), t("Seed: {seed}", seed=edit["seed"])),
        Thumb(data.thumbnails.get(edit["image"], b""), t("Edited with “{text}”", text=edit["word"])),
    ]
    return pair if all(thumb.thumbnail for thumb in pair) else []


def rankings(seen: Looked, *, several: bool) -> Iterator[Ranking]:
    """Return the mean size of the words' biases of each editor, beside what words that do nothing would show.

    Where there are edits that ask for nothing, biases beyond those: an editor is not put first for what it does
    whatever it is asked.
    """
    metric = "model_word_bias_relative" if seen.relative else "model_word_bias"
    for role in seen.roles:
        rows = [row for editor in seen.editors if (row := seen.get(metric, editor, role))]
        ranked = [
            Ranked(row.generator, row.value, row.low, row.high, _size(row, row.value, (row.low, row.high)))
            for row in rows
            if row.value is not None and row.low is not None and row.high is not None
        ]
        plain = t("Mean size of the words’ biases, {attribute}", attribute=role_title(role))
        beyond = t(
            "Mean size of the words’ biases beyond edits that ask for nothing, {attribute}", attribute=role_title(role)
        )
        title = beyond if seen.relative else plain
        title += t(", seen by {annotator}", annotator=seen.annotator) if several else ""
        if ranked:
            yield Ranking(title, ranked, BIASPAINTER)


def _size(row: Measurement, value: float, bounds: tuple[float, float]) -> str:
    text = f"{decimal(value)} ({span(*map(decimal, bounds))}{sign(row)})"
    if row.target is None:
        return text
    return t("{size}, by chance about {chance}", size=text, chance=decimal(row.target))
