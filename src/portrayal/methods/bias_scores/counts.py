"""How many images of each prompt were asked for, and why some cannot be used."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from portrayal.evidence import NOT_ANNOTATED, MissingCounts, Plan
from portrayal.records import Note, Prompt, known_reasons

__all__ = ["Counts", "read_counts"]

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
        whole, asked = (prompt.id, _WHOLE), self.asked.get(prompt.id, 0)
        looked = asked - sum(self.unmade.get(whole, {}).values())
        lost = self.lost.get(whole)
        if lost is None:
            return looked, 0
        nobody = sum(lost[code] for code, reason in known_reasons().items() if reason.nobody)
        return looked - lost[NOT_ANNOTATED], nobody

    def why_empty(self, prompts: Iterable[Prompt], attribute: str = _WHOLE) -> Note:
        """Say why no image of the prompts can be used, or none tells the attribute."""
        chosen = list(prompts)
        if not self.planned(chosen):
            return Note("not_asked")
        reasons: Counter[str] = Counter()
        for prompt in chosen:
            for name in dict.fromkeys((_WHOLE, attribute)):
                for lost in (self.unmade, self.lost):
                    reasons.update(lost.get((prompt.id, name), {}))
        told = dict(sorted(reasons.items()))
        return Note.of("no_usable_image_because", **told) if told else Note("no_usable_image")


def read_counts(plan: Plan, missing: MissingCounts) -> Mapping[tuple[str, str], Counts]:
    """Return the counts of every generator and annotator; what is missing is gone through once."""
    asked: dict[str, dict[str, int]] = {}
    for (generator, prompt), count in zip(plan.cells, plan.planned.tolist(), strict=True):
        asked.setdefault(generator, {})[prompt] = count
    lost: dict[tuple[str, str], dict[tuple[str, str], Counter[str]]] = defaultdict(dict)
    for (annotator, attribute, reason), counts in missing.counts.items():
        for place in np.flatnonzero(counts).tolist():
            generator, prompt = plan.cells[place]
            lost[generator, annotator].setdefault((prompt, attribute), Counter())[reason] += int(counts[place])
    return {
        (generator, annotator): Counts(planned, lost[generator, ""], lost[generator, annotator])
        for generator, planned in asked.items()
        for annotator in plan.design.annotators
    }
