"""Where an interval is still wider than wanted: by the counts and the interval that reports have, for each unit.

A unit is what one interval is about: the prompts of a term, of a category, all of them, or a single one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from portrayal.annotators import looks_itself
from portrayal.evidence import Cell
from portrayal.methods.base import Counting
from portrayal.methods.cells import CellEvidence, CellNeeds
from portrayal.records import Attribute, Prompt, Stop
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array
from portrayal.stats.sequential.allocation import allocated, spread_of
from portrayal.stats.sequential.fixed_width import GROWTH, confidence_at_stops, half_width, times_as_many
from portrayal.stats.shares.cells import PromptShares, side_worths
from portrayal.study.measure.collect import collect
from portrayal.study.run_control import RunControl
from portrayal.study.sampling.wanted import Wanted
from portrayal.study.study import OpenStudy

__all__ = ["ByWidth"]

_UNKNOWN = 2.0
"""Where no image of a pilot can be used, as many again are drawn: what is missing may be missing for a while only."""


@dataclass(frozen=True)
class ByWidth:
    """What is to be known, of whom and how well, with the counts that say it."""

    study: OpenStudy
    cells: CellEvidence
    attribute: Attribute
    annotators: Sequence[str]
    groups: Sequence[int]
    half: float
    confidence: float

    @classmethod
    def of(cls, study: OpenStudy, control: RunControl) -> ByWidth | None:
        """Count what annotators saw; None when asked to stop meanwhile."""
        settings = study.config.sampling
        assert settings is not None
        needs = CellNeeds.of(_counting(study))
        quiet = RunControl(stopped=control.stopped, workers=1)
        cells = CellEvidence(collect(study, list(needs), quiet), needs)
        if control.stopped():
            return None
        attribute = study.attributes[settings.about.attribute]
        group = settings.about.group
        return cls(
            study,
            cells,
            attribute,
            annotators_of(study),
            groups=[attribute.groups.index(group)] if group else range(len(attribute.groups)),
            half=settings.tolerance,
            confidence=confidence_at_stops(settings.error_rate),
        )

    def wanted(self, asked: Mapping[Cell, int], most: Mapping[Cell, int]) -> dict[Cell, Wanted]:
        """Return what each prompt of each generator should have, from how many were asked for, and may be at most."""
        wanted: dict[Cell, Wanted] = {}
        for generator, about, prompts in self._units(asked):
            tried = {each.id for each in prompts if asked[generator, each.id] > self._pilot}
            used = {prompt for who in self.annotators for prompt in self._used(generator, who, prompts)}
            # Of those nothing more is drawn, and the others are what the unit can be known by.
            for prompt in tried - used:
                wanted[generator, prompt] = Wanted(asked[generator, prompt], Stop.UNUSABLE, about)
            if usable := [prompt for prompt in prompts if prompt.id not in tried - used]:
                known = [(generator, prompt.id) for prompt in usable]
                so_far = np.array([asked[cell] for cell in known], dtype=np.int64)
                limits = np.array([max(most[cell], asked[cell]) for cell in known], dtype=np.int64)
                seen = [self._seen(generator, who, usable, tried) for who in self.annotators]
                images, each = self._of_unit([one for one in seen if one is not None], so_far, limits)
                for cell, number in zip(known, images.tolist(), strict=True):
                    wanted[cell] = replace(each, images=number, about=about)
        return wanted

    def _of_unit(self, seen: Sequence[_Seen], so_far: Ints, limits: Ints) -> tuple[Ints, Wanted]:
        """Return how many images each prompt of a unit should have, and what that rests on."""
        widest = max(seen, key=lambda each: each.half)
        half = widest.half if math.isfinite(widest.half) else None
        if widest.half <= self.half + 1e-12:
            return so_far, Wanted(0, Stop.NARROW, usable=widest.usable, half_width=half)
        times = max(max(each.times for each in seen), GROWTH)
        total = math.ceil(min(float(so_far.sum()) * times, float(limits.sum())))
        images = allocated(total, so_far, limits, widest.worth)
        return images, Wanted(0, Stop.NONE, usable=widest.usable, half_width=half)

    @property
    def _pilot(self) -> int:
        assert self.study.config.sampling is not None
        return self.study.config.sampling.pilot

    def _units(self, asked: Mapping[Cell, int]) -> Iterator[tuple[str, str, list[Prompt]]]:
        assert self.study.config.sampling is not None
        level, by_unit = self.study.config.sampling.about.of, defaultdict[tuple[str, str], list[Prompt]](list)
        prompts = self.study.suite.prompts if self.study.suite else ()
        for generator in self.study.generators:
            for prompt in prompts:
                if (generator, prompt.id) in asked:
                    by_unit[generator, _about(prompt, level)].append(prompt)
        yield from ((generator, about, each) for (generator, about), each in by_unit.items())

    def _used(self, generator: str, annotator: str, prompts: Sequence[Prompt]) -> list[str]:
        """Return the prompts of which an annotator can use any image."""
        return self.cells.used(generator, annotator, self.attribute, [prompt.id for prompt in prompts])

    def _seen(self, generator: str, annotator: str, prompts: Sequence[Prompt], tried: Set[str]) -> _Seen | None:
        """Return how well the shares of some prompts are known, as one annotator sees them.

        None where it can use no image of any, though more than a pilot of each was drawn: it will tell nothing.
        """
        ids, used = [prompt.id for prompt in prompts], self._used(generator, annotator, prompts)
        cell = self.cells.shares(generator, annotator, self.attribute, ids)
        weights = np.array([prompt.weight for prompt in prompts])
        if not used:
            return None if set(ids) <= tried else _Seen(math.inf, _UNKNOWN, weights, 0)
        below, above = side_worths(cell, self.confidence)
        share = cell.share.clip(0, 1)
        halves = half_width(share, below, above, self.confidence)[list(self.groups)]
        times = [times_as_many(share[g], (below[g], above[g]), self.half, self.confidence) for g in self.groups]
        places = np.array([ids.index(prompt) for prompt in used], dtype=np.int64)
        # A prompt without a usable image says nothing yet, and leaves its term known in part.
        half = float(halves.max()) if set(ids) <= tried | set(used) else math.inf
        return _Seen(half, max(times), weights * self._spread(cell, places, len(ids)), cell.n)

    def _spread(self, cell: PromptShares, places: Ints, prompts: int) -> Array:
        spread = np.full(prompts, 0.5)
        groups = list(self.groups)
        seen = (cell.shares * cell.counts[:, None])[:, groups]
        spread[places] = spread_of(seen, cell.counts, cell.share.clip(0, 1)[groups])
        return spread


@dataclass(frozen=True, slots=True)
class _Seen:
    """Half of the widest interval, how many times as many images it takes, and what the next image tells by prompt."""

    half: float
    times: float
    worth: Array
    usable: int


def annotators_of(study: OpenStudy) -> list[str]:
    """Return the annotators that say how the construct is seen: the one that is named, or all who tell it.

    Labels that are brought in come after the pictures: none of them is there when a round is decided.
    """
    settings = study.config.sampling
    assert settings is not None
    name, attribute = settings.about.annotator, settings.about.attribute
    looking = [who for who, (_, annotator) in study.annotators.items() if looks_itself(annotator)]
    telling = [who for who in looking if attribute in study.design.annotators.get(who, ())]
    return [who for who in telling if not name or name in study.annotator_names(who)]


def _about(prompt: Prompt, level: str) -> str:
    if level == "overall":
        return ""
    return str(getattr(prompt, level, "")) or prompt.text if level != "prompt" else prompt.text


def _counting(study: OpenStudy) -> Counting:
    """Return how the study's methods count images, the first that says so."""
    return next((method.options for method in study.methods if isinstance(method.options, Counting)), Counting())
