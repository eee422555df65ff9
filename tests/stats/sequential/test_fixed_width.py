"""Intervals that say when to stop hold as often as they should, whatever the share is."""

from __future__ import annotations

import numpy as np
import pytest

from portrayal.stats.sequential.fixed_width import FixedWidth, confidence_at_stops, half_width, times_as_many


@pytest.mark.slow
@pytest.mark.parametrize("design", [FixedWidth(0.2, 5, 40, 6), FixedWidth(0.15, 6, 60, 4), FixedWidth(0.1, 20, 130, 6)])
def test_the_interval_at_the_stop_holds_as_often_as_it_should(design: FixedWidth) -> None:
    held = [design.coverage_and_images(share)[0] for share in (0.02, 0.1, 0.19, 0.3, 0.39, 0.5)]
    assert min(held) >= 0.95


@pytest.mark.slow
def test_the_usual_interval_would_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portrayal.stats.sequential.fixed_width._SPENT", 1.0)
    assert FixedWidth(0.1, 10, 120, 6).coverage_and_images(0.212)[0] < 0.945


def test_what_is_added_up_is_what_a_simulation_finds() -> None:
    design, rng, share, paths = FixedWidth(0.2, 5, 40, 6), np.random.default_rng(1), 0.3, 20_000
    place, seen = np.zeros(paths, dtype=int), rng.binomial(5, share, paths)
    for _ in range(design.looks - 1):
        ahead = np.array([design.following[p][x] for p, x in zip(place, seen, strict=True)])
        seen, place = seen + rng.binomial(design.sizes[ahead] - design.sizes[place], share), ahead
    images = design.sizes[place]
    assert images.mean() == pytest.approx(design.coverage_and_images(share)[1], abs=0.2)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_so_many_times_as_many_images_are_enough_and_a_tenth_fewer_are_not(share: float) -> None:
    confidence, times = confidence_at_stops(0.05), times_as_many(share, (12.0, 12.0), 0.1, 0.965)
    for part, enough in ((1.0, True), (1 / 1.11, False)):
        worth = np.array([12.0 * times * part])
        assert bool(half_width(np.array([share]), worth, worth, confidence)[0] <= 0.1) is enough
