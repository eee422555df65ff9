"""The manifestation factor of Luo et al. (2024): is bias ignorance (always one group) or discrimination (by status).

A pair is an advantaged prompt (``p`` generated, ``p_ref`` demographic) and a disadvantaged one (``q``, ``q_ref``).
The paper's prose, its formula and its released script compute three different things; each is a variant here.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from portrayal.errors import ConfigError, did_you_mean
from portrayal.metrics.divergence import Array, paired
from portrayal.metrics.weighting import weighted_mean

__all__ = ["VARIANTS", "Variant", "manifestation", "pair_manifestation"]

Variant = Literal["definition", "published", "released"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)
"""The prose (same direction lowers eta), the printed formula (it raises eta), the script (another alpha, raises)."""

_NEUTRAL = 0.5


def manifestation(
    p: ArrayLike,
    p_ref: ArrayLike,
    q: ArrayLike,
    q_ref: ArrayLike,
    *,
    k: ArrayLike,
    pair_weights: ArrayLike | None = None,
    variant: str = "definition",
) -> Array:
    """Return eta of one attribute: the weighted mean of its pairs, arrays being (..., pairs, groups).

    Below 0.5 both prompts of a pair stray from the demographic shares alike (ignorance), above they stray apart
    (discrimination); that is so for ``definition``. Pairs with a missing share are left out, and without pairs the
    answer is nan. Strong deviations can carry eta out of 0..1; it is not cut off.

    >>> more_men = [[0.9, 0.1]], [[0.5, 0.5]]
    >>> fewer_men = [[0.3, 0.7]], [[0.5, 0.5]]
    >>> round(float(manifestation(*more_men, *fewer_men, k=0.2)), 6)
    0.58
    >>> round(float(manifestation(*more_men, *more_men, k=0.2)), 6)
    0.372
    """
    etas = np.atleast_1d(pair_manifestation(p, p_ref, q, q_ref, k=k, variant=variant))
    return weighted_mean(etas, np.ones(etas.shape[-1]) if pair_weights is None else pair_weights)


def pair_manifestation(
    p: ArrayLike, p_ref: ArrayLike, q: ArrayLike, q_ref: ArrayLike, *, k: ArrayLike, variant: str = "definition"
) -> Array:
    """Return eta of each pair, (..., pairs): 0.5 plus or minus the deviations of all groups, nan where one is missing.

    A group that meets its demographic share exactly in either prompt has no direction and adds nothing.

    >>> round(float(pair_manifestation([0.9, 0.1], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], k=0.2)), 6)
    0.5
    """
    if variant not in VARIANTS:
        raise ConfigError(f"no variant of the manifestation factor named {variant!r}{did_you_mean(variant, VARIANTS)}")
    (high, high_ref), (low, low_ref) = paired(p, p_ref), paired(q, q_ref)
    paired(high, low)
    weights = _group_weights(k, high.shape[-1])
    same_way = np.sign(high - high_ref) * np.sign(low - low_ref)
    if variant == "released":
        alpha = weights * ((high - high_ref**2) + (low - low_ref**2))
    else:
        alpha = weights * ((high - high_ref) ** 2 + (low - low_ref) ** 2)
    lean = (same_way * alpha).sum(axis=-1)
    return np.asarray(_NEUTRAL - lean if variant == "definition" else _NEUTRAL + lean)


def _group_weights(k: ArrayLike, groups: int) -> Array:
    weights = np.asarray(k, dtype=float)
    if weights.shape not in ((), (groups,)):
        raise ValueError(f"k must be one number or {groups}, one for each group, got {weights.size}")
    return weights
