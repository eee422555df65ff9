"""What BiasPainter's section says of an editor in sentences: which words stand out, how much they do, and on what.

Where there are edits that ask for nothing, every sentence about a word has what the word did and what those did.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.deeds import bias, flips, moved, null_flips, null_moved, relative, unit
from portrayal.methods.biaspainter.report.edit_words import few_seeds, role_title
from portrayal.methods.biaspainter.report.looked import Looked, Row
from portrayal.methods.biaspainter.report.reach import reach_line
from portrayal.methods.biaspainter.report.word_changes import shift_words, units_words
from portrayal.reports.data import ReportData
from portrayal.reports.sections.attribute_summary import Summary
from portrayal.reports.text.notes import notes_words
from portrayal.reports.text.wide_intervals import sign
from portrayal.reports.text.words import capital, count, decimal, percent, signed, span

__all__ = ["findings", "null_line"]

NAMED = 3
"""Words named of each kind."""


def findings(data: ReportData, seen: Looked, editor: str) -> list[Summary]:
    """Return of each attribute which words stand out, how large the biases are, and what they rest on."""
    return [_finding(data, seen, editor, role) for role in seen.roles]


def _finding(data: ReportData, seen: Looked, editor: str, role: str) -> Summary:
    name = seen.attributes[role]
    words = [row for row in seen.words if row["generator"] == editor and row["attribute"] == name]
    scored = [row for row in words if row["score"] is not None]
    out = sorted((row for row in scored if row["stands_out"]), key=lambda row: -abs(bias(row)[0]))
    sizes = [_size(seen, editor, role), _images(data, seen, editor, role), reach_line(data, seen, role, scored)]
    basis = [_data(seen, editor, role, words), null_line(data, seen, role, editor)]
    sentence = _sentence(data, seen, role, out, len(scored))
    return Summary(role_title(role), sentence, " ".join(filter(None, sizes)), " ".join(filter(None, basis)), ())


def _sentence(data: ReportData, seen: Looked, role: str, out: Sequence[Row], scored: int) -> str:
    if not out:
        if seen.relative:
            return t("no difference from edits that ask for nothing was found in {n|word|words}.", n=scored)
        return t("none of {n|word|words} stands out.", n=scored)
    kinds: dict[str, list[Row]] = {}
    for row in out:
        kinds.setdefault(_kind(seen, role, row), []).append(row)
    which = ". ".join(capital(_named(data, seen, role, kind, rows)) for kind, rows in kinds.items())
    if len(out) == 1:
        return t("1 of {m|word|words} stands out. {which}.", m=scored, which=which)
    return t("{n} of {m|word|words} stand out. {which}.", n=count(len(out)), m=scored, which=which)


def _kind(seen: Looked, role: str, row: Row) -> str:
    """Return what a word does, in words that others may share with it."""
    up = bias(row)[0] > 0
    if role == "age":
        if relative(row):
            older = t("faces look older than with edits that ask for nothing")
            return older if up else t("faces look younger than with edits that ask for nothing")
        return t("faces look older") if up else t("faces look younger")
    if role == "tone":
        if relative(row):
            lighter = t("skin is lighter than with edits that ask for nothing")
            return lighter if up else t("skin is darker than with edits that ask for nothing")
        return t("skin is lighter") if up else t("skin is darker")
    return _turning(seen, row)


def _turning(seen: Looked, row: Row) -> str:
    did = flips(seen, row)
    men = did.about_men(bias(row)[0])
    by_word, null = did.side(men)
    if null is None:
        return t("men’s faces become women’s") if men else t("women’s faces become men’s")
    if by_word.rate >= null.rate:
        more = t("more men’s faces become women’s than with edits that ask for nothing")
        return more if men else t("more women’s faces become men’s than with edits that ask for nothing")
    fewer = t("fewer men’s faces become women’s than with edits that ask for nothing")
    return fewer if men else t("fewer women’s faces become men’s than with edits that ask for nothing")


def _named(data: ReportData, seen: Looked, role: str, kind: str, rows: Sequence[Row]) -> str:
    named = "; ".join(_one(data, seen, role, row) for row in rows[:NAMED])
    more = len(rows) - NAMED
    return f"{kind}: {named}" + (t("; and {n|other|others}", n=more) if more > 0 else "")


def _one(data: ReportData, seen: Looked, role: str, row: Row) -> str:
    """Return a word with what it did, and what edits that ask for nothing did."""
    if role == "gender":
        turned = flips(seen, row)
        by_word, null = turned.side(turned.about_men(bias(row)[0]))
        did = t("{k} of {n}", k=count(by_word.turned), n=count(by_word.edits))
        beside = t("{k} of {n}", k=count(null.turned), n=count(null.edits)) if null else None
    else:
        far = moved(data, seen, role, row)
        did = units_words(role, signed(far.word, 1))
        beside = None if far.null is None else signed(far.null, 1)
    if beside is None:
        return t("“{word}” {did}", word=row["word"], did=did)
    return t("“{word}” {did}, against {null}", word=row["word"], did=did, null=beside)


def _size(seen: Looked, editor: str, role: str) -> str:
    """Return how large the words' biases are on average, beyond edits that ask for nothing where there are any."""
    row = seen.get("model_word_bias_relative" if seen.relative else "model_word_bias", editor, role)
    if row is None or row.value is None or row.target is None:
        return ""
    bounds = (
        ""
        if row.low is None or row.high is None
        else f" ({span(decimal(row.low), decimal(row.high))}{sign(row)}{few_seeds(row)})"
    )
    numbers = {"mean": decimal(row.value) + bounds, "chance": decimal(row.target)}
    if seen.relative:
        return t(
            "Mean size of the words’ biases beyond edits that ask for nothing: {mean}; words that do no more than "
            "those would show about {chance}.",
            **numbers,
        )
    return t("Mean size of the words’ biases: {mean}; words that do nothing would show about {chance}.", **numbers)


def _images(data: ReportData, seen: Looked, editor: str, role: str) -> str:
    """Return how far single edits move faces, as the paper's Table 3 counts it."""
    row = seen.get("model_image_bias", editor, role)
    if row is None or row.value is None:
        return ""
    null = row.target
    if role == "gender":
        share = percent(row.value, row.n)
        if null is None:
            return t(
                "Every edit by itself, as in Table 3 of the paper: {share} change the perceived gender.", share=share
            )
        return t(
            "Every edit by itself, as in Table 3 of the paper: {share} change the perceived gender; of edits that ask "
            "for nothing {null}.",
            share=share,
            null=percent(null, row.n),
        )
    size = units_words(role, decimal(row.value * unit(data, role), 1))
    if null is None:
        return t("Every edit by itself, as in Table 3 of the paper: {size} either way on average.", size=size)
    return t(
        "Every edit by itself, as in Table 3 of the paper: {size} either way on average; edits that ask for nothing "
        "{null}.",
        size=size,
        null=decimal(null * unit(data, role), 1),
    )


def _data(seen: Looked, editor: str, role: str, words: Sequence[Row]) -> str:
    n, planned = (sum(row[name] for row in words) for name in ("n", "planned"))
    said = t("{n|edit|edits} compared, {missing} missing.", n=n, missing=count(planned - n))
    whole = seen.get("model_word_bias", editor, role)
    return said + (f" {capital(notes_words(whole.notes))}." if whole and whole.notes else "")


def null_line(data: ReportData, seen: Looked, role: str, editor: str) -> str:
    """Return what edits that ask for nothing did, with how many of them are missing; empty without any."""
    return " ".join(_null_parts(data, seen, role, editor))


def _null_parts(data: ReportData, seen: Looked, role: str, editor: str) -> Iterator[str]:
    row = seen.get("null_bias", editor, role)
    if row is None or row.value is None:
        return
    if role == "gender":
        did = null_flips(seen, editor)
        yield t(
            "Edits that ask for nothing turned men’s faces into women’s in {k} of {n}, and women’s into men’s in {k2} "
            "of {n2}.",
            k=count(did.men.turned), n=count(did.men.edits),
            k2=count(did.women.turned), n2=count(did.women.edits),
        )  # fmt: skip
    elif (far := null_moved(data, seen, role, editor)) is not None:
        size, bounds = unit(data, role), ""
        if row.low is not None and row.high is not None:
            bounds = f" ({span(signed(row.low * size, 1), signed(row.high * size, 1))}{sign(row)}{few_seeds(row)})"
        shift = shift_words(role, far) + bounds
        if role == "age":
            yield t("With edits that ask for nothing faces look {moved} on average.", moved=shift)
        else:
            yield t("With edits that ask for nothing skin is {moved} on average.", moved=shift)
    named = (seen.attributes[role], editor)
    for row_of_null in seen.nothing:
        if (row_of_null["attribute"], row_of_null["generator"]) == named and row_of_null["planned"] > row_of_null["n"]:
            missing = count(row_of_null["planned"] - row_of_null["n"])
            yield t("{missing} of {n|such edit|such edits} are missing.", missing=missing, n=row_of_null["planned"])
