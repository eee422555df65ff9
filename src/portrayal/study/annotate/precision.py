"""What speed costs: an annotator that rounds looks at some of the study's own images first, with and without."""

from __future__ import annotations

import hashlib
import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from portrayal.annotators import Annotator
from portrayal.errors import StudyError
from portrayal.records import PRECISION_SCHEMA, Image, Observation, PrecisionCheck, from_table, to_table
from portrayal.stats.intervals import Array
from portrayal.stats.skewed_mean import mean_margin
from portrayal.store.workspace import Workspace

__all__ = ["SAMPLE", "check_precision", "precision_checks", "summed_up"]

SAMPLE = 64
"""Images that are looked at both ways."""
MEAN, FLIPPED, FEW = 0.02, 0.05, 2
"""How far probabilities may shift on average, and which share of the labels may be others; so few always may."""

Masses = dict[tuple[str, int], tuple[float, ...]]


def check_precision(workspace: Workspace, annotator: Annotator, name: str, images: Iterable[Image]) -> None:
    """Compare an annotator that rounds with itself, once, and stop where rounding changes too much.

    Raises
    ------
    StudyError
        It does, on these images; the line says which precision to take.
    """
    unrounded = getattr(annotator, "unrounded", lambda: None)()
    if unrounded is None:
        return
    checks = precision_checks(workspace).get(annotator.name)
    if checks is None:
        sample = heapq.nsmallest(SAMPLE, (image for image in images if image.path and image.people), key=_hash)
        checks = compare(annotator, unrounded, sample)
        workspace.tables["precision"].append(to_table(checks, PRECISION_SCHEMA))
    if checks and _too_much(checks):
        better = "bf16" if checks[0].precision == "fp8" else "exact"
        raise StudyError(
            f"{name}: precision {summed_up(checks)}; at most {MEAN:g} on average and {FLIPPED:.0%} of the labels "
            f'are allowed: set options.precision = "{better}"'
        )


def precision_checks(workspace: Workspace) -> dict[str, list[PrecisionCheck]]:
    """Return what was found, by annotator."""
    found: dict[str, list[PrecisionCheck]] = defaultdict(list)
    for row in from_table(workspace.query("SELECT * FROM precision"), PrecisionCheck):
        found[row.annotator].append(row)
    return dict(found)


def summed_up(checks: Sequence[PrecisionCheck]) -> str:
    """Return what rounding costs in one line."""
    mean, largest, flips, labels = _totals(checks)
    most = max(checks, key=lambda row: abs(row.effect))
    bounds = "" if most.low is None or most.high is None else f" ({most.low:+.4f} to {most.high:+.4f})"
    return (
        f"{checks[0].precision} against exact: probabilities shift by {mean:.4f} on average and {largest:.4f} at most; "
        f"{flips} of {labels} labels flip; no share moves more than that of {most.attribute} {most.group}, by "
        f"{most.effect:+.4f}{bounds}"
    )


def compare(rounding: Annotator, unrounded: Annotator, images: Sequence[Image]) -> list[PrecisionCheck]:
    """Return what rounding costs on these images, for each group of each attribute."""
    one, other = _masses(rounding, images), _masses(unrounded, images)
    precision = str(getattr(rounding, "precision", ""))
    checks = []
    for attribute in rounding.attributes:
        keys = [key for key in one[attribute.name] if key in other[attribute.name]]
        if keys:
            rounded, exact = (np.array([side[attribute.name][key] for key in keys]) for side in (one, other))
            flips = int((rounded.argmax(axis=1) != exact.argmax(axis=1)).sum())
            for place, group in enumerate(attribute.groups):
                moved = rounded[:, place] - exact[:, place]
                about = rounding.name, precision, attribute.name, group
                checks.append(_check(about, flips, moved))
    return checks


def _check(about: tuple[str, str, str, str], flips: int, moved: Array) -> PrecisionCheck:
    effect, count = float(moved.mean()), len(moved)
    margin = mean_margin(moved) if count > 1 else None
    low, high = (None, None) if margin is None else (effect - margin, effect + margin)
    shift = np.abs(moved)
    return PrecisionCheck(
        *about,
        labels=count,
        flips=flips,
        mean=float(shift.mean()),
        largest=float(shift.max()),
        effect=effect,
        low=low,
        high=high,
    )


def _masses(annotator: Annotator, images: Sequence[Image]) -> dict[str, Masses]:
    told: dict[str, Masses] = defaultdict(dict)
    for row in annotator.annotate(images):
        if isinstance(row, Observation) and row.mass is not None:
            told[row.attribute][row.image, row.subject] = row.mass
    return told


def _totals(checks: Sequence[PrecisionCheck]) -> tuple[float, float, int, int]:
    """Return mean and largest shift of a probability, labels that flip, and labels."""
    each = {row.attribute: row for row in checks}.values()
    weights = [row.labels for row in checks]
    mean = float(np.average([row.mean for row in checks], weights=weights))
    return mean, max(row.largest for row in checks), sum(row.flips for row in each), sum(row.labels for row in each)


def _too_much(checks: Sequence[PrecisionCheck]) -> bool:
    mean, largest, flips, labels = _totals(checks)
    return not np.isfinite(largest) or mean > MEAN or flips > max(FEW, FLIPPED * labels)


def _hash(image: Image) -> bytes:
    return hashlib.blake2b(image.id.encode(), digest_size=8).digest()
