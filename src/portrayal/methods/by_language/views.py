"""What is reported together: the prompts of a language and a way of asking, all of them or those of one category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.methods.cells import Level
from portrayal.methods.filled_rows import at
from portrayal.records import Measurement, Note, Prompt, said
from portrayal.stats.intervals import Array
from portrayal.stats.shares.cells import PromptShares, worth
from portrayal.stats.shares.prompt_sample import sample_intervals

__all__ = [
    "FEMININE",
    "View",
    "by_occupation",
    "images_by_occupation",
    "levels",
    "occupations",
    "sampled",
    "small_notes",
    "views",
]

FEMININE = "feminine"
"""The way of asking that names the women of an occupation; what it shows is no default."""


@dataclass(frozen=True, slots=True)
class View:
    """The prompts of a language and a variant; an empty variant is all that ask for nobody in particular."""

    language: str
    variant: str
    prompts: Sequence[Prompt]


def views(prompts: Iterable[Prompt]) -> Iterator[View]:
    """Yield for each language first all that ask for nobody in particular, then each variant."""
    languages: dict[str, dict[str, list[Prompt]]] = defaultdict(lambda: defaultdict(list))
    for prompt in prompts:
        languages[prompt.language][prompt.variant].append(prompt)
    for language, variants in languages.items():
        neutral = [p for asked in variants.values() for p in asked if p.variant != FEMININE and not p.requested]
        if neutral:
            yield View(language, "", neutral)
        yield from (View(language, variant, asked) for variant, asked in variants.items() if variant)


def levels(prompts: Iterable[Prompt]) -> Iterator[Level]:
    """Yield the whole, then each category, with the ids of its prompts."""
    known = list(prompts)
    yield Level("overall", "", [prompt.id for prompt in known])
    categories: dict[str, list[str]] = defaultdict(list)
    for prompt in known:
        categories[prompt.category].append(prompt.id)
    yield from (Level("category", item, ids) for item, ids in categories.items() if item)


def occupations(prompts: Iterable[Prompt]) -> Iterator[Level]:
    """Yield each occupation, with the ids of its prompts."""
    terms: dict[str, list[str]] = defaultdict(list)
    for prompt in prompts:
        terms[prompt.term].append(prompt.id)
    yield from (Level("term", item, ids) for item, ids in terms.items() if item)


def by_occupation(cell: PromptShares, terms: Sequence[str], *columns: Array) -> tuple[PromptShares, list[Array]]:
    """Return the cell with a row for each term, and the means of further columns, from one with a row for each prompt.

    An occupation asked about in several ways is one occupation. Its share is the mean over its prompts; its images
    count for as many as would know that mean as well.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, term in enumerate(terms):
        places[term.casefold()].append(place)
    rows = list(places.values())
    shape = len(rows), cell.shares.shape[1]
    independent = [len(row) ** 2 / (1 / cell.independent[row]).sum(axis=0) for row in rows]
    merged = PromptShares.of(
        np.array([cell.shares[row].mean(axis=0) for row in rows]).reshape(shape),
        [len(row) ** 2 / float((1 / cell.counts[row]).sum()) for row in rows],
        [float(cell.weights[row].mean()) for row in rows],
        independent=np.array(independent).reshape(shape),
        shared=cell.shared,
    )
    return merged, [np.array([column[row].mean(axis=0) for row in rows]) for column in columns]


def images_by_occupation(cell: PromptShares, terms: Sequence[str]) -> PromptShares:
    """Return the cell with a row for each term, in which every image counts alike, from one with a row for each prompt.

    >>> cell = PromptShares.of([[0.5], [0.0]], counts=[2, 6])
    >>> images_by_occupation(cell, ["nurse", "nurse"]).shares.tolist()
    [[0.125]]
    """
    names, places = np.unique([term.casefold() for term in terms], return_inverse=True)
    images, lost = np.zeros(len(names)), np.zeros((len(names), cell.shares.shape[1]))
    np.add.at(images, places, cell.counts)
    np.add.at(lost, places, cell.shares * cell.counts[:, None])
    return PromptShares.of(lost / images[:, None], images, images)


def small_notes(images: int, occupations: int, *, small: int, of: str = "only_images") -> tuple[Note, ...]:
    """Return warnings when there is too little to lean on: few images (or pairs), or fewer than five occupations.

    >>> small_notes(400, 3, small=30), small_notes(400, 100, small=30)
    ((Note(code='only_occupations', values=(('n', '3'),)),), ())

    The interval of one occupation is about that one alone, and thus shorter than that of two:

    >>> [note.code for note in small_notes(12, 1, small=30)], [note.code for note in small_notes(12, 2, small=30)]
    (['only_images', 'only_occupations'], ['only_images'])
    """
    few = Note.of(of, n=images) if images < small else None
    narrow = occupations == 1 or (few is None and 1 < occupations < 5)
    return said(few, Note.of("only_occupations", n=occupations) if narrow else None)


def sampled(row: Measurement, cell: PromptShares) -> Iterator[Measurement]:
    """Yield the row for each group, with what its share is worth and the bounds for occupations like these."""
    (low, high), images = sample_intervals(cell), worth(cell)
    for place in range(len(images)):
        yield replace(row, worth=float(images[place]), like_low=at(low, place), like_high=at(high, place))
