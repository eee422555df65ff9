"""Raters as rows of the admin's table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.arena.battles.rater_quality import QualityFlag, RaterQuality
from portrayal.web.arena.desk import RaterView
from portrayal.web.arena.texts import Texts

__all__ = ["RaterRow", "rater_rows", "tiles"]

_SHARES = {"draws", "skips", "agreement", "chance"}


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


def rater_rows(views: Sequence[RaterView], texts: Texts) -> list[RaterRow]:
    """Return the rows: those with a flag first, then as they were invited."""
    rows = [_row(view, texts) for view in views]
    return sorted(rows, key=lambda row: (row.excluded, not row.flags))


def tiles(views: Sequence[RaterView], battles: int) -> list[tuple[str, int]]:
    """Return the numbers at the top of the page, with the keys of their names."""
    return [
        ("battles_n", battles),
        ("raters_n", len(views)),
        ("active_n", sum(view.progress.done > 0 for view in views)),
        ("finished_n", sum(view.progress.done >= view.progress.total for view in views)),
        ("flagged_n", sum(bool(view.quality and view.quality.flags) for view in views)),
        ("excluded_n", sum(view.rater.excluded for view in views)),
    ]


def _row(view: RaterView, texts: Texts) -> RaterRow:
    found, dash = view.quality, texts("admin.none")
    seconds = left = checks = dash
    if found is not None:
        if found.median_seconds is not None:
            seconds = texts("admin.seconds_value", value=texts.number(found.median_seconds, 1))
        left = texts.percent(found.left / found.sided) if found.sided else dash
        checks = texts("admin.checks_value", failed=found.failed_checks, total=found.checks) if found.checks else dash
    return RaterRow(
        id=view.rater.id,
        label=view.rater.label,
        done=view.progress.done,
        total=view.progress.total,
        seconds=seconds,
        left=left,
        draws=_share(found.draws if found else None, texts),
        skips=_share(found.skips if found else None, texts),
        checks=checks,
        others=_share(found.agreement if found else None, texts),
        flags=_flags(found, texts),
        excluded=view.rater.excluded,
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
