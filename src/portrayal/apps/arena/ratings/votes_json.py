"""Votes from JSON: a list of votes, or of battles with a vote for each aspect, as Klassert et al. (2026) have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from portrayal.apps.arena.ratings.vote_values import parse_outcome
from portrayal.apps.arena.ratings.votes import CategoricalColumn, Votes
from portrayal.errors import InputError
from portrayal.inputfile import decode_text
from portrayal.jsonfile import parse_json

__all__ = ["parse_votes_json"]

_SUFFIX = "_vote"


def parse_votes_json(data: bytes, name: str) -> Votes:
    """Return the votes in the bytes of a JSON file: a list of objects with ``model_a``, ``model_b`` and votes.

    ``bias_vote``, ``quality_vote`` and the like become votes of the aspects ``bias``, ``quality``, …; a plain ``vote``
    is kept as it is. Other texts and numbers in an object are kept as groups.

    >>> text = b'[{"model_a": "x", "model_b": "y", "bias_vote": 1.0, "quality_vote": null, "language": "de"}]'
    >>> votes = parse_votes_json(text, "votes.json")
    >>> votes.outcome.tolist(), votes.columns["aspect"].names
    ([1, 3], ('bias', 'quality'))
    """
    battles = _battles(data, name)
    aspects = list(
        dict.fromkeys(key for battle in battles for key in battle if key.removesuffix(_SUFFIX) not in ("", key))
    )
    if not aspects and not any("vote" in battle for battle in battles):
        raise InputError(f"{name}: no battle has 'vote', or votes such as 'bias_vote'")
    for number, battle in enumerate(battles, start=1):
        if aspects and "vote" in battle:
            raise InputError(f"{name}: row {number}: has 'vote', but the file has votes such as '{aspects[0]}' too")
    further = _further(battles, aspects)
    rows = list(_rows(battles, aspects or ["vote"], name))
    sides = CategoricalColumn.of([row[0] for row in rows]), CategoricalColumn.of([row[1] for row in rows])
    columns = {key: CategoricalColumn.of([_text(battles[row[3]].get(key)) for row in rows]) for key in further}
    if aspects:
        columns = {"aspect": CategoricalColumn.of([row[4] for row in rows]), **columns}
    return Votes.join(sides[0], sides[1], [row[2] for row in rows], columns)


def _battles(data: bytes, name: str) -> list[Mapping[str, Any]]:
    battles = parse_json(decode_text(data, name), name, _constant)
    if not isinstance(battles, list) or not all(isinstance(battle, dict) for battle in battles):
        raise InputError(f"{name}: must be a list of objects with model_a, model_b and votes")
    if not battles:
        raise InputError(f"{name}: the list is empty, there are no votes; collect some first, then export them anew")
    return battles


def _constant(text: str) -> float | None:
    # NaN is not JSON, but some tools write it where a vote is missing.
    return None if text == "NaN" else float(text)


def _rows(battles: list[Mapping[str, Any]], aspects: list[str], name: str) -> Iterator[tuple[str, str, int, int, str]]:
    for number, battle in enumerate(battles):
        where = f"{name}: row {number + 1}"
        sides = []
        for side in ("model_a", "model_b"):
            model = battle.get(side)
            if not isinstance(model, str) or not model.strip():
                raise InputError(f"{where}: {side} must be the name of a model, got {model!r}")
            sides.append(model.strip())
        for aspect in aspects:
            outcome = parse_outcome(battle.get(aspect), f"{where}: {aspect}")
            yield sides[0], sides[1], outcome, number, aspect.removesuffix(_SUFFIX)


def _further(battles: list[Mapping[str, Any]], aspects: list[str]) -> list[str]:
    taken = {"model_a", "model_b", "vote", *aspects, *(["aspect"] if aspects else [])}
    is_plain: dict[str, bool] = {}
    for battle in battles:
        for key, value in battle.items():
            is_plain[key] = is_plain.get(key, True) and isinstance(value, str | int | float | None)
    return [key for key, plain in is_plain.items() if plain and key not in taken]


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()
