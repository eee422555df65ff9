"""What so many images will show, as curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from portrayal.language.translation import digits, t
from portrayal.reports.charts.axes import Scale, tight_scale
from portrayal.reports.charts.svg_canvas import picture
from portrayal.reports.charts.xy_chart import Plane, PlaneSeries, line_path, place
from portrayal.reports.charts.xy_chart_svg import draw_plane

__all__ = ["sample_plane", "sample_svg"]

Curve = Sequence[tuple[int, float]]
"""Images of a prompt, and the size that they answer."""


def sample_svg(curves: Mapping[str, Curve], caption: str) -> str:
    """Return the curves as a picture; ``curves`` are ``half_width``, ``deviation``, ``difference``, ``decision``."""
    plane = sample_plane(curves)
    return picture(t("What so many images will show"), caption, lambda pen: draw_plane(plane, pen))


def sample_plane(curves: Mapping[str, Curve]) -> Plane:
    """Return sizes in points against images of a prompt, whose axis is logarithmic; sizes without end are left out."""
    known = {
        name: [(images, 100 * size) for images, size in curve if math.isfinite(size)] for name, curve in curves.items()
    }
    steps = sorted({images for curve in curves.values() for images, _ in curve}) or [1]
    x = Scale(math.log(steps[0]), math.log(max(steps[-1], steps[0] + 1)))
    y = tight_scale([0.0, max((size for curve in known.values() for _, size in curve), default=100.0)])
    names = {
        "half_width": t("interval of a share, half its width"),
        "deviation": t("deviation from the reference that is found"),
        "difference": t("difference between two models that is found"),
        "decision": t("distance from a target within which a share is found to lie"),
    }
    series = [
        PlaneSeries(
            number,
            names[name],
            [place(math.log(images), size, x, y, f"{images}: {size:.0f}") for images, size in curve],
            [line_path([(math.log(images), size) for images, size in curve], x, y)] if len(curve) > 1 else [],
        )
        for number, (name, curve) in enumerate(known.items())
    ]
    return Plane(
        "",
        x_title=t("images of each prompt"),
        y_title=t("points"),
        y=y,
        ticks=[(x.at(math.log(images)) or "0", digits(f"{images}")) for images in _apart(steps)],
        series=series,
        summary=t("The more images of each prompt, the smaller the differences that show."),
    )


def _apart(steps: Sequence[int]) -> list[int]:
    """Return steps whose labels do not touch: each a quarter more than the one before, at least."""
    shown: list[int] = []
    for step in steps:
        if not shown or step >= 1.25 * shown[-1]:
            shown.append(step)
    return shown
