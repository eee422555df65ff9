"""Captions counted: what of each prompt is in them, what is left out, and which words came uninvited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import ArrayLike, NDArray

from portrayal.methods.tbyb.words import Analyser, Asked, Match
from portrayal.metrics.object_intervals import ObjectCounts
from portrayal.metrics.objects import hallucination_shares
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["CaptionRows", "Counted", "Judged", "WordRows", "count_captions", "summed"]

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
class WordRows:
    """Words by row: those in ``flat``, as places in ``words``, from the row's place in ``starts`` on to the next."""

    words: Sequence[str]
    starts: Ints
    flat: Ints

    @classmethod
    def of(cls, rows: Sequence[Iterable[str]]) -> WordRows:
        """Return the words of each row, each in alphabetical order."""
        listed = [sorted(row) for row in rows]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(word for row in listed for word in row))}
        lengths = np.array([0, *(len(row) for row in listed)], dtype=np.int64)
        flat = np.fromiter((numbers[word] for row in listed for word in row), dtype=np.int64)
        return cls(list(numbers), np.cumsum(lengths), flat)

    def chosen(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return, for each word of the chosen rows, the place of the row among them and the word's number."""
        begins, lengths = self.starts[rows], np.diff(self.starts)[rows]
        later = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return np.repeat(np.arange(len(rows)), lengths), self.flat[np.repeat(begins, lengths) + later]


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Rows of captions as objects. Of a prompt that names none there are no rows: ``objectless`` counts its images.

    ``shared``, ``added`` and ``omitted`` are numbers of objects, and ``counted`` the words of the distribution bias, as
    the option ``people`` says. ``uninvited`` are the words that nothing in the prompt asked for, with people as one
    word; ``matches`` say what each word stands for. ``unfindable`` counts the images of prompts for a man or a woman,
    whom the released order finds in no caption.
    """

    prompts: Sequence[str]
    asked: Sequence[Asked]
    rows: CaptionRows
    shared: Ints
    added: Ints
    omitted: Ints
    counted: WordRows
    uninvited: WordRows
    matches: Sequence[Sequence[Match]]
    objectless: Array
    unfindable: Array

    def object_counts(self, prompts: Ints, judged: Judged) -> ObjectCounts:
        """Return what the rows of some prompts hold, by prompt; ``prompts`` are numbers in their order."""
        chosen = self.rows.of_prompts(prompts)
        place = np.searchsorted(prompts, self.rows.prompt[chosen])
        parts = np.column_stack(hallucination_shares(self.shared[chosen], self.added[chosen], self.omitted[chosen]))
        images = self.rows.images[chosen]
        sums = [summed(place, images * part, len(prompts)) for part in parts.T]
        row, word = self.counted.chosen(chosen)
        used, column = np.unique(word, return_inverse=True)
        words = summed(place[row] * len(used) + column, images[row], len(prompts) * len(used))
        table = words.reshape(len(prompts), len(used))
        captioned = summed(place, images, len(prompts))
        return ObjectCounts(captioned, np.column_stack(sums), table, judged.judged, judged.missed)


def summed(places: Ints, numbers: Array, size: int) -> Array:
    """Return the sum of the numbers at each place."""
    return np.bincount(places, numbers, size).astype(np.float64)


@dataclass(frozen=True, slots=True)
class _Caption:
    """One caption of a prompt: numbers of objects, the words of B_D, the uninvited ones, what each word stands for."""

    sizes: tuple[int, int, int]
    counted: frozenset[str]
    uninvited: frozenset[str]
    matches: Sequence[Match]


def count_captions(analyser: Analyser, prompts: Sequence[str], rows: CaptionRows) -> Counted:
    """Return captions as objects; each different caption of a prompt is matched once.

    What is hallucinated about a prompt that asks for no object ("an orange" is a colour) cannot be told.
    """
    analyser.prepare([*prompts, *dict.fromkeys(rows.captions)])
    asked = [analyser.asked(prompt) for prompt in prompts]
    asks = np.array([bool(objects.merged) for objects in asked], dtype=bool)[rows.prompt]
    objectless = summed(rows.prompt[~asks], rows.images[~asks], len(prompts))
    rows = rows.where(asks)
    known: dict[tuple[Asked, str], _Caption] = {}
    captions = []
    for prompt, caption in zip(rows.prompt.tolist(), rows.captions, strict=True):
        key = asked[prompt], caption
        if key not in known:
            known[key] = _read(analyser, *key)
        captions.append(known[key])
    shared, added, omitted = np.array([caption.sizes for caption in captions], dtype=np.int64).reshape(-1, 3).T
    counted, uninvited = (
        WordRows.of([getattr(caption, name) for caption in captions]) for name in ("counted", "uninvited")
    )
    matches = [caption.matches for caption in captions]
    lost = np.array([analyser.never_finds(objects) for objects in asked], dtype=bool)[rows.prompt]
    unfindable = summed(rows.prompt[lost], rows.images[lost], len(prompts))
    return Counted(
        prompts,
        asked,
        rows=rows,
        shared=shared,
        added=added,
        omitted=omitted,
        counted=counted,
        uninvited=uninvited,
        matches=matches,
        objectless=objectless,
        unfindable=unfindable,
    )


def _read(analyser: Analyser, asked: Asked, caption: str) -> _Caption:
    matches, scored = analyser.match(asked, caption), analyser.scored(asked, caption)
    both, more, less = scored.asked & scored.seen, scored.seen - scored.asked, scored.asked - scored.seen
    uninvited = frozenset(match.object for match in matches) - asked.names
    return _Caption((len(both), len(more), len(less)), scored.counted, uninvited, matches)
