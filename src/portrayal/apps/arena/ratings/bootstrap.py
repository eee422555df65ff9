"""What the ratings would have been had other raters come: whole raters are drawn anew, and the votes refitted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from portrayal.apps.arena.ratings.bradley_terry import Strengths, Ties, add_virtual_draws, split_ties
from portrayal.apps.arena.ratings.bradley_terry_fit import fit_strengths, strongly_connected
from portrayal.apps.arena.ratings.votes import Votes
from portrayal.apps.arena.ratings.win_counts import WinCounts, find_components, vote_cells
from portrayal.stats.intervals import Array

__all__ = ["ResampledStrengths", "rater_codes", "resample_strengths"]

Ints = NDArray[np.int64]
_NUMBERS_AT_ONCE = 8_000_000
"""Numbers held at a time: 64 MB."""
_SAME = 1e-9
"""Strengths that differ by less differ by rounding."""


@dataclass(frozen=True, slots=True)
class ResampledStrengths:
    """Strengths (draws, models) of resampled votes.

    For each model, ``clusters`` says from how many raters or votes was drawn, and ``by_rater`` which of the two;
    ``raters`` are how many there were, 0 when the votes do not say.
    """

    strength: Array
    clusters: Ints
    by_rater: NDArray[np.bool_]
    raters: Ints


@dataclass(frozen=True, slots=True)
class _Component:
    """One component: its outcomes (2 models² cells), who gave each, and how it is fitted."""

    models: int
    counts: Array
    raters: csr_array | None
    clusters: int
    ties: Ties


def rater_codes(votes: Votes) -> Ints | None:
    """Return a number for each vote's rater, or None without raters; whoever left no name is a rater of one vote."""
    if "rater" not in votes.columns:
        return None
    column = votes.columns["rater"]
    codes = column.codes.copy()
    if "" in column.names:
        unnamed = codes == column.names.index("")
        codes[unnamed] = len(column.names) + np.arange(np.count_nonzero(unnamed))
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)


def resample_strengths(
    votes: Votes, fitted: Strengths, ties: Ties, draws: int, rng: np.random.Generator
) -> ResampledStrengths:
    """Return strengths of ``draws`` resamples of ``votes`` (none of them skipped), which gave ``fitted``.

    Raters are resampled whole, since one person's votes are alike. Without raters, or with one, votes are; so they
    are when all raters say the same on balance and drawing raters always gives the same.
    """
    models = len(votes.models)
    cells, raters = vote_cells(votes), rater_codes(votes)
    strength, clusters = np.zeros((draws, models)), np.zeros(models, dtype=np.int64)
    by_rater, rater_counts = np.zeros(models, dtype=bool), np.zeros(models, dtype=np.int64)
    for number in range(int(fitted.component.max(initial=-1)) + 1):
        members = np.flatnonzero(fitted.component == number)
        if len(members) == 1:
            continue
        inside = (cells >= 0) & (fitted.component[votes.first] == number)
        who = None if raters is None else raters[inside]
        inner_cells = _renumber(cells[inside], models, members)
        component = _component(inner_cells, who, len(members), ties)
        drawn = _resample(component, fitted.strength[members], draws, rng)
        if component.raters is not None and np.ptp(drawn, axis=0).max() < _SAME:
            component = _component(inner_cells, None, len(members), ties)
            drawn = _resample(component, fitted.strength[members], draws, rng)
        strength[:, members], clusters[members] = drawn, component.clusters
        by_rater[members], rater_counts[members] = (
            component.raters is not None,
            0 if who is None else len(np.unique(who)),
        )
    return ResampledStrengths(strength, clusters, by_rater, rater_counts)


def _renumber(cells: Ints, models: int, members: Ints) -> Ints:
    """Return cells as they are numbered among ``members`` alone."""
    place = np.zeros(models, dtype=np.int64)
    place[members] = np.arange(len(members))
    drawn, pair = np.divmod(cells, models * models)
    first, second = np.divmod(pair, models)
    return np.asarray((drawn * len(members) + place[first]) * len(members) + place[second])


def _component(cells: Ints, raters: Ints | None, models: int, ties: Ties) -> _Component:
    size = 2 * models * models
    counts = np.bincount(cells, minlength=size).astype(float)
    if raters is not None:
        known, who = np.unique(raters, return_inverse=True)
        if len(known) > 1:
            table = coo_array((np.ones(len(cells)), (cells, who)), shape=(size, len(known))).tocsr()
            return _Component(models, counts, table, len(known), ties)
    return _Component(models, counts, None, len(cells), ties)


def _resample(component: _Component, start: Array, draws: int, rng: np.random.Generator) -> Array:
    whole = WinCounts.of_cells(component.counts, component.models)
    widest = max(component.models**2 * 4, component.clusters if component.raters is not None else 0)
    step = max(1, _NUMBERS_AT_ONCE // widest)
    opposite = _opposite_votes(component, whole)
    strengths = []
    for begin in range(0, draws, step):
        size = min(step, draws - begin)
        smooth = opposite is not None
        drawn = split_ties(WinCounts.of_cells(_counts(component, size, smooth, rng), component.models), component.ties)
        if opposite is not None:
            extra = opposite * rng.standard_exponential((size, 1, 1))
            if not whole.wins.any():
                extra = extra * _random_winners(size, component.models, rng)
            drawn = WinCounts(drawn.wins + extra, drawn.ties)
        weak = ~strongly_connected(drawn.wins)
        if weak.any():
            drawn = WinCounts(
                np.where(weak[:, None, None], add_virtual_draws(drawn, whole.battles).wins, drawn.wins), drawn.ties
            )
        strengths.append(fit_strengths(drawn, start))
    return np.concatenate(strengths)


def _random_winners(size: int, models: int, rng: np.random.Generator) -> Array:
    """Return a winner for each pair at random, as 1 for the winner and 0 for the loser."""
    upper = np.triu(rng.integers(2, size=(size, models, models)), 1)
    return np.asarray(upper + np.tril(1 - np.swapaxes(upper, 1, 2), -1), dtype=float)


def _counts(component: _Component, size: int, smooth: bool, rng: np.random.Generator) -> Array:
    """Return resampled counts (size, cells); ``smooth`` weights (Rubin 1981) are never 0, no draw loses a cell."""
    if component.raters is None:
        if smooth:
            return np.asarray(rng.standard_gamma(component.counts, size=(size, len(component.counts))))
        return rng.multinomial(
            int(component.counts.sum()), component.counts / component.counts.sum(), size=size
        ).astype(float)
    if smooth:
        weights = rng.standard_exponential((component.clusters, size))
    else:
        picks = rng.integers(component.clusters, size=(component.clusters, size))
        picks *= size
        picks += np.arange(size)
        weights = (
            np.bincount(picks.ravel(), minlength=component.clusters * size)
            .reshape(component.clusters, size)
            .astype(float)
        )
    return np.asarray((component.raters @ weights).T)


def _opposite_votes(component: _Component, whole: WinCounts) -> Array | None:
    """Return the votes of one more rater, who says the opposite of all that was one-sided; None where nothing was.

    Resampling votes that all say the same gives the same again, as if nothing were uncertain. With this rater, whose
    weight is drawn like the others', the bound for two models is Clopper and Pearson's. The rater gives an average
    rater's number of votes. Where there are only draws, the votes go to either side by chance.
    """
    edges = split_ties(whole, component.ties).wins
    _, strong = find_components(edges, strong=True)
    missing = (whole.battles > 0) & (edges == 0) & (strong[:, None] != strong[None, :])
    if not whole.wins.any():
        missing = whole.battles > 0
    if not missing.any():
        return None
    either = missing | missing.T
    if component.raters is None:
        voters = float(np.triu(np.where(either, whole.battles, 0)).sum())
    else:
        voters = float(np.count_nonzero(component.raters.T @ np.tile(either.ravel(), 2).astype(float)))
    return np.asarray(np.where(missing, whole.battles / voters, 0))
