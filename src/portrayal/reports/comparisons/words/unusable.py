"""Sides of which no picture could be used, and why: then there is nothing to compare, whatever was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import count, join, known

__all__ = ["nothing_to_compare", "unusable_words"]

REASONS = 3
"""Reasons that are named."""


def unusable_words(rows: Sequence[Measurement], sides: Iterable[str]) -> str:
    """Return of which sides no picture could be used, with the reasons; nothing where each has a usable one."""
    said = []
    for side in sides:
        mine = [row for row in rows if row.generator == side]
        reasons = _reasons(mine)
        if reasons and not any(known(row.value) is not None for row in mine if row.metric != "missing"):
            said.append(t("no picture of {model} could be used ({reasons})", model=side, reasons=reasons))
    return join(said)


def nothing_to_compare(rows: Sequence[Measurement], models: Sequence[str]) -> str:
    """Return why models cannot be compared, and what to do about it, for one line on the terminal.

    >>> nothing_to_compare([], ["A"])
    'it takes two models, and there is one model, A; name a second study, or what else to compare: --by'
    """
    if len(models) < 2:
        there = f"there is one model, {models[0]}" if models else "no model has numbers"
        return f"it takes two models, and {there}; name a second study, or what else to compare: --by"
    return unusable_words(rows, models).replace("\xa0", " ") or (
        "two models must have numbers of the same kind, about the same prompts with the same weights, by the same "
        f"annotator (there are {', '.join(models)})"
    )


def _reasons(rows: Sequence[Measurement]) -> str:
    """Return why pictures cannot be used, as the first method and annotator count them, the commonest reason first."""
    lost = [row for row in rows if row.metric == "missing" and row.level == "overall" and row.missing]
    of_pictures = [row for row in lost if not row.attribute] or lost
    mine = [row for row in of_pictures if _whose(row) == _whose(of_pictures[0])]
    counted: Counter[str] = Counter()
    for row in mine:
        counted[row.group] += row.missing
    return ", ".join(f"{reason_words(reason)} {count(number)}" for reason, number in counted.most_common(REASONS))


def _whose(row: Measurement) -> tuple[str, str, str, bool]:
    return row.method, row.annotator, row.attribute, bool(row.variant)
