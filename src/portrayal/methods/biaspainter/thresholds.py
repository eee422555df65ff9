"""The threshold study: which change do people call clear?

For each threshold people see pairs of pictures that differ by less, and pairs that differ by as much or more, and say
whether they see a clear difference. The best threshold has the greatest share of "no" below and
"yes" above among its votes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from portrayal.csvfile import CsvRow, read_csv, read_shipped
from portrayal.errors import InputError

__all__ = ["COLUMNS", "Threshold", "best", "printed_votes", "read_votes", "score_thresholds"]

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


def best(found: Sequence[Threshold]) -> dict[str, list[Threshold]]:
    """Return by attribute the thresholds with the greatest share of votes that agree; several where they tie."""
    chosen: dict[str, list[Threshold]] = {}
    for attribute in dict.fromkeys(own.attribute for own in found):
        mine = [own for own in found if own.attribute == attribute]
        most = max(_share(own) for own in mine)
        chosen[attribute] = [own for own in mine if _share(own) == most]
    return chosen


def _share(own: Threshold) -> float:
    return own.score / (own.below + own.above)


def _counted(attribute: str, threshold: float, votes: Sequence[Vote]) -> Threshold:
    below, above = ([vote.clear for vote in votes if vote.above is side] for side in (False, True))
    return Threshold(attribute, threshold, below.count(False), len(below), above.count(True), len(above))


def _vote(row: CsvRow) -> Vote:
    side, answer = row["side"].casefold(), row["answer"].casefold()
    if not row["attribute"]:
        raise InputError(f"{row.where}: the attribute is empty; name what people compared, such as age")
    if side not in _SIDES:
        raise InputError(f"{row.where}: column 'side' must be below or above, got {row['side']!r}")
    if answer not in _ANSWERS:
        raise InputError(f"{row.where}: column 'answer' must be yes or no, got {row['answer']!r}")
    return Vote(row["attribute"], row.number("threshold"), side == "above", _ANSWERS[answer])
