"""What missing images could make of a share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portrayal.stats.shares.missing import filled


@given(st.integers(1, 50), st.integers(0, 50), st.floats(0, 1), st.data())
def test_every_completion_within_the_stated_range_lies_between_the_ends(
    images: int, missing: int, within: float, data: st.DataObject
) -> None:
    seen = data.draw(st.integers(0, images))
    shown = data.draw(st.integers(0, missing))
    share = seen / images
    low, high = filled(share, images, missing, within=within)
    if not missing or abs(shown / missing - share) <= within:
        assert low - 1e-9 <= (seen + shown) / (images + missing) <= high + 1e-9
    assert -1e-9 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1 + 1e-9


@pytest.mark.parametrize("within", [0.0, 0.3, 1.0])
def test_of_several_prompts_the_worst_case_counts(within: float) -> None:
    """Prompts of as many images each: whichever of them lost how many, the mean of all lies between the ends."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        shares, lost = rng.uniform(0, 1, 4), rng.integers(0, 9, 4)
        completed = np.clip(shares + rng.uniform(-within, within, 4), 0, 1)
        whole = float((shares * (10 - lost) / 10 + completed * lost / 10).mean())
        low, high = filled(float(shares.mean()), int(40 - lost.sum()), int(lost.sum()), prompts=4, within=within)
        assert low - 1e-9 <= whole <= high + 1e-9


def test_shares_of_nought_and_one_and_no_image_at_all() -> None:
    assert filled(0.0, 10, 10, within=0.4) == (0.0, 0.2)
    assert filled(1.0, 10, 10) == (0.5, 1.0)
    assert filled(0.3, 0, 5) == (0.0, 1.0)
    assert filled(0.3, 5, 0) == (0.3, 0.3)
