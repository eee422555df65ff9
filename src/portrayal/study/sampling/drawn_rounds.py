"""What was decided so far: read from ``tables/rounds``, so that who runs a study again goes on from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from portrayal.evidence import Cell
from portrayal.records import DrawnRound, Prompt, Stop, from_table
from portrayal.stats.sequential.fixed_width import confidence_at_stops
from portrayal.stats.sequential.looks import confidence_at_looks, times_at_looks
from portrayal.store.workspace import Workspace
from portrayal.study.sampling.settings import SamplingConfig

if TYPE_CHECKING:
    from portrayal.study.study import OpenStudy

__all__ = ["Allowance", "Rounds", "allowance", "allowance_of", "read_rounds", "released"]

_USUAL = 0.05
_LAST = "SELECT * FROM rounds WHERE number = (SELECT max(number) FROM rounds)"


@dataclass(frozen=True)
class Rounds:
    """The decisions of the last look, by generator and prompt; ``looks`` is how many looks there were."""

    rows: Sequence[DrawnRound] = ()
    pilot: int = 0

    @property
    def looks(self) -> int:
        """How many looks were made."""
        return self.rows[0].number if self.rows else 0

    @cached_property
    def by_cell(self) -> Mapping[Cell, DrawnRound]:
        """The row of each generator and prompt."""
        return {(row.generator, row.prompt): row for row in self.rows}

    def images(self, generator: str, prompt: Prompt, most: int) -> int:
        """Return how many images of a prompt may be drawn by now: those of the pilot, until a look says otherwise."""
        row = self.by_cell.get((generator, prompt.id))
        return min(row.images if row else self.pilot, most)

    def is_over(self, rule: str) -> bool:
        """Return whether the last look stopped everything, by the same rule."""
        return bool(self.rows) and all(row.reason != Stop.NONE and row.rule == rule for row in self.rows)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What optional stopping costs: how many times p-values count, and the confidence of each interval."""

    times: int = 1
    confidence: float = 1 - _USUAL


def read_rounds(workspace: Workspace, settings: SamplingConfig | None) -> Rounds:
    """Return what the last look decided; without settings there is no pilot."""
    return Rounds(list(from_table(workspace.query(_LAST), DrawnRound)), settings.pilot if settings else 0)


def released(study: OpenStudy) -> Rounds | None:
    """Return what may be drawn by now; None where everything may."""
    return read_rounds(study.workspace, study.config.sampling) if study.config.sampling else None


def allowance(settings: SamplingConfig, looks: int) -> Allowance:
    """Return what is to be allowed for after so many looks.

    Where the width of an interval says when to stop, the interval is made for that. Where a verdict does, each look has
    a part of the error rate.
    """
    times = times_at_looks(settings.rounds, looks)
    if settings.about.policy:
        return Allowance(times, confidence_at_looks(_USUAL, times))
    return Allowance(times, confidence_at_stops(settings.error_rate))


def allowance_of(study: OpenStudy) -> Allowance | None:
    """Return what is to be allowed for in the numbers of a study; None where its images were all drawn at once."""
    settings, rounds = study.config.sampling, read_rounds(study.workspace, study.config.sampling)
    if settings is not None:
        return allowance(settings, rounds.looks)
    # Without its settings it is still a run that the looks ended: what the last of them allowed for stands with it.
    return Allowance(rounds.rows[0].looks, rounds.rows[0].confidence) if rounds.rows else None
