"""FAIntbench's occupations with their ISCO-08 codes; the mapping is our own."""

from __future__ import annotations

from collections.abc import Iterator

from portrayal.csvfile import read_shipped
from portrayal.methods.faintbench.suite.terms import shipped_terms
from portrayal.suites.known import Known

__all__ = ["coded_occupations"]


def coded_occupations() -> Iterator[Known]:
    """Yield the occupations; some have no code: students and the like."""
    rows = read_shipped("portrayal.methods.faintbench", "isco.csv", ["term", "isco"])
    codes = {row["term"]: row["isco"] for row in rows}
    for term in shipped_terms():
        if term.kind == "occupation":
            yield Known(term.name, codes[term.name], categories=(term.category,))
