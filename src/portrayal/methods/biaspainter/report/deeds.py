"""What was done to faces, counted in the table of edits: by a word, and by edits that ask for nothing.

Counts are of edits that have an answer, and, where a word is compared with edits that ask for nothing, of faces that
have both. So whatever is said in words is what pictures show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from portrayal.methods.biaspainter.report.looked import BIASPAINTER, Looked, Row
from portrayal.reports.data import ReportData

__all__ = ["Flips", "Moved", "Turned", "bias", "flips", "moved", "null_flips", "null_moved", "null_of_seed"]
__all__ += ["relative", "seed_gender", "unit"]

UNITS = {"age": ("years", "25"), "tone": ("levels", "20")}
"""The setting that says how many of its units a bias of 1 is, and what that is by default."""


@dataclass(frozen=True, slots=True)
class Turned:
    """Of so many edits of men's or of women's faces, as many made the face one of the other perceived gender."""

    turned: int
    edits: int
    faces: int

    @property
    def rate(self) -> float:
        """The share of them."""
        return self.turned / self.edits if self.edits else 0.0


@dataclass(frozen=True, slots=True)
class Flips:
    """What a word did to men's and to women's faces, and what edits that ask for nothing did to the same faces."""

    men: Turned
    women: Turned
    null_men: Turned | None = None
    null_women: Turned | None = None

    @property
    def beyond_men(self) -> float:
        """How much more often men's faces became women's than by edits that ask for nothing."""
        return self.men.rate - (self.null_men.rate if self.null_men else 0.0)

    @property
    def beyond_women(self) -> float:
        """The same of women's faces that became men's."""
        return self.women.rate - (self.null_women.rate if self.null_women else 0.0)

    def about_men(self, score: float) -> bool:
        """Return whether a bias is rather about men's faces than about women's."""
        return self.beyond_men >= -self.beyond_women if score > 0 else -self.beyond_men > self.beyond_women

    def side(self, men: bool) -> tuple[Turned, Turned | None]:
        """Return what the word did to men's or to women's faces, and what edits that ask for nothing did."""
        return (self.men, self.null_men) if men else (self.women, self.null_women)


@dataclass(frozen=True, slots=True)
class Moved:
    """By how many years or levels faces moved on average, with a word and with edits that ask for nothing."""

    word: float
    null: float | None = None

    @property
    def less(self) -> bool:
        """Whether the word moves faces as edits that ask for nothing do, but less far, or not at all."""
        return (
            self.null is not None
            and (self.word == 0 or (self.word > 0) is (self.null > 0))
            and (abs(self.word) < abs(self.null))
        )


def relative(word: Row) -> bool:
    """Return whether a word can be compared with edits that ask for nothing."""
    return word["relative_score"] is not None


def bias(word: Row) -> tuple[float, float | None, float | None]:
    """Return the bias of a word with its bounds: beyond edits that ask for nothing, where there are any."""
    prefix = "relative_" if relative(word) else ""
    return float(word[f"{prefix}score"]), word[f"{prefix}low"], word[f"{prefix}high"]


def unit(data: ReportData, role: str) -> float:
    """Return how many years or levels a bias of 1 is."""
    name, usual = UNITS[role]
    return float(data.settings.get(BIASPAINTER, {}).get(name, usual))


def flips(seen: Looked, word: Row) -> Flips:
    """Return what a word did to perceived gender."""
    edits = [row for row in seen.edits_with(word) if row["gender_bias"] is not None]
    null = [row for row in seen.null_edits(word["generator"]) if row["gender_bias"] is not None]
    if not relative(word):
        return Flips(_turned(edits, "male"), _turned(edits, "female"))
    both = _seeds(edits) & _seeds(null)
    edits, null = ([row for row in rows if _seed(row) in both] for rows in (edits, null))
    return Flips(*(_turned(rows, gender) for rows in (edits, null) for gender in ("male", "female")))


def null_flips(seen: Looked, editor: str) -> Flips:
    """Return what edits that ask for nothing did to perceived gender."""
    null = [row for row in seen.null_edits(editor) if row["gender_bias"] is not None]
    return Flips(_turned(null, "male"), _turned(null, "female"))


def moved(data: ReportData, seen: Looked, role: str, word: Row) -> Moved:
    """Return what a word did to age or tone, every face counted alike where there are null edits to compare with."""
    size = unit(data, role)
    if not relative(word):
        return Moved(float(word["score"]) * size)
    edits, null = (_by_seed(rows, role) for rows in (seen.edits_with(word), seen.null_edits(word["generator"])))
    both = [seed for seed in edits if seed in null]
    if not both:  # of a table that somebody shortened
        return Moved(float(word["score"]) * size)
    return Moved(*(fmean(fmean(biases[seed]) for seed in both) * size for biases in (edits, null)))


def null_moved(data: ReportData, seen: Looked, role: str, editor: str) -> float | None:
    """Return by how many years or levels edits that ask for nothing moved faces on average."""
    biases = [row[f"{role}_bias"] for row in seen.null_edits(editor) if row[f"{role}_bias"] is not None]
    return fmean(biases) * unit(data, role) if biases else None


def null_of_seed(seen: Looked, edit: Row, role: str) -> Sequence[float]:
    """Return how the face of an edit was perceived after edits that ask for nothing."""
    mine = (row for row in seen.null_edits(edit["generator"]) if _seed(row) == _seed(edit))
    return [row[f"{role}_after"] for row in mine if row[f"{role}_after"] is not None]


def _by_seed(rows: Iterable[Row], role: str) -> dict[tuple[str, str], list[float]]:
    biases: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row[f"{role}_bias"] is not None:
            biases.setdefault(_seed(row), []).append(row[f"{role}_bias"])
    return biases


def _seed(row: Row) -> tuple[str, str]:
    return row["seed"], row["seed_image"]


def _seeds(rows: Iterable[Row]) -> set[tuple[str, str]]:
    return set(map(_seed, rows))


def seed_gender(row: Row) -> str:
    """Return the gender that a seed counts as; earlier versions kept only how it was perceived."""
    if row.get("seed_gender"):
        return str(row["seed_gender"])
    return "" if row["gender_before"] is None else "female" if row["gender_before"] else "male"


def _turned(rows: Iterable[Row], gender: str) -> Turned:
    mine = [row for row in rows if seed_gender(row) == gender]
    away = 1 if gender == "male" else -1
    return Turned(sum(row["gender_bias"] == away for row in mine), len(mine), len(_seeds(mine)))
