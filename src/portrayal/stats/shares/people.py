"""Several people in a picture: they resemble one another, so that they know less than as many pictures would."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from portrayal.stats.intervals import Array

__all__ = ["PeopleCounts", "independent_people"]

ALIKE = 5
"""Pictures in which all people are of one group, that count beside those seen: few pictures hardly show how alike
their people are."""


@dataclass(frozen=True, slots=True, eq=False)
class PeopleCounts:
    """By prompt: how many people (``people``) in how many ``pictures``, and sums over these of m squared, x squared and
    x m, if a picture shows m people, x of whom are of a group (prompts, groups).
    """

    people: Array
    pictures: Array
    people_squared: Array
    group_squared: Array
    group_people: Array


def independent_people(shares: Array, counts: PeopleCounts) -> Array:
    """Return as how many independent people those of each prompt count, by group (prompts, groups).

    The variance of a share is that of a ratio of sums over pictures. It is compared with that of as many people drawn
    one by one (the design effect of Kish 1965), and never taken for smaller, nor for larger than if all people of a
    picture were of one group.

    >>> alike = PeopleCounts(np.array([40.0]), np.array([20.0]), *(np.array([own]) for own in (80.0, [40.0], [40.0])))
    >>> independent_people(np.array([[0.5]]), alike).round(1).tolist()
    [[20.0]]
    """
    people, pictures = counts.people[:, None], counts.pictures[:, None]
    squares = counts.people_squared[:, None]
    most = np.divide(squares, people, out=np.ones_like(people), where=people > 0)
    residuals = counts.group_squared - 2 * shares * counts.group_people + shares**2 * squares
    spread = people * shares * (1 - shares)
    few = pictures <= 1
    more = np.where(few, 1.0, pictures / np.where(few, 1.0, pictures - 1))
    effect = np.divide(residuals * more, spread, out=np.array(np.broadcast_to(most, shares.shape)), where=spread > 1e-9)
    effect = (pictures * np.maximum(effect, 1.0) + ALIKE * most) / (pictures + ALIKE)
    return np.asarray(people / np.clip(effect, 1.0, np.maximum(most, 1.0)))
