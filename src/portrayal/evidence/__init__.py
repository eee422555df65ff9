"""From observations to what methods count: which images are usable, and kinds of evidence that are added up."""

from portrayal.evidence.base import Batch, Evidence, Need, Requires, Sums
from portrayal.evidence.design import Cell, Design, Plan
from portrayal.evidence.missing import NOT_ANNOTATED, Missing, MissingCounts
from portrayal.evidence.usable import People, Rule

__all__ = [
    "NOT_ANNOTATED",
    "Batch",
    "Cell",
    "Design",
    "Evidence",
    "Missing",
    "MissingCounts",
    "Need",
    "People",
    "Plan",
    "Requires",
    "Rule",
    "Sums",
]
