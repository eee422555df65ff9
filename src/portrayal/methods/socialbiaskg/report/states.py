"""What became of each relation that people see: repeated, contradicted, undecided or not tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from portrayal.methods.socialbiaskg.report.relations import EdgeRow

__all__ = ["State", "by_state", "even_too", "state"]


class State(Enum):
    """What can be said of a relation that people see, all of them together corrected for chance."""

    REPEATED = "repeated"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"
    UNTESTED = "untested"


def state(edge: EdgeRow) -> State:
    """Return what can be said of one: that it is there needs one metric that is sure, that it is not needs all."""
    if edge.found is None:
        return State.UNTESTED
    if edge.found:
        sure = any(row["holds"] and row["sure"] for row in edge.tests)
        return State.REPEATED if sure else State.UNDECIDED
    return State.CONTRADICTED if all(row["sure"] for row in edge.tests) else State.UNDECIDED


def by_state(edges: Sequence[EdgeRow]) -> Mapping[State, list[EdgeRow]]:
    """Return the relations that people see, by what can be said of them; the clearest first."""
    states: dict[State, list[EdgeRow]] = {name: [] for name in State}
    for edge in edges:
        if edge.annotated:
            states[state(edge)].append(edge)
    states[State.REPEATED].sort(key=lambda edge: (even_too(edge), -edge.intensity))
    return states


def even_too(edge: EdgeRow) -> bool:
    """Return whether a model that shows all groups equally often would have the relation too.

    Not where the group is surely rarer than in such a model.
    """
    row = edge.decides
    return bool(edge.found and row is not None and row["even"] is not None and not row["rarer"])
