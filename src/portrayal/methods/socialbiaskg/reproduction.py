"""Recomputing what the paper prints: the numbers of prompts in Table 3, and shares of shared edges in section 5.4."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from portrayal.methods.reproduction import PrintedNumber, Reproduction
from portrayal.methods.socialbiaskg.suite.options import SuiteOptions
from portrayal.methods.socialbiaskg.suite.suite import socialbiaskg_prompts

__all__ = ["reproduce"]

_PAIRS = 292
_TEXT = 0
"""Stands for a number of the text, which is in no table."""
_SHARED = 105
_TYPES = {
    "underrepresented_in, from races": 94,
    "underrepresented_in, from occupations": 6,
    "stereotyped_as": 4,
    "associated_with": 1,
}
_COUNTS = "94, 6, 4 and 1 add up to the 105 shared edges: they are numbers of edges, not percentages"
_GROUPS = {"managers": (13, 12.4), "technicians": (11, 10.5), "service and sales": (11, 10.5), "each other": (10, 9.5)}


def reproduce() -> Reproduction:
    """Return the totals of Table 3 as our suite has them for 292 pairs, and section 5.4's shares from its counts."""
    return Reproduction(list(_prompts()), list(_shares()), [])


def _prompts() -> Iterator[PrintedNumber]:
    made = _made()
    of = {
        "occupation only": (made["occupation", "simple"] + made["occupation", "contextual"], 400),
        "race only": (made["race", "simple"], 11),
        "occupation and race": (made["pair", "simple"] + made["pair", "contextual"], 1168),
        "simple": (sum(count for (_, wording), count in made.items() if wording == "simple"), 403),
        "contextual": (sum(count for (_, wording), count in made.items() if wording == "contextual"), 1176),
        "all": (sum(made.values()), 1579),
    }
    for row, (computed, printed) in of.items():
        yield PrintedNumber(3, row, "prompts", computed, printed)
    note = "11 fewer than Table 3, as many as there are prompts for races alone"
    yield PrintedNumber(_TEXT, "all, in section 4.1", "prompts", sum(made.values()), 1568, note=note)


@cache
def _made() -> dict[tuple[str, str], int]:
    """Return how many prompts the suite has for 292 pairs, by kind and wording."""
    counts: dict[tuple[str, str], int] = {}
    for prompt in socialbiaskg_prompts(SuiteOptions(pairs="all")):
        key = (prompt.kind, prompt.variant.partition(" ")[0])
        counts[key] = counts.get(key, 0) + 1
    pairs = counts["pair", "simple"]
    return {key: count * _PAIRS // pairs if key[0] == "pair" else count for key, count in counts.items()}


def _shares() -> Iterator[PrintedNumber]:
    for row, count in _TYPES.items():
        yield PrintedNumber(
            _TEXT, f"{row}, in section 5.4", "all five", 100 * count / _SHARED, count, tolerance=0.05, note=_COUNTS
        )
    for row, (count, printed) in _GROUPS.items():
        yield PrintedNumber(_TEXT, f"{row}, in section 5.4", "all five", 100 * count / _SHARED, printed, tolerance=0.05)
    edges = sum(count for count, _ in _GROUPS.values()) + 6 * _GROUPS["each other"][0]
    yield PrintedNumber(_TEXT, "edges of all groups, in section 5.4", "all five", edges, _SHARED)
