"""What a page says that its images can find is what simulated pages find."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from portrayal.methods.representation.report.section import RepresentationSection
from portrayal.reports import ReportData
from portrayal.reports.findings.deviations.selection import Selection, select
from portrayal.reports.findings.first_screen import FirstScreen
from portrayal.reports.findings.power import reach

if TYPE_CHECKING:
    from tests.reports.findings.conftest import Row, StudyOf

Screen = Callable[[ReportData], FirstScreen]


@pytest.mark.slow
@pytest.mark.parametrize(("terms", "images", "target"), [(12, 24, 0.5), (30, 60, 0.5), (12, 100, 0.1), (6, 50, 0.9)])
def test_deviations_of_the_stated_size_are_found_as_often_as_stated(
    share: Row, study: StudyOf, terms: int, images: int, target: float
) -> None:
    """What was said to be about half was 20, 24 and 0 %. 400 pages: a rate shows within 5 points in 95 of 100 cases."""
    rng = np.random.default_rng(8)

    def page(first: float) -> Selection:
        seen = rng.binomial(images, [first, *[target] * (terms - 1)])
        data = study(*(share(int(own), images, target, item=f"job {k}") for k, own in enumerate(seen)))
        return select(list(RepresentationSection().deviations(data)))

    shown = page(target)
    stated = reach(shown.compared, shown.threshold, 0.1)
    assert stated is not None
    side = 1 if target <= 0.5 else -1
    for size, often in ((stated.half, 0.5), (stated.mostly, 0.8), (stated.nearly, 0.9)):
        pages = [page(target + side * size) for _ in range(400)]
        rate = np.mean([own.is_sure(own.compared[0]) for own in pages])
        assert rate == pytest.approx(often, abs=0.06)


@pytest.mark.slow
@pytest.mark.parametrize("tolerance", [0.1, 0.2])
def test_as_many_images_as_are_said_to_be_needed_are_enough(
    share: Row, study: StudyOf, screen: Screen, tolerance: float
) -> None:
    def first(images: int) -> FirstScreen:
        return screen(
            study(*(share(images // 2, images, 0.5, item=f"job {own}") for own in range(12)), tolerance=tolerance)
        )

    few = first(24).models[0].verdict.reach
    assert few is not None
    assert not few.enough
    many = first(few.needed).models[0].verdict.reach
    assert many is not None
    assert many.enough
    fewer = first(int(few.needed * 0.85)).models[0].verdict.reach
    assert fewer is not None
    assert not fewer.enough
