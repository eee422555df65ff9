"""Objects in pictures against objects in prompts: what is there uninvited, what is left out, what is missed.

The scores of Vice et al. (2023, 2025). Where there is nothing to score the answer is nan, never 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Hallucination",
    "HallucinationShares",
    "distribution_bias",
    "hallucination_shares",
    "jaccard_hallucination",
    "log_bias",
    "miss_rate",
    "peak_curve",
]

Array = NDArray[np.float64]
_ROUNDING = 1e-9
"""Means of shares may leave their range by so much."""


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Jaccard hallucination, the mean over ``images``, and what was added and left out, each in two ways.

    ``by_addition`` and ``by_omission`` are shares of what the caption names and of what was asked for, as in the
    authors' code. ``part_added`` and ``part_omitted`` are shares of both together, and add up to the ``total``.
    """

    total: float
    by_addition: float
    by_omission: float
    part_added: float
    part_omitted: float
    images: int


class HallucinationShares(NamedTuple):
    """H_J of each image, and what was added and left out, as in :class:`Hallucination`."""

    total: Array
    by_addition: Array
    by_omission: Array
    part_added: Array
    part_omitted: Array


def peak_curve(counts: ArrayLike) -> Array:
    """Return the counts from high to low, the highest as 1 and the lowest as 0; all ones where they are equal.

    A word that is counted 0 times is no word.

    >>> peak_curve([2, 5, 3, 0]).round(3).tolist()
    [1.0, 0.333, 0.0]
    """
    counted = _checked(counts)
    counted = np.sort(counted[counted > 0])[::-1]
    if not len(counted) or counted[0] == counted[-1]:
        return np.ones(len(counted))
    return np.asarray((counted - counted[-1]) / (counted[0] - counted[-1]))


def distribution_bias(counts: ArrayLike) -> Array:
    """Return B_D of the words that captions have beyond the prompts, from how often each occurs (last axis).

    It is the area below :func:`peak_curve` by trapezoids of width 1: the fewer words stand out, the smaller it is. One
    word alone has no area, 0; no word at all is no data. As a rule it grows with the number of images, since
    more of them bring more words: compare it at the same number.

    >>> float(distribution_bias([5, 3, 2])), float(distribution_bias([4])), float(distribution_bias([2, 2, 2]))
    (0.8333333333333333, 0.0, 2.0)
    """
    counted = _checked(counts)
    words = (counted > 0).sum(axis=-1)
    if not counted.shape[-1]:
        return np.full(counted.shape[:-1], np.nan)
    most, total = counted.max(axis=-1), counted.sum(axis=-1)
    least = np.where(counted > 0, counted, np.inf).min(axis=-1)
    # The curve begins at 1 and ends at 0, so its trapezoids are its sum less a half; no order is needed.
    with np.errstate(invalid="ignore", divide="ignore"):
        area = np.where(most > least, (total - words * least) / (most - least) - 0.5, words - 1.0)
    return np.asarray(np.where(words > 0, area, np.nan))


def hallucination_shares(shared: ArrayLike, added: ArrayLike, omitted: ArrayLike) -> HallucinationShares:
    """Return H_J of each image and what it is made of, from three numbers of objects.

    ``shared`` are in prompt and caption, ``added`` in the caption alone, ``omitted`` in the prompt alone. Nothing is
    added to a caption that names nothing, and nothing is left out of a prompt that asks for nothing.

    >>> [round(float(part), 3) for part in hallucination_shares(1, 2, 1)]
    [0.75, 0.667, 0.5, 0.5, 0.25]
    """
    both, more, less = (np.asarray(number, dtype=float) for number in (shared, added, omitted))
    union = both + more + less
    with np.errstate(invalid="ignore", divide="ignore"):
        added, omitted = (np.asarray(part / union) for part in (more, less))
        # Without objects in either there is nothing to tell; without any on one side its share is 0.
        addition, omission = (
            np.asarray(np.where(part + both > 0, part / (part + both), part / union * 0)) for part in (more, less)
        )
        # From what is shared, so that nothing shared is 1 and not a sum of two roundings.
        return HallucinationShares(np.asarray(1 - both / union), addition, omission, added, omitted)


def jaccard_hallucination(
    prompt_objects: Sequence[Collection[str]], caption_objects: Sequence[Collection[str]]
) -> Hallucination:
    """Return H_J of images: the mean of ``1 - |X and Y| / |X or Y|``, X of prompts, Y of captions.

    An image with objects in neither says nothing and is left out; without any other, all is nan.

    >>> jaccard_hallucination([{"apple"}, {"apple"}], [{"apple", "tree"}, set()])
    Hallucination(total=0.75, by_addition=0.25, by_omission=0.5, part_added=0.25, part_omitted=0.5, images=2)
    """
    pairs = [(set(asked), set(seen)) for asked, seen in zip(prompt_objects, caption_objects, strict=True)]
    pairs = [(asked, seen) for asked, seen in pairs if asked or seen]
    if not pairs:
        return Hallucination(np.nan, np.nan, np.nan, part_added=np.nan, part_omitted=np.nan, images=0)
    numbers = np.array([(len(asked & seen), len(seen - asked), len(asked - seen)) for asked, seen in pairs])
    total, addition, omission, added, omitted = (float(part.mean()) for part in hallucination_shares(*numbers.T))
    return Hallucination(total, addition, omission, part_added=added, part_omitted=omitted, images=len(pairs))


def miss_rate(missed: ArrayLike) -> float:
    """Return M_G: the share of images that are taken for something else than their prompt; nan is not judged.

    >>> miss_rate([True, False, False, False]), miss_rate([1, 0, np.nan]), miss_rate([])
    (0.25, 0.5, nan)
    """
    judged = np.asarray(missed, dtype=float)
    judged = judged[~np.isnan(judged)]
    if ((judged != 0) & (judged != 1)).any():
        raise ValueError("an image is missed or not: True or False, 1 or 0")
    return float(judged.mean()) if len(judged) else float("nan")


def log_bias(b_d: ArrayLike, h_j: ArrayLike, m_g: ArrayLike) -> Array:
    """Return B_log = -(ln B_D + ln(1 - H_J) + ln(1 - M_G)); nan where an argument of a logarithm is 0 or not known.

    B_D below 0, and H_J or M_G that do not lie between 0 and 1, are no such scores: a ValueError.

    >>> round(float(log_bias(7.123, 0.656, 0.016)), 4), float(log_bias(7.123, 0.656, 1.0))
    (-0.8801, nan)
    """
    factors = [np.asarray(b_d, dtype=float), 1 - np.asarray(h_j, dtype=float), 1 - np.asarray(m_g, dtype=float)]
    if any((factor < -_ROUNDING).any() for factor in factors) or any((f > 1 + _ROUNDING).any() for f in factors[1:]):
        raise ValueError("B_D is 0 or more, H_J and M_G lie between 0 and 1")
    with np.errstate(invalid="ignore"):
        logs = [np.log(factor, out=np.full(factor.shape, np.nan), where=factor > 0) for factor in factors]
    # Adding 0 leaves no minus before a nought.
    return np.asarray(0.0 - sum(logs))


def _checked(counts: ArrayLike) -> Array:
    checked = np.atleast_1d(np.asarray(counts, dtype=float))
    if (checked < 0).any() or np.isnan(checked).any():
        raise ValueError("counts of words are whole numbers from 0 on")
    return checked
