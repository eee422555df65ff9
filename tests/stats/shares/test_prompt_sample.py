"""Prompts like these: what other prompts might have shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portrayal.stats.shares.cells import PromptShares, share_intervals
from portrayal.stats.shares.intraclass import CORRELATIONS, PRIOR
from portrayal.stats.shares.prompt_sample import borrowed_priors, sample_intervals


def unanimous(prompts: int, images: int) -> PromptShares:
    return PromptShares.of([[1.0, 0.0]] * prompts, [images] * prompts)


@pytest.mark.parametrize("prompts", [2, 3, 8, 40])
def test_more_unanimous_images_narrow_the_interval(prompts: int) -> None:
    """3 prompts of 8 women each gave 51.6 to 100 %, and of 80 each 49.7 to 100 %."""
    lows = [sample_intervals(unanimous(prompts, images))[0][0] for images in (2, 8, 24, 80, 200)]
    assert lows == sorted(lows)


def test_it_is_wider_than_the_interval_of_these_prompts() -> None:
    cell = PromptShares.of([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]], [20] * 3)
    these, like = (np.subtract(*bounds[::-1]) for bounds in (share_intervals(cell), sample_intervals(cell)))
    assert (like > these).all()


def test_one_prompt_tells_of_no_other() -> None:
    assert np.isnan(sample_intervals(PromptShares.of([[0.5, 0.5]], [24]))).all()


def test_what_other_terms_tell_is_borrowed() -> None:
    alike = [PromptShares.of([[own, 1 - own]] * 6, [60] * 6) for own in (0.3, 0.5, 0.7, 0.6)]
    apart = [PromptShares.of([[0.05, 0.95], [0.95, 0.05]] * 3, [60] * 6) for _ in range(4)]
    lows = [
        sample_intervals(unanimous(3, 30), borrowed_priors([*others, unanimous(3, 30)])[-1])[0][0]
        for others in (alike, [], apart)
    ]
    assert lows[0] > 0.6 > max(lows[1:])


def test_a_group_that_no_image_shows_or_all_do_tells_nothing() -> None:
    seen, other = np.array([[0.3, 0.7], [0.6, 0.4], [0.5, 0.5]]), unanimous(3, 30)
    without = borrowed_priors([PromptShares.of(seen, [20] * 3), other])[1]
    for always in (0.0, 1.0):
        more = PromptShares.of(np.column_stack([seen, np.full(3, always)]), [20] * 3)
        assert borrowed_priors([more, other])[1] == pytest.approx(without)
    assert without != pytest.approx(PRIOR)


def test_cells_that_tell_nothing_leave_all_correlations_as_likely_as_before() -> None:
    silent = [unanimous(4, 20), PromptShares.of([[0.4, 0.6]], [50])]
    for prior in borrowed_priors(silent):
        assert prior == pytest.approx(PRIOR)


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=5))
@settings(max_examples=30, deadline=None)
def test_priors_are_distributions(cells: list[list[int]]) -> None:
    shares = [PromptShares.of([[seen / 9, 1 - seen / 9] for seen in own], [9] * len(own)) for own in cells]
    for prior in borrowed_priors(shares):
        assert prior.sum() == pytest.approx(1.0)
        assert (prior >= 0).all()
        assert len(prior) == len(CORRELATIONS)


@pytest.mark.slow
@pytest.mark.parametrize(("prompts", "images"), [(2, 8), (5, 20)])
@pytest.mark.parametrize("share", [0.5, 0.9])
@pytest.mark.parametrize("correlation", [0.1, 0.5])
def test_intervals_keep_their_promise(prompts: int, images: int, share: float, correlation: float) -> None:
    """30 studies of 12 terms, each of which borrows from the others."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(30):
        size = 1 / correlation - 1
        truths = rng.beta(share * size, (1 - share) * size, size=(12, prompts))
        seen = rng.binomial(images, truths) / images
        cells = [PromptShares.of(np.column_stack([own, 1 - own]), [images] * prompts) for own in seen]
        bounds = [sample_intervals(cell, prior) for cell, prior in zip(cells, borrowed_priors(cells), strict=True)]
        held += sum(low[0] <= share <= high[0] for low, high in bounds)
    assert held >= 0.92 * 360
