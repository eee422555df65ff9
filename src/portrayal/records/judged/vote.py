"""What a rater said about two pictures on one aspect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from portrayal.records.arrow_rows import record_schema

__all__ = ["RATING_NOTES", "VOTE_SCHEMA", "Vote"]


@dataclass(frozen=True, slots=True)
class Vote:
    """A row of ``tables/votes``. ``model_a`` was shown on the left; ``vote`` is ``0`` for it, ``1`` for the other.

    A ``draw`` favours neither and a ``skip`` is no vote. ``number`` says the how manieth battle of its rater it was,
    ``seconds`` how long that one looked, ``at`` when the answer came, in seconds since 1970. Term, category, language
    and variant are the prompt's, and empty when the study has the prompt no more.
    """

    battle: str
    rater: str
    number: int
    prompt: str
    term: str
    category: str
    language: str
    variant: str
    aspect: str
    model_a: str
    model_b: str
    image_a: str
    image_b: str
    vote: str
    seconds: float
    at: float


VOTE_SCHEMA = record_schema(Vote, number=pa.int32())

RATING_NOTES: Mapping[str, str] = {
    "alone": "met no other model, so that its rating says nothing",
    "apart": "compared only with the models of the same component",
    "one_sided": "some models only won or only lost: a virtual draw of weight 0.5 for each pair keeps ratings finite",
    "only_draws": "every vote is a draw: the interval rests on one virtual vote that is not",
    "few_raters": "fewer than 6 raters: the interval is too narrow",
    "one_rater": "one rater: the interval is about this rater's votes only",
}
"""What can be said of a rating beside its numbers, by a short name."""
