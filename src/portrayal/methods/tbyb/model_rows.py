"""The rows of one annotator's captions: all scores of each generator, overall, by category and by term."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from portrayal.evidence import CellTexts, Plan
from portrayal.methods.tbyb.counting import CaptionRows, Counted, Judged, count_captions
from portrayal.methods.tbyb.options import TbybOptions
from portrayal.methods.tbyb.scores import METRICS, RAREFIED, Score, rarefied, scored
from portrayal.methods.tbyb.words import Analyser
from portrayal.metrics.object_intervals import FEW_PROMPTS, object_scores
from portrayal.records import Measurement, Note, said
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["CAPTION", "MATCH", "ModelRows", "StudyCaptions"]

CAPTION, MATCH = "caption", "prompt_match"
_TERM_METRICS = (
    "jaccard_hallucination",
    "hallucination_by_addition",
    "hallucination_by_omission",
    "hallucination_part_added",
    "hallucination_part_omitted",
)
"""The scores that terms have too, in the order of ``ObjectCounts.hallucinated``."""
_RAREFIED_DRAWS = 200


@dataclass(frozen=True, slots=True)
class StudyCaptions:
    """A study's captions by one annotator, counted. Their prompts are the cells of the plan, a generator and a prompt.

    ``planted`` are the captions that were planted, with their shares, where they are known.
    """

    annotator: str
    counted: Counted
    planted: Counted | None

    @classmethod
    def of(cls, plan: Plan, annotator: str, cell_texts: CellTexts | None, analyser: Analyser) -> StudyCaptions:
        """Count the captions of all cells."""
        prompts = [plan.design.prompts[prompt].text for _, prompt in plan.cells]
        texts = cell_texts or CellTexts((), *(np.zeros(0, dtype=np.int64) for _ in range(3)))
        captions = [texts.texts[number] for number in texts.text.tolist()]
        counted = count_captions(analyser, prompts, CaptionRows.of(texts.cell, captions, texts.images))
        truths = [row for row in plan.truths.to_pylist() if row["attribute"] == CAPTION]
        truths = [row for row in truths if (row["generator"], row["prompt"]) in plan.places]
        if not truths:
            return cls(annotator, counted, None)
        cells = [plan.places[row["generator"], row["prompt"]] for row in truths]
        rows = CaptionRows.of(cells, [row["group"] for row in truths], [row["share"] for row in truths])
        return cls(annotator, counted, count_captions(analyser, prompts, rows))


@dataclass(frozen=True)
class ModelRows:
    """Measures captions; ``misses`` counts, by cell, images that show their prompt and those that do not."""

    plan: Plan
    captions: StudyCaptions
    judge: str
    misses: Array | None
    options: TbybOptions

    def measure(self, blank: Measurement, prompts: Sequence[str], rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield the scores of some prompts of a generator; of a single term only its hallucination."""
        cells = self._cells(blank.generator, prompts)
        counts = self.captions.counted.object_counts(cells, self._judged(cells))
        scores = object_scores(counts, draws=self.options.draws, rng=rng)
        silent = Note("none_judged" if self.judge else "nobody_judged")
        planted = self._planted(cells)
        objectless, unfindable = (
            round(float(images[cells].sum()))
            for images in (self.captions.counted.objectless, self.captions.counted.unfindable)
        )
        about = [Note.of(code, n=n) for code, n in (("objectless", objectless), ("unfindable", unfindable)) if n]
        for score in scored(scores, silent, objectless=objectless):
            if blank.level == "term" and score.metric not in _TERM_METRICS:
                continue
            misses = score.metric == "miss_rate"
            images = counts.judged if misses else counts.images
            row = replace(
                blank,
                n=round(float(images.sum())),
                prompts=int((images > 0).sum()),
                # Where each of several people has a caption, there are more captions than pictures.
                missing=max(int(self.plan.planned[cells].sum()) - round(float(images.sum())), 0),
                planted=planted.get(score.metric),
            )
            if misses:
                yield self._filled(replace(row, annotator=self.judge, attribute=MATCH), score)
            else:
                yield self._filled(row, score, about)

    def at_common_size(self, blank: Measurement, rng: np.random.Generator) -> Iterator[Measurement]:
        """Yield B_D at the smallest number of captioned images of any generator, where they differ in it."""
        images = {name: self._images(name) for name in self.plan.generators}
        sizes = {len(prompt) for _, prompt in images.values()} - {0}
        if len(sizes) < 2:  # one without any captioned image has no number that another could be beside
            return
        size = min(sizes)
        for generator, (words, prompt) in images.items():
            row = replace(blank, generator=generator, metric=RAREFIED)
            if not len(prompt):
                yield replace(row, notes=said(Note("no_caption")))
                continue
            score = rarefied(words, prompt, size, draws=_RAREFIED_DRAWS, rng=rng)
            notes = said(Note.of("at_images", n=size), score.note)
            row = replace(row, value=score.value, low=score.low, high=score.high, n=size, notes=notes)
            yield replace(row, prompts=len(np.unique(prompt)))

    def _filled(self, row: Measurement, score: Score, about: Sequence[Note] = ()) -> Measurement:
        few = Note.of("only_prompts", n=row.prompts) if 1 < row.prompts < FEW_PROMPTS else None
        small = Note.of("only_images", n=row.n) if 0 < row.n < self.options.small else None
        notes = said(score.note, *((small, few, *about) if score.value is not None else ()))
        return replace(row, metric=score.metric, value=score.value, low=score.low, high=score.high, notes=notes)

    def _cells(self, generator: str, prompts: Sequence[str]) -> Ints:
        return np.array(sorted(self.plan.places[generator, prompt] for prompt in prompts), dtype=np.int64)

    def _judged(self, cells: Ints) -> Judged:
        if self.misses is None:
            return Judged.nobody(len(cells))
        return Judged(self.misses[cells].sum(axis=1), self.misses[cells][:, 1])

    def _planted(self, cells: Ints) -> dict[str, float]:
        """Return what endless images of these prompts would show: H_J by planted captions, M_G by planted misses."""
        planted_scores: dict[str, float] = {}
        planted = self.captions.planted
        if planted is not None:
            counts = planted.object_counts(cells, Judged.nobody(len(cells)))
            if counts.images.all():
                # Prompts count as often as they have images.
                weight = np.maximum(self.plan.made[cells], 1e-12)
                means = weight @ (counts.hallucinated / counts.images[:, None]) / weight.sum()
                planted_scores |= dict(zip(_TERM_METRICS, means.tolist(), strict=True))
        missed = self._planted_misses[cells]
        if len(cells) and not np.isnan(missed).any():
            weight = np.maximum(self.plan.made[cells], 1e-12)
            planted_scores["miss_rate"] = float(weight @ missed / weight.sum())
        return planted_scores

    @cached_property
    def _planted_misses(self) -> Array:
        """The planted share of images that do not show their prompt, by cell; nan: not known."""
        misses = np.full(len(self.plan.cells), np.nan)
        for row in self.plan.truths.to_pylist():
            place = self.plan.places.get((row["generator"], row["prompt"]))
            if row["attribute"] == MATCH and row["group"] == "miss" and place is not None:
                misses[place] = row["share"]
        return misses

    def _images(self, generator: str) -> tuple[list[Ints], Ints]:
        """Return the words that B_D counts in each captioned image of a generator, and its cell."""
        counted = self.captions.counted
        rows = counted.rows.of_prompts(self._cells(generator, self.plan.generators[generator]))
        row, word = counted.counted.chosen(rows)
        words = np.split(word, np.searchsorted(row, np.arange(1, len(rows)))) if len(rows) else []
        times = counted.rows.images[rows].astype(np.int64)
        repeated = [image for image, count in zip(words, times.tolist(), strict=True) for _ in range(count)]
        return repeated, np.repeat(counted.rows.prompt[rows], times)


assert set(_TERM_METRICS) <= set(METRICS)
