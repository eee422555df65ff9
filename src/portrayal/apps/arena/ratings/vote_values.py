"""What a vote may be written as, and how a row of any shape is read."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

from portrayal.errors import InputError

__all__ = ["A_WINS", "B_WINS", "DRAW", "SKIP", "VoteLists", "names_rater", "parse_outcome", "read_rows"]

A_WINS, B_WINS, DRAW, SKIP = 0, 1, 2, 3
"""Outcomes as they are kept: the first model was better, the second was, neither, and no vote was given."""

# Equal numbers are equal keys, so that this holds 0.0, False and numpy's integers too.
_OUTCOMES: Mapping[Hashable, int] = {
    0: A_WINS, 1: B_WINS, 2: DRAW, 3: DRAW, 0.5: DRAW, -1: DRAW, "draw": DRAW, "tie": DRAW,
    None: SKIP, "": SKIP, "skip": SKIP,
}  # fmt: skip
_ALLOWED = "0 (first model), 1 (second), 2, 3, 0.5, -1, draw or tie (a draw), skip or empty (no vote)"

VoteLists = tuple[list[str], list[str], list[int]]
"""The first model, the second model and the outcome of each vote."""


def parse_outcome(value: object, where: str) -> int:
    """Return the outcome for a vote as people write it; anything else is an error that names ``where``.

    >>> [parse_outcome(value, "row 1") for value in (0, "1.0", True, 3.0, "Tie", None)]
    [0, 1, 1, 2, 2, 3]
    """
    outcome = _OUTCOMES.get(value) if isinstance(value, Hashable) else None
    if outcome is None and isinstance(value, str):
        text = value.strip().casefold()
        outcome = _OUTCOMES.get(text)
        if outcome is None:
            outcome = _OUTCOMES.get(_number(text))
    if outcome is None:
        raise InputError(f"{where}: unknown vote {value!r}; known are {_ALLOWED}")
    return outcome


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")  # equal to no key


def names_rater(row: Any) -> bool:
    """Return whether a row says who gave the vote.

    >>> names_rater({"model_a": "x", "model_b": "y", "vote": 0, "rater": "ada"}), names_rater(("x", "y", 0))
    (True, False)
    """
    return type(row) is not tuple and ("rater" in row if isinstance(row, Mapping) else hasattr(row, "rater"))


def read_rows(
    rows: Iterable[Any], columns: Sequence[str] = (), optional: Collection[str] = ()
) -> tuple[VoteLists, list[list[str]]]:
    """Return the two models and the outcome of each row, and its further ``columns``, as lists.

    A row is an object or named tuple with the attributes ``model_a``, ``model_b`` and ``vote``, a mapping with these
    keys, or a sequence that begins with them; only the first two can have further columns. A row may
    lack those that are ``optional``.
    """
    first: list[str] = []
    second: list[str] = []
    outcomes: list[int] = []
    others: list[list[str]] = [[] for _ in columns]
    outcomes_by_value = _OUTCOMES
    for number, row in enumerate(rows, start=1):
        if type(row) is tuple and len(row) == 3:  # the common case, without a call
            model_a, model_b, vote = row
        else:
            model_a, model_b, vote = _parts(row, number)
        if type(model_a) is not str or type(model_b) is not str or not model_a or not model_b:
            model_a, model_b = _name(model_a, "model_a", number), _name(model_b, "model_b", number)
        try:
            outcomes.append(outcomes_by_value[vote])
        except (KeyError, TypeError):
            outcomes.append(parse_outcome(vote, f"row {number}"))
        first.append(model_a)
        second.append(model_b)
        if columns:
            for name, values in zip(columns, others, strict=True):
                values.append(_further(row, name, None if name in optional else number))
    return (first, second, outcomes), others


def _parts(row: Any, number: int) -> tuple[Any, Any, Any]:
    # Attributes before positions: pandas' named tuples begin with the row's label.
    if hasattr(row, "model_a"):
        return row.model_a, row.model_b, getattr(row, "vote", None)
    if isinstance(row, Mapping):
        for name in ("model_a", "model_b", "vote"):
            if name not in row:
                raise InputError(f"row {number}: '{name}' is missing; a vote needs model_a, model_b and vote")
        return row["model_a"], row["model_b"], row["vote"]
    if isinstance(row, Sequence) and not isinstance(row, str | bytes) and len(row) >= 3:
        return row[0], row[1], row[2]
    raise InputError(f"row {number}: {row!r} is no vote; it must be (model_a, model_b, vote) or have these names")


def _name(value: Any, column: str, number: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"row {number}: {column} must be the name of a model, got {value!r}")
    return str(value)


def _further(row: Any, name: str, number: int | None) -> str:
    value = row.get(name) if isinstance(row, Mapping) else getattr(row, name, None)
    if (
        value is None
        and number is not None
        and not (isinstance(row, Mapping) and name in row)
        and not hasattr(row, name)
    ):
        raise InputError(f"row {number}: '{name}' is missing")
    return "" if value is None else str(value)
