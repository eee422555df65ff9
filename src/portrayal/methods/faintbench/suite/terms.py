"""FAIntbench's table of terms: occupations, characteristics and relations with demographic proportions."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from portrayal.records import attribute_table
from portrayal.suites.terms import TERM_ATTRIBUTES, Term, read_terms

__all__ = ["CITATION", "shipped_table", "shipped_terms"]

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
