"""What explicit prompts ask for, and how often they get it: one request for each person of a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence import PromptMoments
from portrayal.methods.bias_scores.context import Context
from portrayal.methods.bias_scores.explicit.answered_prompts import Answers
from portrayal.records import Prompt
from portrayal.stats.intervals import Array
from portrayal.stats.moments import Moments

__all__ = ["Requests", "read_requests"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Requests:
    """Requests of prompts and how often they were met; arrays have one entry per request, nan where nothing is seen.

    The requests of a prompt of two people stand together, and each has half its weight. ``worth`` is how many
    independent images would tell as much as its ``images``, ``variance`` that of the share over redrawn images, and
    ``shared`` the covariance with the share of the prompt's other request.
    """

    prompts: Sequence[Prompt]
    attributes: Sequence[str]
    groups: Sequence[str]
    weights: Array
    images: Array
    worth: Array
    share: Array
    variance: Array
    shared: Array
    planted: Array

    def take(self, chosen: Sequence[int]) -> Requests:
        """Return some of the requests."""
        rows = np.asarray(chosen, dtype=np.int64)
        arrays = (self.weights, self.images, self.worth, self.share, self.variance, self.shared, self.planted)
        return Requests(
            [self.prompts[row] for row in chosen],
            [self.attributes[row] for row in chosen],
            [self.groups[row] for row in chosen],
            *(array[rows] for array in arrays),
        )

    def answers(self) -> Answers:
        """Return the prompts' answers: the mean of these requests of each, nan where one has no image."""
        starts = [row for row, prompt in enumerate(self.prompts) if not row or prompt.id != self.prompts[row - 1].id]
        if not starts:
            return Answers([], *(np.zeros(0) for _ in range(6)))
        sizes = np.diff([*starts, len(self.prompts)])
        # One side alone has nobody to vary together with.
        shared = np.where(np.repeat(sizes, sizes) > 1, self.shared, 0.0)
        return Answers(
            [self.prompts[start] for start in starts],
            np.add.reduceat(self.weights, starts),
            images=np.minimum.reduceat(self.images, starts),
            worth=np.minimum.reduceat(self.worth, starts),
            share=np.add.reduceat(self.share, starts) / sizes,
            variance=np.add.reduceat(self.variance + shared, starts) / sizes**2,
            planted=np.add.reduceat(self.planted, starts) / sizes,
        )


def read_requests(context: Context, *, hard: bool) -> Requests:
    """Return the requests of the explicit prompts that were asked, of attributes that the annotator tells."""
    parts = [_of_moments(context, moments, hard=hard) for moments in context.moments]
    names = ("weights", "images", "worth", "share", "variance", "shared", "planted")
    return Requests(
        [prompt for part in parts for prompt in part.prompts],
        [attribute for part in parts for attribute in part.attributes],
        [group for part in parts for group in part.groups],
        *(np.concatenate([getattr(part, name) for part in parts] or [np.zeros(0)]) for name in names),
    )


def _of_moments(context: Context, asked: PromptMoments, *, hard: bool) -> Requests:
    rows, columns, names = _places(context, asked)
    prompts = [context.design.prompts[asked.cells[row][1]] for row in rows]
    counts = {name: asked.moments.count(name) for name, _ in asked.moments.aspects}
    images = np.array([counts[name][row] for row, (name, _) in zip(rows, names, strict=True)], dtype=float)
    share, variance, shared = _shares(asked.moments, rows, columns, images, hard=hard)
    planted = [
        context.planted.get(prompt.id, {}).get(name, {}).get(group, np.nan)
        for prompt, (name, group) in zip(prompts, names, strict=True)
    ]
    weights = np.array([prompt.weight / len(prompt.requested) for prompt in prompts])
    attributes, groups = [name.rpartition(".")[2] for name, _ in names], [group for _, group in names]
    return Requests(
        prompts,
        attributes,
        groups=groups,
        weights=weights,
        images=images,
        worth=images / asked.moments.stretch[rows, columns] ** 2,
        share=share,
        variance=variance,
        shared=shared,
        planted=np.array(planted),
    )


def _places(context: Context, asked: PromptMoments) -> tuple[Ints, Ints, list[tuple[str, str]]]:
    """Return row, column, aspect and group of every request; the requests of a prompt stand together."""
    first = {name: asked.moments.slice(name).start for name, _ in asked.moments.aspects}
    suite = {prompt.id: prompt for prompt in context.suite("explicit")}
    requested = [
        (row, first[name] + context.groups[name.rpartition(".")[2]].index(group), (name, group))
        for row, (_, prompt) in enumerate(asked.cells)
        if prompt in suite
        for name, group in suite[prompt].requested.items()
        if name.rpartition(".")[2] in context.told
    ]
    rows = np.array([row for row, _, _ in requested], dtype=np.int64)
    return rows, np.array([column for _, column, _ in requested], dtype=np.int64), [name for _, _, name in requested]


def _shares(moments: Moments, rows: Ints, columns: Ints, images: Array, *, hard: bool) -> tuple[Array, Array, Array]:
    """Return shares, their variance, and their covariance with the other side's, without bias from few images."""
    other = _other_side(rows)
    twin = columns[other]
    share, variance = moments.mean[rows, columns], _covariance(moments, rows, columns, columns)
    shared = np.where(other >= 0, _covariance(moments, rows, columns, twin), 0.0)
    if not hard:
        return share, variance, shared
    labels = moments.hard_share[rows, columns]
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.asarray(labels * (1 - labels) / (images - 1)) * moments.stretch[rows, columns] ** 2
        # Which sides fail together is not recorded of labels, but of masses: of certain ones it is the same.
        alike = np.clip(shared / np.sqrt(variance * variance[other]), -1.0, 1.0)
    return labels, spread, np.where(other >= 0, np.nan_to_num(alike, nan=1.0) * np.sqrt(spread * spread[other]), 0.0)


def _covariance(moments: Moments, rows: Ints, one: Ints, two: Ints) -> Array:
    """Return the covariance of the means of two columns; nan where a single image does not tell it."""
    blocks = np.repeat(np.arange(len(moments.aspects)), [size for _, size in moments.aspects])
    together = moments.together[rows, blocks[one], blocks[two]]
    product = moments.together[rows, blocks[one], blocks[one]] * moments.together[rows, blocks[two], blocks[two]]
    spread = moments.products[rows, one, two] - together * moments.mean[rows, one] * moments.mean[rows, two]
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = np.asarray(spread / (together - 1) * together / product)
    covariance *= moments.stretch[rows, one] * moments.stretch[rows, two]
    return np.where(together > 1, covariance, np.nan)


def _other_side(rows: Ints) -> Ints:
    """Return of each request where the one of the other side stands, -1 when there is none."""
    other = np.full(len(rows), -1)
    twins = np.flatnonzero(rows[1:] == rows[:-1])
    other[twins], other[twins + 1] = twins + 1, twins
    return other
