"""What one word does to faces, in units that everybody knows, beside what edits that ask for nothing do to them."""

from __future__ import annotations

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.deeds import Moved, Turned, bias, flips, moved, relative, seed_gender, unit
from portrayal.methods.biaspainter.report.edit_words import few_seeds, score_text
from portrayal.methods.biaspainter.report.looked import Looked, Row
from portrayal.methods.biaspainter.wide import word_sign
from portrayal.reports.data import ReportData
from portrayal.reports.text.words import count, decimal, known, signed, span

__all__ = ["bounded", "changed", "concerned", "in_units", "shift_words", "units_words"]


def concerned(seen: Looked, role: str, word: Row) -> list[Row]:
    """Return the edits with a word whose faces its sentence is about: for gender men's or women's."""
    mine = list(seen.edits_with(word))
    if role != "gender":
        return mine
    about = "male" if flips(seen, word).about_men(bias(word)[0]) else "female"
    return [row for row in mine if seed_gender(row) == about]


def changed(data: ReportData, seen: Looked, role: str, word: Row) -> str:
    """Return what a word did and what edits that ask for nothing did, as a sentence without its full stop."""
    if role == "gender":
        return _turned(seen, word)
    return _moved(role, word["word"], moved(data, seen, role, word))


def _turned(seen: Looked, word: Row) -> str:
    did = flips(seen, word)
    men = did.about_men(bias(word)[0])
    by_word, null = did.side(men)
    if null is None:
        other = did.side(not men)[0]
        return _made(word["word"], by_word, men) + (
            t(", and {k} of {n} women’s into men’s", k=count(other.turned), n=count(other.edits))
            if men
            else t(", and {k} of {n} men’s into women’s", k=count(other.turned), n=count(other.edits))
        )
    counts = {"k": count(by_word.turned), "n": count(by_word.edits), "k0": count(null.turned), "n0": count(null.edits)}
    if by_word.rate < null.rate:
        return (
            t(
                "“{word}” turned fewer men’s faces into women’s than edits that ask for nothing: {k} of {n}, "
                "against {k0} of {n0}",
                word=word["word"],
                **counts,
            )
            if men
            else t(
                "“{word}” turned fewer women’s faces into men’s than edits that ask for nothing: {k} of {n}, "
                "against {k0} of {n0}",
                word=word["word"],
                **counts,
            )
        )
    once = null.edits == null.faces
    return _made(word["word"], by_word, men) + (
        t("; an edit that asks for nothing turned {k} of {n}", k=counts["k0"], n=counts["n0"])
        if once
        else t("; edits that ask for nothing did so in {k} of {n}", k=counts["k0"], n=counts["n0"])
    )


def _made(word: str, turned: Turned, men: bool) -> str:
    """Return how many faces a word turned; where there are several edits of a face, in how many edits."""
    k, n = count(turned.turned), count(turned.edits)
    if turned.edits == turned.faces:
        if men:
            return t("“{word}” turned {k} of {n} men’s faces into women’s", word=word, k=k, n=n)
        return t("“{word}” turned {k} of {n} women’s faces into men’s", word=word, k=k, n=n)
    if men:
        return t("“{word}” turned men’s faces into women’s in {k} of {n} edits", word=word, k=k, n=n)
    return t("“{word}” turned women’s faces into men’s in {k} of {n} edits", word=word, k=k, n=n)


def _moved(role: str, word: str, shift: Moved) -> str:
    values = {"word": word, "moved": shift_words(role, shift.word)}
    if shift.null is None:
        if role == "age":
            return t("With “{word}” faces look {moved} on average", **values)
        return t("With “{word}” skin is {moved} on average", **values)
    values["null"] = shift_words(role, shift.null)
    if shift.less and _shown(shift.word):
        if role == "age":
            return t(
                "With “{word}” faces look {moved} on average, less than with edits that ask for nothing: {null}",
                **values,
            )
        return t(
            "With “{word}” skin is {moved} on average, less than with edits that ask for nothing: {null}", **values
        )
    if role == "age":
        return t("With “{word}” faces look {moved} on average; with edits that ask for nothing {null}", **values)
    return t("With “{word}” skin is {moved} on average; with edits that ask for nothing {null}", **values)


def _shown(value: float) -> bool:
    """Return whether a change is more than nought as it is printed."""
    return round(abs(value), 1) > 0


def shift_words(role: str, value: float) -> str:
    """Return a mean change in words, such as: 12.5 years older."""
    size = decimal(abs(value), 1)
    if role == "age":
        if not _shown(value):
            return t("as old as before")
        return t("{size} years older", size=size) if value > 0 else t("{size} years younger", size=size)
    if not _shown(value):
        return t("as light as before")
    return t("{size} of 255 levels lighter", size=size) if value > 0 else t("{size} of 255 levels darker", size=size)


def in_units(data: ReportData, role: str, word: Row) -> tuple[str, str]:
    """Return the bias of age or tone in years or levels, with its sign, and its interval; empty: there is none."""
    size = unit(data, role)
    value, low, high = bias(word)
    if low is None or high is None or known(low) is None or known(high) is None:
        return signed(value * size, 1), ""
    return signed(value * size, 1), span(signed(low * size, 1), signed(high * size, 1))


def units_words(role: str, value: str) -> str:
    """Return a number with what it counts."""
    return t("{value} years", value=value) if role == "age" else t("{value} of 255 levels", value=value)


def bounded(data: ReportData, seen: Looked, role: str, word: Row) -> str:
    """Return the interval, and that seeds are few where they are."""
    row = seen.get("word_bias", word["generator"], role, word["word"], word["topic"])
    return _bounded(data, seen, role, word) + few_seeds(row)


def _bounded(data: ReportData, seen: Looked, role: str, word: Row) -> str:
    """Return the interval: of the bias of gender, with the ends of its scale, else of the change."""
    if role == "gender":
        score = score_text(*bias(word), word_sign(seen.attributes["gender"]))
        if not relative(word):
            return t("bias {score} on a scale from −1 to 1", score=score)
        beyond = t("beyond edits that ask for nothing {score} on a scale from −2 to 2", score=score)
        return beyond + _other_way(seen, word)
    value, interval = in_units(data, role, word)
    if not interval:
        return t("no interval")
    if not relative(word):
        return t("95 % interval {interval}", interval=interval)
    return t("difference {value}, 95 % interval {interval}", value=units_words(role, value), interval=interval)


def _other_way(seen: Looked, word: Row) -> str:
    """Return what happened to faces of the other gender, which counts in the bias, too."""
    did = flips(seen, word)
    men = did.about_men(bias(word)[0])
    by_word, null = did.side(not men)
    assert null is not None
    counts = {"k": count(by_word.turned), "n": count(by_word.edits), "k0": count(null.turned), "n0": count(null.edits)}
    if men:
        return t("; women’s faces into men’s {k} of {n}, against {k0} of {n0}", **counts)
    return t("; men’s faces into women’s {k} of {n}, against {k0} of {n0}", **counts)
