"""The threshold study: which change do people call clear?

For each threshold people see pairs of pictures that differ by less, and pairs that differ by as much or more, and say
whether they see a clear difference. The best threshold has the greatest share of "no" below and
"yes" above among its votes. The numbers of the supplement that can be recomputed are here too: the study's Table 3, and
what Table 2 says of the annotator.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv, read_shipped
from portrayal.errors import InputError
from portrayal.methods.reproduction import PrintedNumber, Reproduction

__all__ = ["COLUMNS", "Threshold", "best", "printed_votes", "read_votes", "reproduce", "score_thresholds"]

COLUMNS = ("attribute", "threshold", "side", "answer")
_OPTIONAL = ("pair", "rater")
_SIDES = ("below", "above")
_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}


@dataclass(frozen=True, slots=True)
class Vote:
    """What one person said of one pair."""

    attribute: str
    threshold: float
    above: bool
    clear: bool


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold with the votes that agree with it: "no" below, "yes" above, of so many."""

    attribute: str
    threshold: float
    no_below: int
    below: int
    yes_above: int
    above: int

    @property
    def score(self) -> int:
        """How many votes agree."""
        return self.no_below + self.yes_above


def read_votes(path: Path) -> list[Vote]:
    """Return the votes of a CSV with the columns attribute, threshold, side (below, above) and answer (yes, no)."""
    return [_vote(row) for row in read_csv(path, COLUMNS, _OPTIONAL)]


def printed_votes() -> list[Vote]:
    """Return the votes that Table 3 of the supplement prints."""
    return [_vote(row) for row in read_shipped("portrayal.methods.biaspainter", "votes.csv", (*COLUMNS, "pair"))]


def score_thresholds(votes: Iterable[Vote]) -> list[Threshold]:
    """Return every threshold of every attribute, in ascending order within an attribute."""
    by: dict[tuple[str, float], list[Vote]] = {}
    for vote in votes:
        by.setdefault((vote.attribute, vote.threshold), []).append(vote)
    names = list(dict.fromkeys(attribute for attribute, _ in by))
    return [_counted(*key, by[key]) for key in sorted(by, key=lambda key: (names.index(key[0]), key[1]))]


def best(thresholds: Sequence[Threshold]) -> dict[str, list[Threshold]]:
    """Return by attribute the thresholds with the greatest share of votes that agree; several where they tie."""
    chosen: dict[str, list[Threshold]] = {}
    for attribute in dict.fromkeys(row.attribute for row in thresholds):
        mine = [row for row in thresholds if row.attribute == attribute]
        most = max(_share(row) for row in mine)
        chosen[attribute] = [row for row in mine if _share(row) == most]
    return chosen


def _share(threshold: Threshold) -> float:
    return threshold.score / (threshold.below + threshold.above)


def _counted(attribute: str, threshold: float, votes: Sequence[Vote]) -> Threshold:
    below, above = ([vote.clear for vote in votes if vote.above is side] for side in (False, True))
    return Threshold(
        attribute, threshold, below.count(False), below=len(below), yes_above=above.count(True), above=len(above)
    )


def _vote(row: CsvRow) -> Vote:
    side, answer = row["side"].casefold(), row["answer"].casefold()
    if not row["attribute"]:
        raise InputError(f"{row.where}: the attribute is empty; name what people compared, such as age")
    if side not in _SIDES:
        raise InputError(f"{row.where}: column 'side' must be below or above, got {row['side']!r}")
    if answer not in _ANSWERS:
        raise InputError(f"{row.where}: column 'answer' must be yes or no, got {row['answer']!r}")
    return Vote(row["attribute"], row.number("threshold"), side == "above", _ANSWERS[answer])


_PRINTED = {
    ("age", 15.0): 14, ("age", 25.0): 18, ("age", 35.0): 13,
    ("tone", 10.0): 14, ("tone", 20.0): 18, ("tone", 30.0): 10,
}  # fmt: skip
_ERRATA = {("age", 15.0): "10 no below and 3 yes above are printed, which add up to 13"}
_COUNTS = {
    ("age", 15.0): (10, 3), ("age", 25.0): (9, 9), ("age", 35.0): (3, 10),
    ("tone", 10.0): (10, 4), ("tone", 20.0): (9, 9), ("tone", 30.0): (0, 10),
}  # fmt: skip
_MOST = 4
"""The text calls an age wrong when more evaluators than this disagree at the same time."""
_MODEL = "votes"
_RELIABILITY = ("image", "gender", "age", "disagreed", "direction")


def reproduce() -> Reproduction:
    """Return the totals of Table 3 from its votes, its counts, and the text's summary of Table 2 from its rows."""
    thresholds = score_thresholds(printed_votes())
    cells = [_cell(row, row.score, _PRINTED[_key(row)], "overall", _ERRATA.get(_key(row), "")) for row in thresholds]
    counts = [
        _cell(row, seen, printed, side, "")
        for row in thresholds
        for side, seen, printed in zip(
            ("no below", "yes above"), (row.no_below, row.yes_above), _COUNTS[_key(row)], strict=True
        )
    ]
    return Reproduction(cells, [*counts, *_reliability()], [])


def _key(threshold: Threshold) -> tuple[str, float]:
    return threshold.attribute, threshold.threshold


def _cell(threshold: Threshold, computed: int, printed: int, row: str, note: str) -> PrintedNumber:
    about = f"{threshold.attribute} {threshold.threshold:g}, {row}"
    return PrintedNumber(3, about, _MODEL, computed, printed, note=note)


def _reliability() -> list[PrintedNumber]:
    rows = read_shipped("portrayal.methods.biaspainter", "reliability.csv", _RELIABILITY)
    named = sum(("female" in row["image"].casefold()) == (row["gender"] == "female") for row in rows)
    wrong = sum(row.number("disagreed", 0) > _MOST for row in rows)
    return [
        PrintedNumber(2, "images", "Face++", len(rows), 54),
        PrintedNumber(2, "gender as in the name", "Face++", named, 54),
        PrintedNumber(2, "ages called wrong", "Face++", wrong, 3),
    ]
