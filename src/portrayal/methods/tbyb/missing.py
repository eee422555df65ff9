"""Which share of the planned images has no caption, by reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from portrayal.evidence import MissingCounts, Plan
from portrayal.records import Measurement
from portrayal.stats.cells import PromptShares, share_intervals

__all__ = ["missing_rows"]


def missing_rows(
    blank: Measurement, missing: MissingCounts, plan: Plan, prompts: Sequence[str]
) -> Iterator[Measurement]:
    """Yield a row for each reason: images that were not made, and those whose annotator wrote no caption."""
    cells = np.array([plan.places[blank.generator, prompt] for prompt in prompts], dtype=np.int64)
    found = missing.of("", "") | missing.of(blank.annotator, "")
    reasons = {reason: counts[cells] for reason, counts in found.items() if counts[cells].any()}
    if not reasons:
        return
    planned = plan.planned[cells].astype(float)
    counts = np.column_stack(list(reasons.values()))
    cell = PromptShares.of(counts / planned[:, None], planned, planned)
    low, high = share_intervals(cell)
    row = replace(blank, metric="missing", attribute="", n=cell.n, prompts=cell.prompts)
    for place, reason in enumerate(reasons):
        yield replace(
            row,
            group=reason,
            missing=int(counts[:, place].sum()),
            value=float(cell.share[place]),
            low=float(low[place]),
            high=float(high[place]),
        )
