"""Two sides compared: every difference, and what could not be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import Matched
from portrayal.reports.comparisons.ordering import DIFFERENT
from portrayal.reports.text.words import join

__all__ = ["ComparedSides"]


@dataclass(frozen=True)
class ComparedSides:
    """Two sides: every difference, the surest first, and what could not be compared."""

    one: str
    other: str
    differences: Sequence[Difference]
    matched: Matched

    @cached_property
    def different(self) -> list[Difference]:
        """Those that chance does not explain, shares first: who is shown comes before any score."""
        return [each for each in self.differences if each.verdict in DIFFERENT]

    def incomplete(self) -> list[str]:
        """Return what is not compared, and why."""
        matched, said = self.matched, []
        for name, topics in ((self.one, matched.only_one), (self.other, matched.only_other)):
            if items := list(dict.fromkeys(topic.item or t("all prompts") for topic in topics)):
                said.append(t("only {model} has numbers: {items}", model=name, items=_some(items)))
        if items := list(dict.fromkeys(row.item or t("all prompts") for row, _ in matched.other_prompts)):
            said.append(
                t("usable pictures are of different prompts, or these have other weights: {items}", items=_some(items))
            )
        if items := list(dict.fromkeys(row.item or t("all prompts") for row, _ in matched.other_pictures)):
            said.append(t("too few pictures that both could judge: {items}", items=_some(items)))
        return said


def _some(items: Sequence[str], most: int = 5) -> str:
    if len(items) <= most:
        return join(items)
    return t("{items} and {n|more|more}", items=", ".join(items[:most]), n=len(items) - most)
