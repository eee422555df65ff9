"""What differs most, and what of it is said once."""

from __future__ import annotations

from collections.abc import Sequence

from portrayal.reports.comparisons.difference import Difference, DifferenceVerdict
from portrayal.reports.comparisons.matching import is_share

__all__ = ["DIFFERENT", "one_of_each", "surest"]

DIFFERENT = (DifferenceVerdict.MORE, DifferenceVerdict.LESS)


def surest(each: Difference) -> tuple[bool, bool, float, float]:
    """Return what orders differences: found ones first, shares before scores, then by the bound nearest to none."""
    nearest = each.low if each.value > 0 else -each.high
    return (
        each.verdict not in DIFFERENT,
        not is_share(each.one),
        -nearest if nearest == nearest else 1.0,
        each.adjusted if each.adjusted == each.adjusted else 2.0,
    )


def one_of_each(found: Sequence[Difference]) -> list[Difference]:
    """Return the first difference about each item and attribute: a second group or annotator says it again.

    So does a category, or all prompts, where these are one term: the term is named.
    """
    first: dict[tuple[str, ...], Difference] = {}
    for each in found:
        row = each.one
        about = (row.generator, each.other.generator, row.attribute, row.language, row.variant)
        prompts = row.prompt_set if is_share(row) and row.prompt_set else row.item
        known = first.setdefault((*about, prompts), each).one
        if row.level == "term" != known.level and row.group == known.group:
            first[(*about, prompts)] = each
    return list(first.values())
