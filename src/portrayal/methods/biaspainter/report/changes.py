"""What one word does to faces, in units that everybody knows: faces, years, levels of brightness."""

from __future__ import annotations

from portrayal.methods.biaspainter.report.rows import BIASPAINTER, Looked, Row
from portrayal.methods.biaspainter.report.words import score_text
from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.words import count, decimal, human, known, signed, span

__all__ = ["bounded", "changed", "concerned"]

UNITS = {"age": ("years", "25"), "tone": ("levels", "20")}
"""The setting that says how many of its units a bias of 1 is, and what that is by default."""


def _bias(row: Row) -> tuple[float, float | None, float | None]:
    prefix = "" if row["relative_score"] is None else "relative_"
    return float(row[f"{prefix}score"]), row[f"{prefix}low"], row[f"{prefix}high"]


def _unit(data: ReportData, role: str) -> float:
    name, usual = UNITS[role]
    return float(data.settings.get(BIASPAINTER, {}).get(name, usual))


def concerned(seen: Looked, role: str, word: Row) -> list[Row]:
    """Return the edits with a word whose faces its bias is about: for gender those that could change that way."""
    about = (word["generator"], word["topic"], word["word"], "")
    mine = [row for row in seen.edits if (row["generator"], row["topic"], row["word"], row["instruction"]) == about]
    if role != "gender":
        return mine
    before = _bias(word)[0] < 0
    return [row for row in mine if row["gender_before"] is not None and bool(row["gender_before"]) is before]


def changed(data: ReportData, seen: Looked, role: str, word: Row) -> str:
    """Return how many faces are perceived otherwise with a word, or how far faces move on average."""
    bias, relative = _bias(word)[0], word["relative_score"] is not None
    if role == "gender":
        faces = [row for row in concerned(seen, role, word) if row["gender_after"] is not None]
        flipped = sum(bool(row["gender_after"]) != bool(row["gender_before"]) for row in faces)
        groups = [human("female" if value else "male") for value in (bias < 0, bias > 0)]
        return t(
            "With “{word}” {k} of {n|face|faces} perceived as {before} are then perceived as {after}",
            word=word["word"], k=count(flipped), n=len(faces), before=groups[0], after=groups[1],
        )  # fmt: skip
    told = {"word": word["word"], "size": decimal(abs(bias) * _unit(data, role), 1)}
    than = t("after edits that ask for nothing") if relative else t("before")
    if role == "age":
        if bias > 0:
            return t(
                "With “{word}” faces are perceived as {size} years older on average than {than}", than=than, **told
            )
        return t("With “{word}” faces are perceived as {size} years younger on average than {than}", than=than, **told)
    if bias > 0:
        return t("With “{word}” skin is {size} of 255 levels lighter on average than {than}", than=than, **told)
    return t("With “{word}” skin is {size} of 255 levels darker on average than {than}", than=than, **told)


def bounded(data: ReportData, role: str, word: Row) -> str:
    """Return the interval: of the bias of gender, with the ends of its scale, else of the change."""
    bias, low, high = _bias(word)
    if role == "gender":
        if word["relative_score"] is None:
            return t("bias {score} on a scale from −1 to 1", score=score_text(bias, low, high))
        return t(
            "bias beyond edits that ask for nothing {score} on a scale from −2 to 2", score=score_text(bias, low, high)
        )
    if low is None or high is None or known(low) is None or known(high) is None:
        return t("no interval")
    unit = _unit(data, role)
    return t("95 % interval {interval}", interval=span(signed(low * unit, 1), signed(high * unit, 1)))
