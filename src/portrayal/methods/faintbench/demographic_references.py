"""FAIntbench's demographic proportions as references: of its own occupations, and by ISCO code of others too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

from portrayal.methods.faintbench.suite.terms import CITATION, shipped_terms
from portrayal.records import Attribute, Reference
from portrayal.suites.named_references import check_groups, refuse_choice
from portrayal.suites.reference_tables import TableChoice, read_table

__all__ = ["US", "released", "us"]

US = (
    "US shares by occupation as released with FAIntbench (Luo, Deng, Chen, Liu 2024). Its authors name the US Bureau "
    "of Labor Statistics and Census and do not say of which year. An occupation that they do not have gets the mean of "
    "theirs with the same ISCO-08 code."
)
_US_GROUPS: Mapping[str, Sequence[str]] = {"gender": ("male", "female"), "age3": ("young", "middle_aged", "elderly")}


def released(attribute: Attribute, choice: TableChoice) -> Reference:
    """Return the proportions of the table of terms."""
    refuse_choice(choice)
    terms = [term for term in shipped_terms() if attribute.name in term.shares and term.kind == "occupation"]
    check_groups("faintbench", attribute, tuple(terms[0].shares[attribute.name]) if terms else ())
    # A few released rows hold a negative share, which is no proportion: those terms stay without a reference.
    shares = {term.name.casefold(): term.shares[attribute.name] for term in terms}
    usable = {name: row for name, row in shares.items() if min(row.values()) >= 0}
    return Reference("faintbench", attribute.name, usable, source=CITATION)


def us(attribute: Attribute, choice: TableChoice) -> Reference:
    """Return the proportions that the authors took from US statistics, of occupations near to theirs too."""
    check_groups("us", attribute, _US_GROUPS.get(attribute.name, ()))
    with resources.as_file(resources.files("portrayal.methods.faintbench") / "data" / "reference_us.csv") as path:
        return replace(read_table(Path(path), attribute, choice), name="us", source=US)
