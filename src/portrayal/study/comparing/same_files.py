"""Whether two sides have the same pictures, byte for byte: then no number of them tells the models apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from portrayal.reports.comparisons.words.pairs_words import same_files_words
from portrayal.study.study import OpenStudy

__all__ = ["same_files"]

LEAST, AT_MOST = 5, 500_000
"""Fewer pictures may be alike by chance, where a generator has few; of more images than so many none are looked up."""
_FILES = """
    SELECT DISTINCT generator, image FROM outcomes JOIN jobs ON jobs.id = outcomes.job
    WHERE status = 'made' AND ext <> ''
"""


def same_files(sides: Iterable[tuple[OpenStudy, str]], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return of which pairs of models at least half of the pictures of a side are pictures of the other one, too.

    ``sides`` are studies, each with what its models' names have more than theirs.
    """
    files: dict[str, set[str]] = {}
    for study, suffix in sides:
        if study.workspace.tables["outcomes"].count() > AT_MOST:
            return []
        for row in study.workspace.query(_FILES).to_pylist():
            files.setdefault(study.names.generator(row["generator"]) + suffix, set()).add(row["image"])
    said = []
    for one, other in pairs:
        mine, theirs = files.get(one, set()), files.get(other, set())
        common = len(mine & theirs)
        if common >= max(LEAST, min(len(mine), len(theirs)) / 2):
            said.append(same_files_words(one, other, common, len(mine)))
    return said
