"""Evaluations from a study: the overall numbers of each of its generators, of every method, and by which protocol.

A protocol is what was asked and how the answers were measured, as one text: only equal ones are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from portrayal.methods import METHODS
from portrayal.methods.atlas_part import score_kinds
from portrayal.records import PartNames, content_id
from portrayal.records.evaluated_models.evaluation import Evaluation, ModelInfo, Score
from portrayal.study.config import PartConfig
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.parts.specs import method_identity
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
        raise nothing_measured(study)
    protocols = _protocols(study, sorted({row["method"] for row in rows}))
    by_generator: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_generator[row["generator"]].append(row)
    evaluations = []
    for generator, measured in sorted(by_generator.items()):
        match = _PART.fullmatch(generator)
        model = match["model"] if match else study.names.generator(generator)
        images = max(row["n"] for row in measured)
        source = f"study {study.config.study.title}"
        scores = dict(_scores(measured, study.names))
        evaluations.append(
            Evaluation(model, scores, protocols[generator], run or generator, source=source, images=images)
        )
    return evaluations, [ModelInfo(row.model) for row in evaluations]


def _scores(rows: Iterable[dict[str, Any]], names: PartNames) -> Iterator[tuple[str, Score]]:
    known = score_kinds()
    named: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        parts = (row[name] for name in ("method", "metric", "attribute", "group", "reference", "language"))
        named[row["metric"] if row["metric"] in known else " ".join(filter(None, parts))].append(row)
    for name, same_name in named.items():
        for row in same_name:
            called = name if len(same_name) == 1 else f"{name} {names.annotator(row['annotator'])}"
            yield called, Score(row["value"], row["low"], row["high"])


_CELLS = "SELECT generator, prompt, count(*) AS images FROM jobs GROUP BY generator, prompt ORDER BY generator, prompt"


def _protocols(study: OpenStudy, methods: Iterable[str]) -> dict[str, str]:
    """Return the protocol of each generator of a planned study.

    It names the suite, the annotators, how many prompts there are with a digest of them all, the images of each prompt,
    and ``methods`` with a digest of the options that differ from their defaults.
    """
    suite = study.suite.name if study.suite else "imported images"
    asked = f"{suite} ({', '.join(study.annotators)})"
    measured = ", ".join(name for method in methods for name in _identities(study, method))
    cells: dict[str, dict[str, int]] = defaultdict(dict)
    for row in study.workspace.query(_CELLS).to_pylist():
        cells[row["generator"]][row["prompt"]] = row["images"]
    return {
        generator: f"{asked}: {_number(len(by_prompt), 'prompt')} #{content_id(*by_prompt)[:8]}, "
        f"{_images(list(by_prompt.values()))}, {measured}"
        for generator, by_prompt in cells.items()
    }


def _identities(study: OpenStudy, method: str) -> list[str]:
    """Return the identities of a method; one that study.toml does not name was computed with its defaults."""
    configs = [config for config in study.config.methods if config.use == method]
    version = METHODS.load(method).version
    named = method if version == 1 else f"{method}@{version}"
    identities = [method_identity(config, study.root) for config in configs or [PartConfig(use=method)]]
    return [named + identity.removeprefix(method) for identity in identities]


def _images(counts: Sequence[int]) -> str:
    fewest, most = min(counts), max(counts)
    return f"{_number(fewest, 'image')} each" if fewest == most else f"{fewest} to {most} images each"


def _number(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
