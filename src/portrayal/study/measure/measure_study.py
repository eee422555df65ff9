"""Measure: every method over the same observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from portrayal.errors import StudyError
from portrayal.evidence import Evidence
from portrayal.methods.base import Method
from portrayal.records import MEASUREMENT_SCHEMA, Measurement, from_table, to_table
from portrayal.study.measure.allow_for_looks import allowed_rows
from portrayal.study.measure.check_measurements import checked_measurements
from portrayal.study.measure.collect import collect
from portrayal.study.parts.specs import build_method
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy
from portrayal.study.tables.counted_files import COUNTED_FILES, counted_files

__all__ = ["measure", "require_annotators"]


def measure(study: OpenStudy, control: RunControl) -> list[Measurement]:
    """Compute the measurements of the study's methods anew and put them into its table; none when stopped.

    Rows and tables of methods that study.toml names and that are not computed this time stay, unless an older version
    wrote them.
    """
    require_annotators(study)
    methods = study.methods if study.workspace.tables["measurements"].current() else _every_method(study)
    # What annotators said, row by row, and then the methods' own work as one step.
    control.progress.start("measure", study.workspace.tables["observations"].count() + 1)
    counted = {COUNTED_FILES: counted_files(study.workspace)}
    evidence = collect(study, list(dict.fromkeys(need for method in methods for need in method.needs)), control)
    if control.stopped():
        control.progress.finish()
        return []
    computed, tables = _computed(methods, evidence, study.config.study.seed)
    for silent in _without_rows(methods, computed, tables):
        control.remark(f"the method {silent} gave no row: nothing that it needs is there")
    measurements = list(allowed_rows(study, computed))
    control.progress.advance(1)
    control.progress.finish()
    others = {config.use for config in study.config.methods} - {method.name for method in methods}
    rows = study.workspace.query("SELECT * FROM measurements")
    # Only what stays becomes records: of a large study those would take as long to make as new measurements.
    kept = from_table(rows.filter(pc.is_in(rows["method"], pa.array(sorted(others), pa.string()))), Measurement)
    own_tables = study.workspace.own_tables
    kept_tables = [name for name in own_tables.names() if own_tables.method(name) in others]
    own_tables.replace([to_table([*kept, *measurements], MEASUREMENT_SCHEMA)], tables, kept_tables, counted)
    return measurements


def _computed(
    methods: Sequence[Method], evidence: Evidence, seed: int
) -> tuple[list[Measurement], dict[str, pa.Table]]:
    """Return what the methods yield: measurements, and tables of their own by the name of the method and theirs."""
    measurements: list[Measurement] = []
    tables: dict[str, pa.Table] = {}
    for method in methods:
        # The same study gives the same intervals: resampling starts from the study's seed.
        given = method.measure(evidence, rng=np.random.default_rng(seed))
        for row in checked_measurements(method.name, given):
            if isinstance(row, Measurement):
                measurements.append(row)
            elif (name := f"{method.name}.{row.name}") in tables:
                raise ValueError(f"the method {method.name} has two tables named {row.name!r}")
            else:
                tables[name] = row.rows
    return measurements, tables


def _without_rows(
    methods: Sequence[Method], computed: Sequence[Measurement], tables: Mapping[str, pa.Table]
) -> list[str]:
    heard = {row.method for row in computed} | {name.partition(".")[0] for name in tables}
    return [method.name for method in methods if method.name not in heard]


def _every_method(study: OpenStudy) -> list[Method]:
    """Return the methods to compute, and those of study.toml that would not be computed this time."""
    named = {method.name for method in study.methods}
    left = [config for config in study.config.methods if config.use not in named]
    return [*study.methods, *(build_method(config, study.root) for config in left)]


def require_annotators(study: OpenStudy) -> None:
    """Say that nothing can be measured, before anything is drawn for it."""
    if not study.annotators:
        raise StudyError(f"{study.root}: no [[annotators]] in study.toml, so there is nothing to measure; add one")
