"""What BiasPainter's section says in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.methods.biaspainter.report.rows import Looked, Row
from portrayal.records import Measurement
from portrayal.reports.finding import Finding
from portrayal.reports.language import t, word
from portrayal.reports.notes import notes_words, reason_words
from portrayal.reports.words import capital, count, decimal, join, known, percent, signed, span

__all__ = ["fate_lines", "findings", "redraw_line", "role_title", "score_text", "topic_title"]

NAMED = 3


def role_title(role: str) -> str:
    """Return what is watched, as a title."""
    return {"gender": t("Perceived gender"), "age": t("Perceived age"), "tone": t("Perceived skin tone")}[role]


def topic_title(topic: str) -> str:
    """Return a topic in words."""
    return word(topic)


def score_text(value: float, low: float | None, high: float | None) -> str:
    """Return a score with its sign and its interval, where there is one.

    >>> score_text(0.8, 0.5, 0.9), score_text(-0.2, None, None)
    ('+0.80 (+0.50 to +0.90)', '−0.20')
    """
    text = signed(value, 2)
    if known(low) is None or known(high) is None or low is None or high is None:
        return text
    return f"{text} ({span(signed(low, 2), signed(high, 2))})"


def findings(seen: Looked, editor: str) -> list[Finding]:
    """Return of each attribute which words stand out, how large the bias is, and what it rests on."""
    return [_finding(seen, editor, role) for role in seen.roles]


def _finding(seen: Looked, editor: str, role: str) -> Finding:
    name = seen.attributes[role]
    words = [row for row in seen.words if row["generator"] == editor and row["attribute"] == name]
    scored = [row for row in words if row["score"] is not None]
    out = sorted((row for row in scored if row["stands_out"]), key=lambda row: -abs(_score(row)))
    sentence = _sentence(role, out, len(scored))
    return Finding(role_title(role), sentence, _size(seen, editor, role), _data(seen, editor, role, words), ())


def _score(row: Row) -> float:
    found = row["relative_score"]
    return float(row["score"] if found is None else found)


def _sentence(role: str, out: Sequence[Row], scored: int) -> str:
    if not out:
        return t("none of {n|word|words} stands out.", n=scored)
    ways = [_way(role, sign, [row for row in out if sign * _score(row) > 0]) for sign in (1, -1)]
    told = "; ".join(filter(None, ways))
    if len(out) == 1:
        return t("1 of {m|word|words} stands out. {which}.", m=scored, which=capital(told))
    return t("{n} of {m|word|words} stand out. {which}.", n=count(len(out)), m=scored, which=capital(told))


def _way(role: str, sign: int, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    named = join([t("“{text}”", text=row["word"]) + " " + _bounded(row) for row in rows[:NAMED]])
    if role == "gender":
        said = (
            t("faces perceived as male are then perceived as female with {words}", words=named)
            if sign > 0
            else t("faces perceived as female are then perceived as male with {words}", words=named)
        )
    elif role == "age":
        said = (
            t("faces are perceived as older with {words}", words=named)
            if sign > 0
            else t("faces are perceived as younger with {words}", words=named)
        )
    elif sign > 0:
        said = t("skin becomes lighter with {words}", words=named)
    else:
        said = t("skin becomes darker with {words}", words=named)
    more = len(rows) - NAMED
    return said + (t(" and {n|other|others}", n=more) if more > 0 else "")


def _bounded(row: Row) -> str:
    names = ("relative_score", "relative_low", "relative_high")
    bounds = [row[name] for name in (names if row["relative_score"] is not None else ("score", "low", "high"))]
    return score_text(*bounds)


def _size(seen: Looked, editor: str, role: str) -> str:
    row = seen.get("model_bias", editor, role)
    if row is None or row.value is None or row.target is None:
        return ""
    bounds = "" if row.low is None or row.high is None else f" ({span(decimal(row.low), decimal(row.high))})"
    return t(
        "Mean size of the words’ biases: {mean}; words that do nothing would show about {chance}.",
        mean=decimal(row.value) + bounds,
        chance=decimal(row.target),
    )


def _data(seen: Looked, editor: str, role: str, words: Sequence[Row]) -> str:
    n, planned = (sum(row[name] for row in words) for name in ("n", "planned"))
    said = t("{n|edit|edits} compared, {missing} missing.", n=n, missing=count(planned - n))
    whole = seen.get("model_bias", editor, role)
    if whole and whole.notes:
        said += " " + capital(notes_words(whole.notes)) + "."
    null = seen.get("null_bias", editor, role)
    if null is None or null.value is None:
        return said
    moved = score_text(null.value, null.low, null.high)
    return said + " " + t("Edits that ask for nothing moved it by {moved}.", moved=moved)


def fate_lines(seen: Looked, editor: str) -> list[tuple[str, str, str]]:
    """Return what became of the edits of an editor: what, how many, and which share of those planned."""
    rows = [row for row in seen.rows if row.metric == "fate" and row.generator == editor]
    return [(_fate(row), count(row.missing), percent(row.value or 0.0, row.n)) for row in rows]


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
