"""What became of each relation that people see: repeated, contradicted, undecided or not tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from portrayal.methods.socialbiaskg.report.rows import EdgeRow

__all__ = ["State", "by_state", "even_too", "state"]


class State(Enum):
    """What can be said of a relation that people see, all of them together corrected for chance."""

    REPEATED = "repeated"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"
    UNTESTED = "untested"


def state(own: EdgeRow) -> State:
    """Return what can be said of one: that it is there needs one metric that is sure, that it is not needs all."""
    if own.found is None:
        return State.UNTESTED
    if own.found:
        sure = any(row["holds"] and row["sure"] for row in own.tests)
        return State.REPEATED if sure else State.UNDECIDED
    return State.CONTRADICTED if all(row["sure"] for row in own.tests) else State.UNDECIDED


def by_state(edges: Sequence[EdgeRow]) -> Mapping[State, list[EdgeRow]]:
    """Return the relations that people see, by what can be said of them; the clearest first."""
    found: dict[State, list[EdgeRow]] = {name: [] for name in State}
    for own in edges:
        if own.annotated:
            found[state(own)].append(own)
    found[State.REPEATED].sort(key=lambda own: (even_too(own), -own.intensity))
    return found


def even_too(own: EdgeRow) -> bool:
    """Return whether a model that shows all groups equally often would have the relation too.

    Not where the group is surely rarer than in such a model.
    """
    row = own.decides
    return bool(own.found and row is not None and row["even"] is not None and not row["rarer"])
