"""``study.missing_bounds()``: every share of which images are missing, under no assumption or a stated one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from portrayal import Study
from portrayal.errors import InputError

Make = Callable[..., Path]


def test_bounds_hold_the_share_and_narrow_with_what_is_stated(make_study: Make) -> None:
    options = {"pixels": False, "refused": 0.3}
    folder = make_study(
        generators=[{"use": "simulated", "name": "Toy", "images": 40, "options": options}],
        report={"missing_within": 0.2},
    )
    study = Study(folder)
    study.run(progress=False)
    free, stated, alike = (study.missing_bounds(within=within) for within in (1.0, None, 0.0))
    assert len(free) == len(stated) == len(alike) > 0
    assert {row["model"] for row in free} == {"Toy"}
    widths = [{_key(row): row["greatest"] - row["least"] for row in rows} for rows in (free, stated, alike)]
    for row in free:
        assert row["missing"] > 0
        assert row["least"] <= row["value"] <= row["greatest"]
        assert widths[0][_key(row)] > widths[1][_key(row)] > widths[2][_key(row)] == pytest.approx(0)
    with pytest.raises(InputError, match="within"):
        study.missing_bounds(within=20)


def _key(row: dict[str, object]) -> tuple[object, ...]:
    return row["attribute"], row["group"], row["level"], row["item"]
