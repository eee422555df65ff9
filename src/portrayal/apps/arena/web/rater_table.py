"""The admin page's table of raters: progress, quality and flags of each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.apps.arena.battles.rater_quality import QualityFlag, RaterQuality, rater_qualities
from portrayal.apps.arena.web.service import ArenaService
from portrayal.language.numbers import DASH, decimal, percent
from portrayal.language.translation import t
from portrayal.study.sql.rater import Rater, RaterProgress
from portrayal.web.raters.rater_row import RaterRow, in_order, rater_row

__all__ = ["RaterStatus", "rater_columns", "rater_rows", "rater_statuses", "tiles"]


@dataclass(frozen=True, slots=True)
class RaterStatus:
    """A rater as the study's team sees one; ``quality`` is None before the first answer."""

    rater: Rater
    progress: RaterProgress
    quality: RaterQuality | None


async def rater_statuses(service: ArenaService) -> list[RaterStatus]:
    """Return every rater with progress and quality, in the order in which they were invited."""
    raters, answered = service.raters(), service.answered_battles()
    # In a thread: of many raters it takes a second, and others vote meanwhile.
    qualities = await asyncio.to_thread(rater_qualities, answered, {rater.id for rater in raters if rater.excluded})
    return [RaterStatus(rater, service.progress(rater.id), qualities.get(rater.id)) for rater in raters]


def rater_columns() -> list[str]:
    """Return the heads of the arena's own columns."""
    return [t("Median time"), t("Left"), t("Draws"), t("Skips"), t("Checks failed"), t("With the majority")]


def rater_rows(statuses: Sequence[RaterStatus]) -> list[RaterRow]:
    """Return the rows."""
    return in_order([_row(status) for status in statuses])


def tiles(statuses: Sequence[RaterStatus], battles: int) -> list[tuple[int, str]]:
    """Return the numbers at the top of the page, and what they count."""
    return [
        (battles, t("comparisons answered")),
        (len(statuses), t("raters")),
        (sum(status.progress.done > 0 for status in statuses), t("began")),
        (sum(status.progress.done >= status.progress.total for status in statuses), t("finished")),
        (sum(bool(status.quality and status.quality.flags) for status in statuses), t("raters with a flag")),
        (sum(status.rater.excluded for status in statuses), t("raters left out")),
    ]


def _row(status: RaterStatus) -> RaterRow:
    quality = status.quality
    seconds = left = checks = DASH
    if quality is not None:
        if quality.median_seconds is not None:
            seconds = f"{decimal(quality.median_seconds, 1)} s"
        left = percent(quality.left / quality.sided) if quality.sided else DASH
        if quality.checks:
            checks = t("{failed} of {total}", failed=quality.failed_checks, total=quality.checks)
    draws, skips, others = (
        _share(value) for value in ((quality.draws, quality.skips, quality.agreement) if quality else (None,) * 3)
    )
    flags = [_flag(flag) for flag in quality.flags] if quality else []
    return rater_row(status.rater, status.progress, [seconds, left, draws, skips, checks, others], flags)


def _share(value: float | None) -> str:
    return DASH if value is None else percent(value)


def _flag(flag: QualityFlag) -> str:
    shares = {name: percent(value) for name, value in flag.numbers.items()}
    numbers = {name: decimal(value, 0 if value == int(value) else 1) for name, value in flag.numbers.items()}
    match flag.key:
        case "failed_checks":
            return t("attention checks failed: {failed} of {checks}", **numbers)
        case "fast":
            return t("very fast: {seconds} s", **numbers)
        case "one_sided":
            return t("one-sided: {left} left, {right} right", **numbers)
        case "undecided":
            return t("hardly any opinion: {draws} draws, {skips} skipped", **shares)
        case _:
            return t("agrees with others less than chance would: {agreement}", **shares)
