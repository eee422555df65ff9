"""FAIntbench's table of terms: occupations, characteristics and relations with demographic proportions.

The mapping of occupations to ISCO-08 codes is our own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from portrayal.csvfile import read_shipped
from portrayal.records import attribute_table
from portrayal.suites.known import Known
from portrayal.suites.term_tables import TERM_ATTRIBUTES, Term, read_terms

__all__ = ["CITATION", "coded_occupations", "shipped_table", "shipped_terms"]

CITATION = (
    "Hanjun Luo, Ziye Deng, Ruizhe Chen, Zuozhu Liu (2024): FAIntbench: A Holistic and Precise Benchmark for Bias "
    "Evaluation in Text-to-Image Models. (terms, categories, demographic proportions)"
)
_TABLE = resources.files("portrayal.methods.faintbench") / "data" / "terms.csv"


def shipped_table() -> str:
    """Return the shipped table as CSV text, to be edited and given back as a table of one's own."""
    return _TABLE.read_text(encoding="utf-8")


@cache
def shipped_terms() -> tuple[Term, ...]:
    """Return the shipped table, as the authors released it, errors included."""
    known = attribute_table()
    with resources.as_file(_TABLE) as path:
        return read_terms(Path(path), {name: known[name].groups for name in TERM_ATTRIBUTES}, check=False)


def coded_occupations() -> Iterator[Known]:
    """Yield the occupations with their codes; some have none: students and the like."""
    rows = read_shipped("portrayal.methods.faintbench", "isco.csv", ["term", "isco"])
    codes = {row["term"]: row["isco"] for row in rows}
    for term in shipped_terms():
        if term.kind == "occupation":
            yield Known(term.name, codes[term.name], categories=(term.category,))
