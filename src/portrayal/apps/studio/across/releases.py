"""A model over its releases: what changed from study to study, in words, and the page with charts."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import portrayal
from portrayal.language.translation import spoken

__all__ = ["Releases", "releases_of"]


@dataclass(frozen=True, slots=True)
class Releases:
    """Their names in order, what changed, what was not compared, and the whole page."""

    names: Sequence[str]
    sentences: Sequence[str]
    summary: str
    not_compared: Sequence[str]
    page: bytes


def releases_of(folders: Sequence[Path], *, by_date: bool) -> Releases:
    """Compare studies as ``portrayal history`` does."""
    history = portrayal.History(folders, order="date" if by_date else "given", language=spoken())
    names = [release["name"] for release in history.releases]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.html"
        history.save(path, language=spoken())
        page = path.read_bytes()
    return Releases(names, history.sentences, history.summary, history.not_compared, page)
