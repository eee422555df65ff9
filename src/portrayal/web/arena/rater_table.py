"""The admin page's table of raters: progress, quality and flags of each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.arena.battles.battle import Rater, RaterProgress
from portrayal.arena.battles.rater_quality import QualityFlag, RaterQuality, rater_qualities
from portrayal.web.arena.service import ArenaService
from portrayal.web.texts import Texts

__all__ = ["RaterRow", "RaterStatus", "rater_rows", "rater_statuses", "tiles"]

_SHARES = {"draws", "skips", "agreement", "chance"}


@dataclass(frozen=True, slots=True)
class RaterStatus:
    """A rater as the study's team sees one; ``quality`` is None before the first answer."""

    rater: Rater
    progress: RaterProgress
    quality: RaterQuality | None


@dataclass(frozen=True, slots=True)
class RaterRow:
    """One rater in words; what is not known yet is a dash."""

    id: str
    label: str
    done: int
    total: int
    seconds: str
    left: str
    draws: str
    skips: str
    checks: str
    others: str
    flags: Sequence[str]
    excluded: bool


async def rater_statuses(service: ArenaService) -> list[RaterStatus]:
    """Return every rater with progress and quality, in the order in which they were invited."""
    raters, answered = service.raters(), service.answered_battles()
    # In a thread: of many raters it takes a second, and others vote meanwhile.
    qualities = await asyncio.to_thread(rater_qualities, answered, {rater.id for rater in raters if rater.excluded})
    return [RaterStatus(rater, service.progress(rater.id), qualities.get(rater.id)) for rater in raters]


def rater_rows(statuses: Sequence[RaterStatus], texts: Texts) -> list[RaterRow]:
    """Return the rows: those with a flag first, then as they were invited."""
    rows = [_row(status, texts) for status in statuses]
    return sorted(rows, key=lambda row: (row.excluded, not row.flags))


def tiles(statuses: Sequence[RaterStatus], battles: int) -> list[tuple[str, int]]:
    """Return the numbers at the top of the page, with the keys of their names."""
    return [
        ("battles_n", battles),
        ("raters_n", len(statuses)),
        ("active_n", sum(status.progress.done > 0 for status in statuses)),
        ("finished_n", sum(status.progress.done >= status.progress.total for status in statuses)),
        ("flagged_n", sum(bool(status.quality and status.quality.flags) for status in statuses)),
        ("excluded_n", sum(status.rater.excluded for status in statuses)),
    ]


def _row(status: RaterStatus, texts: Texts) -> RaterRow:
    found, dash = status.quality, texts("admin.none")
    seconds = left = checks = dash
    if found is not None:
        if found.median_seconds is not None:
            seconds = texts("admin.seconds_value", value=texts.number(found.median_seconds, 1))
        left = texts.percent(found.left / found.sided) if found.sided else dash
        checks = texts("admin.checks_value", failed=found.failed_checks, total=found.checks) if found.checks else dash
    return RaterRow(
        id=status.rater.id,
        label=status.rater.label,
        done=status.progress.done,
        total=status.progress.total,
        seconds=seconds,
        left=left,
        draws=_share(found.draws if found else None, texts),
        skips=_share(found.skips if found else None, texts),
        checks=checks,
        others=_share(found.agreement if found else None, texts),
        flags=_flags(found, texts),
        excluded=status.rater.excluded,
    )


def _share(value: float | None, texts: Texts) -> str:
    return texts("admin.none") if value is None else texts.percent(value)


def _flags(found: RaterQuality | None, texts: Texts) -> list[str]:
    return [_flag(flag, texts) for flag in found.flags] if found else []


def _flag(flag: QualityFlag, texts: Texts) -> str:
    numbers = {
        name: texts.percent(value) if name in _SHARES else texts.number(value, 0 if value == int(value) else 1)
        for name, value in flag.numbers.items()
    }
    return texts(f"flag.{flag.key}", **numbers)
