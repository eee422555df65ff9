"""Implicit scores as other images of the same prompts would give them, drawn a few prompts at a time.

A score that is highest on target falls when its shares are noisy: few images make every model look more biased than
it is. The fall is estimated by redrawing the images, and the estimate's own shortfall by redrawing the redrawn (the
iterated bootstrap of Hall and Martin 1988).

Draws of all prompts at once would fill the memory: a thousand draws of 20,000 prompts are gigabytes. So prompts are
drawn in batches, and what is kept of a batch is small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from portrayal.methods.bias_scores.prompt_sets import PromptSet
from portrayal.records import aspect
from portrayal.stats.intervals import Array

__all__ = ["Redraws", "batches", "redraw"]

_NUMBERS = 1_000_000
"""Numbers in one array of draws: 8 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Redraws:
    """What redrawing tells about the scores of prompts; nan where a prompt has none.

    ``corrected`` (prompts, attributes) are the scores that unlimited images would give, as well as can be told, and
    ``covariance`` (prompts, attributes, attributes) is how these would vary. ``likely`` (draws, prompts, attributes)
    are scores of shares that may be true given the images, ``on_target`` of what models with exactly the demographic
    shares would show.
    """

    corrected: Array
    covariance: Array
    likely: Array
    on_target: Array


def batches(prompt_set: PromptSet, draws: int) -> Iterator[range]:
    """Yield the prompts of a set, as many at a time as memory allows."""
    step = max(1, _NUMBERS // (draws * prompt_set.wanted.shape[1]))
    for start in range(0, len(prompt_set.prompts), step):
        yield range(start, min(start + step, len(prompt_set.prompts)))


def redraw(prompt_set: PromptSet, attributes: Sequence[str], draws: int, rng: np.random.Generator) -> Redraws:
    """Redraw the images of all prompts of the set."""
    moments = prompt_set.moments
    noise = moments.noise(draws, rng)
    once = moments.mean + noise
    twice = once + moments.noise(draws, rng)
    seen, first = prompt_set.score(moments.mean, attributes), prompt_set.score(once, attributes)
    corrected = 3 * seen - 3 * first.mean(axis=0) + prompt_set.score(twice, attributes).mean(axis=0)
    slopes = [_slopes(prompt_set, shares, attributes) for shares in (moments.mean[None], once, twice)]
    likely = prompt_set.score(np.maximum(moments.smooth + noise, 0.0), attributes)
    chance = prompt_set.score(_on_target(prompt_set, draws, rng), attributes)
    for made_up in (likely, chance):  # shares that were never seen can be made up, scores must not
        made_up[:, np.isnan(seen)] = np.nan
    return Redraws(corrected, _covariance(first, slopes, moments.covariance), likely, chance)


def _covariance(scores: Array, slopes: Sequence[Array], covariance: Array) -> Array:
    """Return the covariance of corrected scores, given redrawn scores and the slopes of those seen and redrawn.

    The correction makes a score depend more strongly on the shares, so it varies more than the redrawn scores do. What
    of their variance follows the shares in a straight line (by Stein's identity their mean slope tells) is replaced by
    what the corrected score's slope gives; what is bent stays.
    """
    centred = scores - scores.mean(axis=0)
    spread = np.einsum("dpa,dpb->pab", centred, centred) / len(scores)
    seen, once, twice = slopes
    steeper = 3 * seen - 3 * once + twice
    straight, corrected = (np.einsum("pai,pij,pbj->pab", slope, covariance, slope) for slope in (once, steeper))
    return np.asarray(spread - straight + corrected)


def _slopes(prompt_set: PromptSet, shares: Array, attributes: Sequence[str]) -> Array:
    """Return how scores change with each share (prompts, attributes, columns), averaged over draws."""
    slopes = np.zeros((len(prompt_set.prompts), len(attributes), prompt_set.wanted.shape[1]))
    for place, name in enumerate(attributes):
        for side in range(prompt_set.people):
            columns = prompt_set.moments.slice(aspect(name, side, prompt_set.people))
            slopes[:, place, columns] = _slope(shares[..., columns], prompt_set.wanted[:, columns]) / prompt_set.people
    return slopes


def _slope(shares: Array, wanted: Array) -> Array:
    """Return the derivative of (cosine + 1) / 2 by the shares (draws, prompts, columns), averaged over draws.

    That of the cosine is (w - cosine s / |s|) / |s|, where w are the wanted shares of length 1. What is as large as all
    draws is gone through three times only: for the lengths, the cosines, and the mean of the second term.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        unit = wanted / np.linalg.norm(wanted, axis=-1, keepdims=True)
        length = np.sqrt(np.vecdot(shares, shares))
        along = np.einsum("dp,dpi->pi", np.vecdot(shares, unit) / length**3, shares) / len(shares)
        return np.asarray(((1 / length).mean(axis=0)[:, None] * unit - along) / 2)


def _on_target(prompt_set: PromptSet, draws: int, rng: np.random.Generator) -> Array:
    """Return shares that as many images would show of models with the demographic shares.

    Masses vary less than labels do; so much less do those of the models on target, aspect by aspect.
    """
    moments, wanted = prompt_set.moments, prompt_set.wanted
    drawn = np.empty((draws, *wanted.shape))
    variance = np.diagonal(moments.covariance, axis1=1, axis2=2)
    labels = moments.smooth * (1 - moments.smooth)
    for name, _ in moments.aspects:
        columns = moments.slice(name)
        target = np.nan_to_num(wanted[:, columns])
        total = target.sum(axis=1, keepdims=True)
        target = np.divide(target, total, out=np.zeros_like(target), where=total > 0)
        spread = variance[:, columns].sum(axis=1) / labels[:, columns].sum(axis=1)
        steps = np.sqrt(target) * rng.standard_normal((draws, *target.shape))
        steps -= target * steps.sum(axis=-1, keepdims=True)
        drawn[..., columns] = target + np.sqrt(spread)[:, None] * steps
    return drawn
