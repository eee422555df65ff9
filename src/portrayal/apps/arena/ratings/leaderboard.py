"""What rating votes gives: rows for each model, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from portrayal.apps.arena.ratings.correlation import Correlation
from portrayal.apps.arena.ratings.ranks import Neighbour
from portrayal.apps.arena.ratings.rater_agreement import RaterAgreement
from portrayal.apps.arena.ratings.win_counts import WinRate
from portrayal.records import RATING_NOTES

__all__ = ["RESERVED", "Leaderboard", "Rating", "Section"]


@dataclass(frozen=True, slots=True)
class Rating:
    """One model's ratings from one section's votes.

    ``elo`` follows the votes in their order; ``elo_mean``, ``elo_low`` and ``elo_high`` are its mean and 2.5 and 97.5
    percentiles over random orders. ``low`` and ``high`` bound the 95 % interval of ``bradley_terry``, ``rank_low``
    (best) and ``rank_high`` (worst) the rank within the ``component``. ``notes`` are keys of ``RATING_NOTES``.
    """

    model: str
    elo: float
    elo_mean: float
    elo_low: float
    elo_high: float
    bradley_terry: float
    low: float
    high: float
    rank: int
    rank_low: int
    rank_high: int
    battles: int
    wins: int
    losses: int
    draws: int
    component: int
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the row with its notes in words."""
        return {**asdict(self), "notes": list(self.notes), "note": "; ".join(RATING_NOTES[name] for name in self.notes)}


@dataclass(frozen=True, slots=True)
class Section:
    """The votes of one aspect or group, rated apart; ``keys`` are the columns that it was chosen by."""

    keys: Mapping[str, str]
    votes: int
    skipped: int
    raters: int | None
    resampled: str
    ratings: Sequence[Rating] = ()
    neighbours: Sequence[Neighbour] = ()
    win_rates: Sequence[WinRate] = ()
    agreement: RaterAgreement = field(default_factory=RaterAgreement)
    correlations: Sequence[Correlation] = ()

    def summary(self) -> dict[str, Any]:
        """Return what the section rests on."""
        return {
            **self.keys,
            "votes": self.votes,
            "skipped": self.skipped,
            "raters": self.raters,
            "resampled": self.resampled,
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All sections, with the parameters they were computed with."""

    sections: Sequence[Section]
    parameters: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return everything as lists of flat rows; each row begins with its section's keys."""
        return {
            "ratings": [{**part.keys, **row.as_json()} for part in self.sections for row in part.ratings],
            "neighbours": [{**part.keys, **asdict(row)} for part in self.sections for row in part.neighbours],
            "win_rates": [{**part.keys, **asdict(row)} for part in self.sections for row in part.win_rates],
            "agreement": [{**part.keys, **asdict(part.agreement)} for part in self.sections],
            "correlations": [{**part.keys, **asdict(row)} for part in self.sections for row in part.correlations],
            "sections": [part.summary() for part in self.sections],
            "votes": sum(part.votes for part in self.sections),
            "skipped": sum(part.skipped for part in self.sections),
            "parameters": dict(self.parameters),
        }


RESERVED = {
    *(column.name for kind in (Rating, Neighbour, WinRate, RaterAgreement, Correlation) for column in fields(kind)),
    *("votes", "skipped", "resampled"),
}
"""Names of the results, which a column to rate by cannot have."""
