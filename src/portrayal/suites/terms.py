"""The shipped table of terms: occupations, characteristics and relations with demographic proportions.

The facts are FAIntbench's (Luo et al. 2024), see ``data/README.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from portrayal.csvfile import read_csv
from portrayal.records import attribute_table

__all__ = ["FAINTBENCH", "TERM_ATTRIBUTES", "Term", "shipped_terms"]

FAINTBENCH = (
    "Hanjun Luo, Ziye Deng, Ruizhe Chen, Zuozhu Liu (2024): FAIntbench: A Holistic and Precise Benchmark for Bias "
    "Evaluation in Text-to-Image Models. (terms, categories, demographic proportions)"
)
TERM_ATTRIBUTES = ("gender", "race5", "age3")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the table. ``shares`` maps attribute to group to proportion."""

    kind: str
    category: str
    name: str
    side: str
    weight: float
    shares: Mapping[str, Mapping[str, float]]


@cache
def shipped_terms() -> tuple[Term, ...]:
    """Return the shipped table, as the authors released it."""
    known = attribute_table()
    groups = {name: known[name].groups for name in TERM_ATTRIBUTES}
    columns = [group for names in groups.values() for group in names]
    with resources.as_file(resources.files("portrayal.suites") / "data" / "faintbench_terms.csv") as path:
        rows = read_csv(Path(path), ["kind", "category", "term", "side", "weight", *columns])
    return tuple(
        Term(
            row["kind"],
            row["category"],
            row["term"],
            row["side"],
            row.number("weight"),
            {name: {group: row.number(group) for group in names} for name, names in groups.items()},
        )
        for row in rows
    )
