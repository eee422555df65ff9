"""How many images of each prompt were asked for, and why some cannot be used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from portrayal.methods.base import Tables
from portrayal.records import Prompt

__all__ = ["Counts", "read_counts"]

HALLUCINATIONS = ("hallucination", "no_person", "no_face", "set_aside_by_authors")
"""Reasons that mean: nobody is shown."""
_NOT_LOOKED_AT = "not annotated"
_WHOLE = ""
"""The attribute of what is missing as a whole image."""

Lost = Mapping[tuple[str, str], Counter[str]]
"""Prompt and attribute to how many images are missing, by reason."""


@dataclass(frozen=True, slots=True)
class Counts:
    """One generator's images as one annotator found them: asked for by prompt, not made, made and not usable."""

    asked: Mapping[str, int]
    unmade: Lost
    lost: Lost

    def planned(self, prompts: Iterable[Prompt]) -> int:
        """Return how many images were asked for."""
        return sum(self.asked.get(prompt.id, 0) for prompt in prompts)

    def shown(self, prompt: Prompt) -> tuple[int, int]:
        """Return how many images of a prompt the annotator looked at, and in how many nobody is shown."""
        whole = (prompt.id, _WHOLE)
        lost = self.lost.get(whole, Counter[str]())
        unmade = sum(self.unmade.get(whole, Counter[str]()).values())
        looked = self.asked.get(prompt.id, 0) - unmade - lost[_NOT_LOOKED_AT]
        return looked, sum(lost[reason] for reason in HALLUCINATIONS)

    def why_empty(self, prompts: Iterable[Prompt], attribute: str = _WHOLE) -> str:
        """Say why no image of the prompts can be used, or none tells the attribute."""
        chosen = list(prompts)
        if not self.planned(chosen):
            return "not asked: no image planned or imported"
        reasons: Counter[str] = Counter()
        for prompt in chosen:
            for name in dict.fromkeys((_WHOLE, attribute)):
                for lost in (self.unmade, self.lost):
                    reasons.update(lost.get((prompt.id, name), {}))
        told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        return f"no usable image ({told})" if told else "no usable image"


def read_counts(tables: Tables) -> Mapping[tuple[str, str], Counts]:
    """Return the counts of every generator and annotator; the tables are read once, whatever their number."""
    asked: dict[str, dict[str, int]] = {}
    for generator, prompt, count in _rows(tables.planned, "generator", "prompt", "count"):
        asked.setdefault(generator, {})[prompt] = int(count)
    lost: dict[tuple[str, str], dict[tuple[str, str], Counter[str]]] = defaultdict(dict)
    names = ("generator", "annotator", "prompt", "attribute", "reason", "count")
    for generator, annotator, prompt, attribute, reason, count in _rows(tables.missing, *names):
        counter = lost[generator, annotator or ""].setdefault((prompt, attribute or _WHOLE), Counter())
        counter[reason] += int(count)
    return {
        (generator, annotator): Counts(planned, lost[generator, ""], lost[generator, annotator])
        for generator, planned in asked.items()
        for annotator in tables.annotators
    }


def _rows(table: pa.Table, *names: str) -> Iterable[tuple[Any, ...]]:
    return zip(*(table.column(name).to_pylist() for name in names), strict=True)
