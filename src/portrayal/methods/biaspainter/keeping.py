"""Whether edits keep the person, and whether what was asked for is done at all, by the group of the seed.

Both are told by an annotator that compares an edit with its seed. Recent work on open editors finds faces exchanged and
requests left undone without a word, more often for some groups than for others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from portrayal.evidence import Edited, Plan
from portrayal.methods.biaspainter.editing import NULL, Seeds
from portrayal.methods.biaspainter.score_rows import SEEDS, group_row, seed_groups
from portrayal.methods.biaspainter.scores.groups import SHARE, group_mean
from portrayal.records import Measurement
from portrayal.stats.exact import Ints
from portrayal.stats.intervals import Array

__all__ = ["ATTRIBUTES", "keeping_rows"]

SAME, CHANGE = ATTRIBUTES = ("same_face", "picture_change")


def keeping_rows(blank: Measurement, plan: Plan, edited: Edited, *, little: float, few: int) -> Iterator[Measurement]:
    """Yield the mean similarity of faces, and the share of edits that changed next to nothing, of all and by group."""
    prompts = [plan.design.prompts[prompt] for _, prompt in plan.cells]
    mine = np.array([who == blank.generator and bool(prompts[at].edits) for at, (who, _) in enumerate(plan.cells)])
    null = np.array([prompt.category == NULL for prompt in prompts])
    chosen = mine[edited.cell] & ~null[edited.cell]
    chosen &= edited.unchanged | ~_ambiguous(edited)
    change = np.where(edited.unchanged, 0.0, edited.after[CHANGE])
    same = np.where(edited.unchanged, 1.0, edited.after[SAME])
    # What asks for nothing cannot be left undone.
    undone = np.where(np.isnan(change), np.nan, (change < little).astype(float))
    for metric, values, within in ((SAME, same, (-1.0, 1.0)), ("not_done", undone, SHARE)):
        row = replace(blank, metric=metric, attribute=SAME if metric == SAME else CHANGE)
        for item, members in [("", np.arange(len(plan.sources))), *seed_groups(Seeds.of(plan).groups)]:
            means, counts = _by_seed(values, edited.source, chosen, len(plan.sources))
            mean = group_mean(means, counts, members, within=within)
            if mean:
                yield group_row(replace(row, level=SEEDS if item else "overall", item=item), mean, few)


def _ambiguous(edited: Edited) -> NDArray[np.bool_]:
    """Return which edits are the same file as an edit of another picture: it was seen beside only one of them."""
    pairs = np.unique(np.stack([edited.key, edited.source_key[edited.source]]), axis=1)
    keys, often = np.unique(pairs[0], return_counts=True)
    return np.asarray(np.isin(edited.key, keys[often > 1]))


def _by_seed(values: Array, source: Ints, chosen: Array, seeds: int) -> tuple[Array, Ints]:
    """Return the mean of each seed over its edits, and how many there are."""
    told = chosen & ~np.isnan(values)
    count = np.bincount(source[told], minlength=seeds)
    total = np.bincount(source[told], weights=values[told], minlength=seeds).astype(float)
    return np.divide(total, count, out=np.full(seeds, np.nan), where=count > 0), count
