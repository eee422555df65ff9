"""What a study found, in the sentences with which its report begins; read again only when its numbers change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from portrayal.api.study import Study
from portrayal.language.translation import spoken
from portrayal.reports.corrected_share import CorrectedShare, deciding
from portrayal.reports.text.display_names import with_part_names
from portrayal.study.config import CONFIG_NAME
from portrayal.study.correction import reported_corrections

__all__ = ["Found", "FoundSentence", "FoundStore"]

_MOST, _MOST_SHARES = 5, 12
_WHOSE = ("generator", "annotator", "attribute", "group", "language", "variant")
"""What tells a share over all prompts from others."""
_KEPT = 200


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """What it is about, a sentence, what it rests on, what to mind about it, and filters of its pictures."""

    about: str
    sentence: str
    basis: str
    cautions: Sequence[str]
    filters: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class FoundShare:
    """How many of a model's pictures show a group: the share with its interval, of how many pictures.

    Where people's labels correct what was read, it is the corrected one, and ``labels`` says of how many pictures.
    """

    model: str
    attribute: str
    group: str
    value: float
    low: float
    high: float
    n: int
    labels: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The first sentences, how many more the report has, and shares over all prompts."""

    sentences: Sequence[FoundSentence]
    more: int
    summary: str
    shares: Sequence[FoundShare] = ()


@dataclass
class FoundStore:
    """What was found in studies, by the language and the state of their numbers."""

    _kept: dict[tuple[Path, str], tuple[object, Found]] = field(default_factory=dict)

    def get(self, folder: Path) -> Found | None:
        """Return what was found in a study; None where nothing is measured."""
        state = _state(folder)
        if not state[1:]:
            return None
        asked = folder, spoken()
        known = self._kept.get(asked)
        if known is None or known[0] != state:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            known = self._kept[asked] = (state, _found(folder))
        return known[1]


def _found(folder: Path) -> Found:
    study = Study(folder)
    findings = study.findings(language=spoken())
    rows = [row for row in findings if row["open"]]
    several = len({row["model"] for row in rows if row["model"]}) > 1
    sentences = [
        FoundSentence(_about(row, several), row["sentence"], row["basis"], row["cautions"], _filters(row))
        for row in rows[:_MOST]
    ]
    return Found(sentences, len(rows) - len(sentences), findings.summary, _shares(study))


def _about(row: Mapping[str, Any], several: bool) -> str:
    """Return what a sentence is about; the verdict on one of several models is about that model."""
    return str(row["about"] or (row["model"] if several and not row["other"] else ""))


def _shares(study: Study) -> list[FoundShare]:
    """Return the shares of all prompts together that are compared with a reference, by the first annotator."""
    rows = study.measurements(metric="share", level="overall").to_arrow().to_pylist()
    rows = [row for row in rows if row["reference"] and row["value"] is not None and not row["language"]]
    first = {row["attribute"]: row["annotator"] for row in reversed(rows)}
    corrected = _corrected(study)
    return [
        _share(row, corrected.get(tuple(row[name] for name in _WHOSE)))
        for row in rows
        if row["annotator"] == first[row["attribute"]] and not row["variant"] and row["low"] is not None
    ][:_MOST_SHARES]


def _corrected(study: Study) -> dict[tuple[str, ...], CorrectedShare]:
    """Return the shares of all prompts together that count where people's labels correct what was read."""
    opened = study._read()
    shares = deciding(reported_corrections(opened)).values()
    named = with_part_names(list(shares), [], opened.names)[0]
    known = [share for share in named if share.seen.level == "overall" and share.value is not None]
    return {tuple(getattr(share.seen, name) for name in _WHOSE): share for share in known}


def _share(row: Mapping[str, Any], fixed: CorrectedShare | None) -> FoundShare:
    ends = (row["value"], row["low"], row["high"])
    if fixed is not None and fixed.value is not None:
        ends = (fixed.value, fixed.low, fixed.high)
    labels = fixed.labels if fixed else 0
    return FoundShare(row["generator"], row["attribute"], row["group"], *ends, row["n"], labels)


def _filters(row: dict[str, object]) -> list[tuple[str, str]]:
    """Return which pictures a finding is about, as the wall of pictures is asked for them."""
    wanted = {"model": row["model"], "annotator": row["annotator"]}
    if row["level"] in ("term", "category"):
        wanted[str(row["level"])] = row["item"]
    return [(name, str(value)) for name, value in wanted.items() if value]


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    parts = sorted((folder / "tables" / "measurements").glob("*.parquet"))
    about = [(path.name, path.stat()) for path in [folder / CONFIG_NAME, *parts]]
    return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in about)
