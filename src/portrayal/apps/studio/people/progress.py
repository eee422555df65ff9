"""How far people are, and how far they agree: read from the databases that the sites write, also while they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import portrayal
from portrayal.errors import PortrayalError
from portrayal.language.numbers import count, decimal
from portrayal.language.translation import t
from portrayal.records import attribute_table
from portrayal.reports.text.words import aspect_title, capital, human

__all__ = ["AgreedOn", "PeopleProgress", "people_progress"]

_MOST_VOTES = 20_000
"""Votes that are rated while a page waits; more are for the site's own page."""
_DRAWS = 100


@dataclass(frozen=True, slots=True)
class AgreedOn:
    """A row of what people said: about what, in numbers, and how sure that is."""

    about: str
    said: str
    sure: str = ""


@dataclass(frozen=True, slots=True)
class PeopleProgress:
    """How far one of the sites is, in a sentence; what was said; and whether it can come into the study."""

    done: str = ""
    rows: Sequence[AgreedOn] = ()
    can_collect: bool = False


def people_progress(study: Path, name: str) -> PeopleProgress:
    """Return how far a site is; nothing where nobody has answered yet."""
    try:
        match name:
            case "labels" if (study / "labels").is_dir():
                return _labels(study)
            case "arena" if (study / "arena").is_dir():
                return _arena(study)
    except PortrayalError:  # there is no answer yet, or the database is in use by another program
        pass
    return PeopleProgress()


def _labels(study: Path) -> PeopleProgress:
    status = portrayal.Labels(study).status()
    done = t(
        "{complete} of {n|picture|pictures} complete, {answers|answer|answers} by {people|person|people}.",
        complete=count(status.complete),
        n=status.pictures,
        answers=status.answers,
        people=sum(one.progress.done > 0 for one in status.raters),
    )
    rows = [
        AgreedOn(
            capital(aspect_title(one.attribute, attribute_table())),
            t("{alike} of {n|picture|pictures} judged alike", alike=count(one.alike), n=one.pictures),
            ""
            if one.alpha is None
            else t(
                "agreement {value}, where 1 is full and 0 what chance gives (Krippendorff's alpha)",
                value=decimal(one.alpha, 2),
            ),
        )
        for one in status.agreement
        if one.pictures
    ]
    return PeopleProgress(done, rows, can_collect=status.complete > 0)


def _arena(study: Path) -> PeopleProgress:
    votes = portrayal.Arena(study).votes()
    table = votes.to_arrow()
    if not table.num_rows:
        return PeopleProgress(t("Nobody has voted yet."))
    raters = len(set(table["rater"].to_pylist())) if "rater" in table.schema.names else 0
    done = t("{n|vote|votes} by {people|person|people}.", n=table.num_rows, people=raters)
    if table.num_rows > _MOST_VOTES:
        return PeopleProgress(done)
    board = portrayal.rate(votes, aspects=(), draws=_DRAWS)
    rows = [
        AgreedOn(
            " · ".join([*(capital(human(value)) for value in section.keys.values()), row.model]),
            t("won {wins} of {n|comparison|comparisons}", wins=count(row.wins), n=row.battles),
            t("place {low} to {high}", low=row.rank_low, high=row.rank_high),
        )
        for section in board.sections
        for row in section.ratings
    ]
    return PeopleProgress(done, rows)
