"""Measure: every method over the same observations."""

from __future__ import annotations

import numpy as np

from portrayal.errors import StudyError
from portrayal.records import MEASUREMENT_SCHEMA, Measurement, to_table
from portrayal.study.hooks import Hooks
from portrayal.study.study import Study
from portrayal.study.tally import tally

__all__ = ["measure", "require_annotators"]


def measure(study: Study, hooks: Hooks) -> list[Measurement]:
    """Compute all measurements anew and make them the content of ``tables/measurements``; none when stopped."""
    require_annotators(study)
    measurements: list[Measurement] = []
    hooks.progress.start("measure", study.workspace.tables["jobs"].count() * len(study.methods))
    for method in study.methods:
        # The same study gives the same intervals: resampling starts from the study's seed.
        rng = np.random.default_rng(study.config.study.seed)
        tables = tally(study, method.counting, hooks)
        if hooks.stopped():
            hooks.progress.finish()
            return []
        measurements += method.measure(tables, rng=rng)
    hooks.progress.finish()
    study.workspace.tables["measurements"].replace([to_table(measurements, MEASUREMENT_SCHEMA)])
    return measurements


def require_annotators(study: Study) -> None:
    """Say that nothing can be measured, before anything is drawn for it."""
    if not study.annotators:
        raise StudyError(f"{study.root}: no [[annotators]] in study.toml, so there is nothing to measure; add one")
