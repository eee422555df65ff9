"""Shares of one cell (a language, a variant, overall or a category), beside the reference, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.methods.beside_reference import Comparison
from portrayal.methods.by_language.options import LanguageOptions
from portrayal.methods.by_language.views import by_occupation, images_by_occupation, sampled, small_notes
from portrayal.methods.cells import CellEvidence, people_note
from portrayal.methods.filled_rows import at, bounded, filled, missing_rows
from portrayal.records import Attribute, Measurement, Note, Reference, said
from portrayal.stats.intervals import Array
from portrayal.stats.shares.cells import PromptShares

__all__ = ["ShareRows"]

_COMPARED = ("difference", "ratio", "total_variation", "mean_total_variation")


@dataclass(frozen=True, slots=True)
class _UsablePrompts:
    """What a cell shows: a row for each prompt with usable images, and one for each occupation."""

    prompts: Sequence[str]
    terms: Sequence[str]
    by_prompt: PromptShares
    truth: Array | None
    images: Array
    """How many images of each prompt are used; ``by_prompt`` counts people."""

    def covered(self, places: Sequence[int]) -> _UsablePrompts:
        """Return some of the prompts."""
        truth = None if self.truth is None else self.truth[places]
        prompts, terms = ([column[place] for place in places] for column in (self.prompts, self.terms))
        return _UsablePrompts(prompts, terms, self.by_prompt.take(places), truth, self.images[places])

    def occupations(self, *columns: Array) -> tuple[PromptShares, list[Array]]:
        """Return the cell by occupation, and further columns."""
        return by_occupation(self.by_prompt, self.terms, *columns)


class ShareRows:
    """The measurements of cells: shares, distances from the reference, what is missing."""

    def __init__(self, cells: CellEvidence, references: Mapping[str, Reference], options: LanguageOptions) -> None:
        self.cells = cells
        self._references = references
        self._options = options

    def measure(
        self, row: Measurement, attribute: Attribute, prompts: Sequence[str], rng: np.random.Generator
    ) -> Iterator[Measurement]:
        """Yield what the images of ``prompts`` show of one attribute."""
        yield from self.missing(row, prompts)
        lost = self.cells.missing(row.generator, row.annotator, ("", attribute.name), prompts)
        used = self.cells.used(row.generator, row.annotator, attribute, prompts)
        row = replace(row, missing=sum(lost.values()), prompts=len(used), prompt_set=self.cells.prompt_set(used))
        if not used:
            why = Note.of("no_usable_image_because", **lost) if lost else Note("nobody_looked")
            yield replace(row, metric="share", notes=(why,))
            return
        terms = [self.cells.plan.design.prompts[prompt].term for prompt in used]
        cell = self.cells.shares(row.generator, row.annotator, attribute, used)
        truth = self.cells.truth(row.generator, attribute, used)
        images = self.cells.images(row.generator, row.annotator, attribute, used)
        seen = _UsablePrompts(used, terms, cell, truth, images)
        wanted = [self._references[attribute.name].shares(term) for term in terms]
        places = [place for place, shares in enumerate(wanted) if shares is not None]
        targets = np.array([[shares[group] for group in attribute.groups] for shares in wanted if shares is not None])
        yield from self._shares(row, attribute, seen, targets if len(places) == len(used) else None)
        if places:
            yield from self._compared(row, attribute, seen, (places, targets), rng)

    def missing(self, row: Measurement, prompts: Sequence[str]) -> Iterator[Measurement]:
        """Yield the share of planned images that cannot be used, by reason: whole images, or for one attribute."""
        about = (row.generator, row.annotator, (row.attribute,), prompts)
        reasons = self.cells.missing(*about)
        if not reasons:
            return
        terms = [self.cells.plan.design.prompts[prompt].term for prompt in prompts]
        by_prompt = self.cells.missing_shares(*about)
        yield from missing_rows(row, reasons, by_prompt, bounded(images_by_occupation(by_prompt, terms)))

    def _shares(
        self, row: Measurement, attribute: Attribute, seen: _UsablePrompts, targets: Array | None
    ) -> Iterator[Measurement]:
        cell, _ = seen.occupations()
        bounds = bounded(cell)
        target = None if targets is None else _mean(seen, targets)
        planted = None if seen.truth is None else _mean(seen, seen.truth)
        named = replace(
            row,
            metric="share",
            n=seen.by_prompt.n,
            reference="" if target is None else self._references[attribute.name].name,
            notes=self._few(seen, cell),
        )
        for place, (group, row) in enumerate(zip(attribute.groups, sampled(named, cell), strict=True)):
            filled_in = replace(row, group=group, target=at(target, place), planted=at(planted, place))
            yield filled(filled_in, bounds, place)

    def _few(self, seen: _UsablePrompts, cell: PromptShares) -> tuple[Note, ...]:
        few = small_notes(round(float(seen.images.sum())), cell.prompts, small=self._options.small)
        return said(people_note(seen.by_prompt.n, seen.images), *few)

    def _compared(
        self,
        row: Measurement,
        attribute: Attribute,
        seen: _UsablePrompts,
        wanted: tuple[Sequence[int], Array],
        rng: np.random.Generator,
    ) -> Iterator[Measurement]:
        """Yield the distances from the reference, over the prompts that it covers."""
        places, targets = wanted
        some = seen.covered(places)
        columns = [targets] if some.truth is None else [targets, some.truth]
        cell, (goals, *truth) = some.occupations(*columns)
        notes = self._few(some, cell)
        row = replace(row, reference=self._references[attribute.name].name, n=some.by_prompt.n, notes=notes)
        if len(places) < len(seen.prompts):
            lost = self.cells.missing(row.generator, row.annotator, ("", attribute.name), some.prompts)
            partly = Note.of("reference_covers", n=len(places), m=len(seen.prompts))
            row = replace(row, prompts=len(places), prompt_set=self.cells.prompt_set(some.prompts))
            row = replace(row, missing=sum(lost.values()), notes=(partly, *notes))
        comparison = Comparison(row, cell, goals, truth[0] if truth else None, self._options.draws)
        yield from (distance for distance in comparison.measure(attribute.groups, rng) if distance.metric in _COMPARED)


def _mean(seen: _UsablePrompts, column: Array) -> Array:
    cell, (means,) = seen.occupations(column)
    return cell.mean(means)
