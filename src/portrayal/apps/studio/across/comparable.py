"""Which studies can be compared with one, and why others cannot: said before somebody chooses one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from portrayal.apps.studio.listed_studies import ListedStudy
from portrayal.errors import PortrayalError
from portrayal.language.translation import t
from portrayal.study.study import OpenStudy

__all__ = ["ComparableStudies", "OtherStudies"]

_ABOUT = ("annotator", "prompt_set", "method", "metric", "attribute", "level", "item", "language", "variant")
_ROWS = f"SELECT DISTINCT {', '.join(_ABOUT)} FROM measurements WHERE value IS NOT NULL"
_KEPT = 1_000

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherStudies:
    """Studies that can be compared with one; and those that cannot, each with the reason."""

    fitting: Sequence[ListedStudy]
    others: Sequence[tuple[ListedStudy, str]]


@dataclass
class ComparableStudies:
    """What the numbers of studies are about, read again only when they change."""

    _kept: dict[Path, tuple[object, frozenset[Row]]] = field(default_factory=dict)

    def beside(self, study: ListedStudy, listed: Iterable[ListedStudy]) -> OtherStudies:
        """Return which of the listed studies can be compared with this one."""
        mine = self._rows(study.folder)
        fitting, others = list[ListedStudy](), list[tuple[ListedStudy, str]]()
        for other in listed:
            if other.key == study.key or other.problem:
                continue
            reason = _why_not(mine, self._rows(other.folder))
            if reason:
                others.append((other, reason))
            else:
                fitting.append(other)
        return OtherStudies(fitting, others)

    def _rows(self, folder: Path) -> frozenset[Row]:
        parts = sorted((folder / "tables" / "measurements").glob("*.parquet"))
        state = [(path.name, path.stat().st_mtime_ns) for path in parts]
        known = self._kept.get(folder)
        if known is None or known[0] != state:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            known = self._kept[folder] = (state, _read(folder) if state else frozenset())
        return known[1]


def _read(folder: Path) -> frozenset[Row]:
    try:
        rows = OpenStudy.to_read(folder).workspace.query(_ROWS)
    except PortrayalError:  # what is measured is of another version: comparing says so
        return frozenset()
    return frozenset(zip(*(rows[name].to_pylist() for name in _ABOUT), strict=True))


def _why_not(mine: frozenset[Row], theirs: frozenset[Row]) -> str:
    """Return why nothing of both can be compared; empty where something can."""
    if not mine:
        return t("this study has no numbers yet")
    if not theirs:
        return t("it has no numbers yet: run it first")
    if mine & theirs:
        return ""
    if _without(mine, "annotator") & _without(theirs, "annotator"):
        return t("other annotators looked at its pictures")
    if _without(mine, "prompt_set", "item") & _without(theirs, "prompt_set", "item"):
        return t("it asks other prompts")
    return t("it has numbers of another kind")


def _without(rows: frozenset[Row], *names: str) -> set[Row]:
    places = [place for place, name in enumerate(_ABOUT) if name not in names]
    return {tuple(row[place] for place in places) for row in rows}
