"""Captions counted: what of each prompt is in them, what is left out, and which words came uninvited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import ArrayLike, NDArray

from portrayal.methods.tbyb.words import Analyser, Match
from portrayal.methods.tbyb.words.matching import Objects
from portrayal.metrics.object_intervals import ObjectCounts
from portrayal.metrics.objects import hallucination_shares
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["CaptionRows", "Counted", "Judged", "count_captions", "summed"]

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CaptionRows:
    """Captions in the order of their prompts: the number of the prompt, the text, and how many images have it.

    In place of a number it may be a share of the images.
    """

    prompt: Ints
    captions: Sequence[str]
    images: Array

    @classmethod
    def of(cls, prompt: ArrayLike, captions: Sequence[str], images: ArrayLike) -> CaptionRows:
        """Return rows that come in any order."""
        numbers = np.asarray(prompt, dtype=np.int64)
        order = np.argsort(numbers, kind="stable")
        texts = [captions[place] for place in order.tolist()]
        return cls(numbers[order], texts, np.asarray(images, dtype=float)[order])

    def where(self, kept: Bools) -> CaptionRows:
        """Return some of the rows."""
        return CaptionRows(self.prompt[kept], list(compress(self.captions, kept)), self.images[kept])

    def of_prompts(self, prompts: Ints) -> Ints:
        """Return the places of the rows of some prompts."""
        begins, ends = (np.searchsorted(self.prompt, prompts, side=side) for side in ("left", "right"))
        lengths = ends - begins
        later = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.asarray(np.repeat(begins, lengths) + later)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """By prompt: how many images were judged whether they show it, and how many do not."""

    judged: Array
    missed: Array

    @classmethod
    def nobody(cls, prompts: int) -> Judged:
        """Return that nothing was judged."""
        return cls(np.zeros(prompts), np.zeros(prompts))


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Rows of captions as objects. Of a prompt that names none there are no rows: ``objectless`` counts its images.

    ``shared``, ``added`` and ``omitted`` are numbers of objects. The uninvited words of a row are those in ``flat``, as
    places in ``words``, from its place in ``starts`` on to that of the next; ``matches`` say what each word stands for.
    """

    prompts: Sequence[str]
    objects: Sequence[Objects]
    rows: CaptionRows
    shared: Ints
    added: Ints
    omitted: Ints
    words: Sequence[str]
    starts: Ints
    flat: Ints
    matches: Sequence[Sequence[Match]]
    objectless: Array

    def uninvited(self, chosen: Ints) -> tuple[Ints, Ints]:
        """Return, for each uninvited word of the chosen rows, the place of the row among them and the word's number."""
        begins, lengths = self.starts[chosen], np.diff(self.starts)[chosen]
        later = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.repeat(np.arange(len(chosen)), lengths), self.flat[np.repeat(begins, lengths) + later]

    def object_counts(self, prompts: Ints, judged: Judged) -> ObjectCounts:
        """Return what the rows of some prompts hold, by prompt; ``prompts`` are numbers in their order."""
        chosen = self.rows.of_prompts(prompts)
        place = np.searchsorted(prompts, self.rows.prompt[chosen])
        parts = np.column_stack(hallucination_shares(self.shared[chosen], self.added[chosen], self.omitted[chosen]))
        images = self.rows.images[chosen]
        sums = [summed(place, images * part, len(prompts)) for part in parts.T]
        row, word = self.uninvited(chosen)
        used, column = np.unique(word, return_inverse=True)
        words = summed(place[row] * len(used) + column, images[row], len(prompts) * len(used))
        table = words.reshape(len(prompts), len(used))
        captioned = summed(place, images, len(prompts))
        return ObjectCounts(captioned, np.column_stack(sums), table, judged.judged, judged.missed)


def summed(places: Ints, numbers: Array, size: int) -> Array:
    """Return the sum of the numbers at each place."""
    return np.bincount(places, numbers, size).astype(np.float64)


def count_captions(analyser: Analyser, prompts: Sequence[str], rows: CaptionRows) -> Counted:
    """Return captions as objects; each different caption of a prompt is matched once.

    What is hallucinated about a prompt that asks for no object ("an orange" is a colour) cannot be told.
    """
    analyser.prepare([*prompts, *dict.fromkeys(rows.captions)])
    objects = [analyser.objects(prompt) for prompt in prompts]
    asks = np.array([bool(own) for own in objects], dtype=bool)[rows.prompt]
    objectless = summed(rows.prompt[~asks], rows.images[~asks], len(prompts))
    rows = rows.where(asks)
    known: dict[tuple[Objects, str], tuple[tuple[int, int, int], tuple[int, ...], list[Match]]] = {}
    numbers: dict[str, int] = {}
    found = []
    for prompt, caption in zip(rows.prompt.tolist(), rows.captions, strict=True):
        key = objects[prompt], caption
        if key not in known:
            known[key] = _matched(objects[prompt], analyser.match(objects[prompt], caption), numbers)
        found.append(known[key])
    sizes = np.array([sizes for sizes, _, _ in found], dtype=np.int64).reshape(-1, 3)
    lengths = np.array([0, *(len(words) for _, words, _ in found)], dtype=np.int64)
    flat = np.fromiter((word for _, words, _ in found for word in words), dtype=np.int64)
    matches = [own for _, _, own in found]
    shared, added, omitted = sizes.T
    starts, words = np.cumsum(lengths), list(numbers)
    return Counted(prompts, objects, rows, shared, added, omitted, words, starts, flat, matches, objectless)


def _matched(
    objects: Objects, matches: list[Match], numbers: dict[str, int]
) -> tuple[tuple[int, int, int], tuple[int, ...], list[Match]]:
    asked = {item.lemma for item in objects}
    seen = {match.object for match in matches}
    extra = sorted(seen - asked)
    sizes = len(asked & seen), len(extra), len(asked - seen)
    return sizes, tuple(numbers.setdefault(word, len(numbers)) for word in extra), matches
