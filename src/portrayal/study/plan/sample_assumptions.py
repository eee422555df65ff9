"""What a sample is planned with: as stated, or as a pilot shows it, that is, the study's own numbers so far."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from statistics import median
from typing import Any

from portrayal.errors import InputError, StudyError
from portrayal.records import Measurement, from_table
from portrayal.reports.lookup import chart_groups
from portrayal.study.plan.pilot_correlation import pilot_correlation
from portrayal.study.study import OpenStudy

__all__ = ["Assumptions", "assumptions", "expected"]

_TERM = "term"
_NOTHING_KNOWN = 0.5
"""The share, and the reference, that need the most images."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What a typical number is expected to be like: the share of a term.

    ``prompts`` ask for the term, and a part ``missing`` of their images cannot be used. ``share`` is the true share,
    ``target`` what the reference says, ``icc`` how much prompts differ. ``comparisons`` are made on a page and
    corrected for; ``all_prompts`` stand behind the broadest of them. ``pilot`` is how many numbers of the study itself
    this rests on; 0: none. ``seen`` is the share in them as it is: few images that all show the group, or none of which
    does, are not believed. ``lost`` images are all that there are, and cannot be used.
    """

    prompts: int = 1
    share: float = _NOTHING_KNOWN
    target: float = _NOTHING_KNOWN
    missing: float = 0.0
    icc: float = 0.1
    comparisons: int = 1
    all_prompts: int = 1
    pilot: int = 0
    seen: float | None = None
    lost: int = 0

    def stated(self, **values: float | None) -> Assumptions:
        """Return the same with what somebody states; None states nothing."""
        given = {name: value for name, value in values.items() if value is not None}
        for name, value in given.items():
            _check(name, value)
        return replace(self, **given)  # type: ignore[arg-type]  # _check has looked at each


def assumptions(study: OpenStudy) -> Assumptions:
    """Return what the study itself tells: its prompts, models and terms and, where it is measured, its numbers."""
    before = expected(study)
    shares = [row for row in _rows(study) if row.metric == "share" and row.attribute]
    rows = [row for row in shares if row.worth and row.value is not None]
    finest = [row for row in rows if row.level == _TERM] or rows
    if not finest:
        lost = {row.generator: row.missing for row in shares if row.level == "overall" and row.value is None}
        return replace(before, lost=sum(lost.values()))
    icc = pilot_correlation(study)
    # What nobody reports of any model, such as an attribute that is not planted, is no number that is missing.
    known = {row.attribute for row in finest}
    missing = _missing([row for row in shares if row.level == finest[0].level and row.attribute in known])
    seen = _as_seen(before, finest, _compared(study, rows))
    return replace(seen, missing=missing, icc=before.icc if icc is None else icc)


def expected(study: OpenStudy) -> Assumptions:
    """Return what is known before anything is drawn."""
    drawn = [prompt for prompt in (study.suite.prompts if study.suite else ()) if not prompt.edits]
    if not drawn or not study.generators:
        raise StudyError(f"{study.root}: nothing is drawn here, so there is no sample to plan; add [[generators]]")
    terms = Counter(prompt.term for prompt in drawn if prompt.term) or Counter({"": len(drawn)})
    return Assumptions(
        prompts=math.ceil(median(terms.values())),
        comparisons=len(terms) * len(study.generators),
        all_prompts=len(drawn),
    )


def _as_seen(before: Assumptions, rows: Sequence[Measurement], compared: Sequence[Measurement]) -> Assumptions:
    """Return what the shares of terms show: of each term and attribute that of the group which varies most."""
    most: dict[tuple[str, ...], float] = {}
    for row in rows:
        about = (row.generator, row.annotator, row.attribute, row.item, row.language, row.variant)
        # As if one more image had shown the group by half: no share is taken for 0 or 1 because few images are.
        share = ((row.value or 0.0) * row.n + 0.5) / (row.n + 1)
        most[about] = max(most.get(about, 0.0), share * (1 - share))
    spread = min(median(most.values()), 0.25)
    plain = [min(row.value or 0.0, 1 - (row.value or 0.0)) for row in rows]
    targets = [row.target for row in compared if row.target is not None]
    return replace(
        before,
        share=0.5 - math.sqrt(0.25 - spread),
        target=median(targets) if targets else before.target,
        seen=min(median(plain), 0.5),
        comparisons=len(compared) or before.comparisons,
        pilot=len(most),
    )


def _missing(rows: Sequence[Measurement]) -> float:
    """Return which share of images could not be used, models of which none could be among them."""
    images = {
        (row.generator, row.annotator, row.attribute, row.item, row.language, row.variant): (row.n, row.missing)
        for row in rows
    }
    return sum(missing for _, missing in images.values()) / max(sum(map(sum, images.values())), 1)


def _compared(study: OpenStudy, rows: Sequence[Measurement]) -> list[Measurement]:
    """Return the shares that have a reference; of two groups one stands for both."""
    known = study.attributes
    return [
        row
        for row in rows
        if row.target is not None
        and (attribute := known.get(row.attribute.rpartition(".")[2])) is not None
        and row.group in chart_groups(attribute)
    ]


def _rows(study: OpenStudy) -> list[Measurement]:
    table = study.workspace.tables["measurements"]
    if not table.count() or not table.current():
        return []
    return list(from_table(study.workspace.query("SELECT * FROM measurements"), Measurement))


_LIMITS: dict[str, tuple[float, float]] = {
    "share": (0, 1), "target": (0, 1), "missing": (0, 0.99), "icc": (0, 0.98),
}  # fmt: skip


def _check(name: str, value: Any) -> None:
    if name not in {field.name for field in fields(Assumptions)}:
        raise InputError(f"power: nothing is called {name!r}")
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if name in _LIMITS:
        low, high = _LIMITS[name]
        if not number or not low <= value <= high:
            raise InputError(f"{name}: a number from {low:g} to {high:g} (got {value!r})")
    elif not number or value != int(value) or value < 1:
        raise InputError(f"{name}: a whole number of 1 or more (got {value!r})")
