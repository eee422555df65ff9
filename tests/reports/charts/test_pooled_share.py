from __future__ import annotations

import pytest

from portrayal.records import Measurement
from portrayal.reports.charts.pooled_share import counted
from portrayal.stats.shares.cells import PromptShares, share_intervals


def row(prompts: int) -> Measurement:
    return Measurement("m", "missing", "g", prompts=prompts)


@pytest.mark.parametrize(("prompts", "part", "n"), [(1, 5, 20), (1, 0, 20), (3, 0, 12), (3, 12, 12)])
def test_a_sum_that_tells_each_prompts_share_has_the_interval_of_every_share(prompts: int, part: int, n: int) -> None:
    low, high = share_intervals(PromptShares.of([[part / n]] * prompts, [n / prompts] * prompts))
    found = counted(row(prompts), part, n)
    assert (found.value, found.low, found.high) == (part / n, low[0], high[0])
    assert (found.n, found.missing) == (n, part)


def test_a_sum_over_prompts_that_may_differ_is_never_surer_than_it_is() -> None:
    """Hoeffding 1956: prompts that differ make the sum vary less, so the exact interval of the sum holds."""
    found = counted(row(3), 5, 12)
    assert (found.low, found.high) == pytest.approx((0.1517, 0.7233), abs=1e-4)


def test_no_images_have_no_share() -> None:
    assert counted(row(1), 0, 0).value is None
