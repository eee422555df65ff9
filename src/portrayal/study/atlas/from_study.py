"""Evaluations from a study: the overall numbers of each of its generators, of every method."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from portrayal.atlas.evaluation import Evaluation, ModelInfo, Score
from portrayal.atlas.parts import score_kinds
from portrayal.errors import StudyError
from portrayal.records import PartNames
from portrayal.study.atlas.protocol import study_protocols
from portrayal.study.study import OpenStudy

__all__ = ["study_evaluations"]

_QUERY = """
SELECT generator, method, metric, attribute, "group", reference, annotator, language, value, low, high, n
FROM measurements
WHERE level = 'overall' AND value IS NOT NULL AND isfinite(value) AND metric <> 'missing'
  AND coalesce(item, '') = '' AND coalesce(variant, '') = ''
"""
_PART = re.compile(r"[\w-]+@\d+:(?P<model>[^#]+?)(?:@[0-9a-f]{7,40})?(?:#[0-9a-f]+)?")
"""How a generator with a model calls itself: its own name, the model's, the beginning of a commit, a digest."""


def study_evaluations(folder: Path, run: str = "") -> tuple[list[Evaluation], list[ModelInfo]]:
    """Return an evaluation for each generator of a measured study.

    A score that the atlas knows by its metric alone is called by it; any other by method, metric, attribute and group.
    Where several annotators tell a score, its name has theirs. A model is called by its id on the hub, which what is
    known of it goes by, else as study.toml names the generator. ``run`` names this evaluation among those of the model;
    without it the generator's identity does.
    """
    study = OpenStudy.to_read(folder)
    rows = study.workspace.query(_QUERY).to_pylist()
    if not rows:
        raise StudyError(f"{folder}: nothing is measured yet; run: portrayal measure {folder}")
    protocols = study_protocols(study, sorted({row["method"] for row in rows}))
    by_generator: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_generator[row["generator"]].append(row)
    found = []
    for generator, own in sorted(by_generator.items()):
        match = _PART.fullmatch(generator)
        model = match["model"] if match else study.names.generator(generator)
        images = max(row["n"] for row in own)
        source = f"study {study.config.study.title}"
        scores = dict(_scores(own, study.names))
        found.append(Evaluation(model, scores, protocols[generator], run or generator, source, images))
    return found, [ModelInfo(row.model) for row in found]


def _scores(rows: Iterable[dict[str, Any]], names: PartNames) -> Iterator[tuple[str, Score]]:
    known = score_kinds()
    named: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        parts = (row[name] for name in ("method", "metric", "attribute", "group", "reference", "language"))
        named[row["metric"] if row["metric"] in known else " ".join(filter(None, parts))].append(row)
    for name, own in named.items():
        for row in own:
            called = name if len(own) == 1 else f"{name} {names.annotator(row['annotator'])}"
            yield called, Score(row["value"], row["low"], row["high"])
