"""Several studies of one suite, such as releases of a model: which folders hold them, and which came before which."""

from __future__ import annotations

import re
import shlex
from datetime import UTC, datetime
from pathlib import Path

from portrayal.errors import PortrayalError, StudyError
from portrayal.records import content_id
from portrayal.store.files import storage_errors
from portrayal.study.config import CONFIG_NAME
from portrayal.study.study import OpenStudy

__all__ = ["asked_prompts", "latest_earlier", "measured_at", "same_prompts", "study_folders", "weights_mark"]

_PROMPTS = "SELECT DISTINCT prompt FROM jobs"


def study_folders(folder: Path) -> list[Path]:
    """Return a study's folder, or those of the studies in it, by name: ``v2`` before ``v10``."""
    if (folder / CONFIG_NAME).is_file():
        return [folder]
    with storage_errors(folder):
        inside = [path for path in folder.iterdir() if (path / CONFIG_NAME).is_file()]
    if not inside:
        raise StudyError(f"{folder}: there is no {CONFIG_NAME}, neither here nor in a folder in it")
    return sorted(inside, key=lambda path: _natural(path.name))


def _natural(name: str) -> list[tuple[int, str]]:
    """Return what orders names by the numbers in them.

    >>> sorted(["v10", "v2"], key=_natural)
    ['v2', 'v10']
    """
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if place % 2 else (-1, part) for place, part in enumerate(parts)]


def measured_at(study: OpenStudy) -> datetime | None:
    """Return when the measurements were written; None where there are none.

    It is the time of their files: measuring again changes it, and so does a copy that does not keep times.
    """
    paths = [Path(path) for path in study.workspace.tables["measurements"].paths()]
    with storage_errors(study.root):
        times = [path.stat().st_mtime for path in paths]
    return datetime.fromtimestamp(max(times), UTC) if times else None


def asked_prompts(study: OpenStudy) -> frozenset[str]:
    """Return the prompts that a study was planned with."""
    return frozenset(study.workspace.query(_PROMPTS)["prompt"].to_pylist())


def same_prompts(one: OpenStudy, other: OpenStudy) -> bool:
    """Return whether two studies were planned with the same prompts."""
    asked = asked_prompts(one)
    return bool(asked) and asked == asked_prompts(other)


def weights_mark(study: OpenStudy) -> str:
    """Return what is the same for studies whose prompts have the same weights; empty where all have one weight.

    Means over the same prompts are then the same, whatever else was asked.
    """
    weights = {prompt.id: prompt.weight for prompt in (study.suite.prompts if study.suite else ())}
    if len(set(weights.values())) < 2:
        return ""
    most = max(weights.values())
    return content_id(str(sorted((prompt, round(weight / most, 9)) for prompt, weight in weights.items())))


def latest_earlier(study: Path, folder: Path | None = None) -> Path | None:
    """Return the latest study of the same prompts that was measured before this one; None where there is none.

    It is looked for in ``folder``, without one beside the study. A folder whose study cannot be read is passed over.
    """
    this = OpenStudy.to_read(study)
    before = measured_at(this)
    if before is None:
        raise StudyError(f"{study}: nothing is measured yet; run: portrayal measure {shlex.quote(str(study))}")
    times: dict[Path, datetime] = {}
    for path in study_folders(study.absolute().parent if folder is None else folder):
        if path.resolve() == study.resolve():
            continue
        try:
            other = OpenStudy.to_read(path)
            when = measured_at(other)
            if when is not None and when < before and same_prompts(this, other):
                times[path] = when
        except PortrayalError:
            continue
    return max(times, key=lambda path: times[path], default=None)
