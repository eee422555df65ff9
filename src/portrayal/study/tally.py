"""Adding up observations per prompt, a chunk of the plan at a time, so that memory does not grow with the study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from portrayal.methods import Counting, Tables
from portrayal.records import Prompt, from_table
from portrayal.study import tally_sql as sql
from portrayal.study.hooks import Hooks
from portrayal.study.study import Study

__all__ = ["More", "final_outcomes", "tally", "tally_confusion"]


@dataclass(frozen=True, slots=True)
class More:
    """What else is to be added up: queries by name, the tables they need, and stretches of the plan cut for them."""

    queries: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    jobs: Iterable[pa.Table] | None = None


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A stretch of the plan with its final outcomes and what was seen in its images."""

    study: Study
    tables: Mapping[str, pa.Table]

    @classmethod
    def of(cls, study: Study, counting: Counting, final: pa.Table, more: More) -> _Chunk:
        query = study.workspace.query
        final = query(sql.WANTED.format(one=sql.ONE[counting.people]), final=final)
        seen = query(sql.SEEN.format(annotators=_quoted(study.annotators)), final=final)
        blocked = query(sql.BLOCKED, final=final, seen=seen)
        return cls(study, {"final": final, "seen": seen, "blocked": blocked, **more.tables})

    def count(self, query: str) -> pa.Table:
        return self.study.workspace.query(query, **self.tables)


def final_outcomes(study: Study, jobs: Iterable[pa.Table] | None = None) -> Iterator[pa.Table]:
    """Yield every job with its answer, its last failure, or neither: in the order of the plan, or of ``jobs``."""
    for chunk in study.workspace.tables["jobs"].batches() if jobs is None else jobs:
        yield _answered(study, chunk)


def _answered(study: Study, jobs: pa.Table) -> pa.Table:
    return study.workspace.query(sql.FINAL, chunk=jobs)


def tally(study: Study, counting: Counting, hooks: Hooks, more: More | None = None) -> Tables:
    """Return the study's observations added up per prompt; when asked to stop, only those counted so far."""
    more = more or More()
    queries = {
        "planned": sql.PLANNED,
        "counts": sql.LABELS if counting.evidence == "label" else sql.MASSES,
        "values": sql.VALUES,
        "missing": sql.MISSING.format(annotators=_quoted(study.annotators)),
        "confusion": sql.CONFUSION,
        **more.queries,
    }
    sums = _add_up(study, counting, queries, hooks, more)
    prompts = from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)
    return Tables(
        prompts={prompt.id: prompt for prompt in prompts},
        attributes=study.attributes,
        annotators={name: [a.name for a in annotator.attributes] for name, (_, annotator) in study.annotators.items()},
        truths=study.workspace.query("SELECT * FROM truths"),
        **sums,
    )


def tally_confusion(study: Study) -> pa.Table:
    """Return, where one person was planted, how often each planted group was perceived as which group (an index)."""
    more = More()
    if not study.workspace.query("SELECT 1 FROM outcomes WHERE len(planted) = 1 LIMIT 1").num_rows:
        more = More(jobs=[])
    return _add_up(study, Counting(), {"confusion": sql.CONFUSION}, Hooks(), more)["confusion"]


def _add_up(
    study: Study, counting: Counting, queries: Mapping[str, str], hooks: Hooks, more: More
) -> dict[str, pa.Table]:
    # Begun with nothing, so that there is a table even where nothing is planned.
    empty = _Chunk.of(study, counting, _answered(study, study.workspace.tables["jobs"].schema.empty_table()), more)
    sums = {name: _merge(empty.count(query)) for name, query in queries.items()}
    for final in final_outcomes(study, more.jobs):
        if hooks.stopped():
            break
        chunk = _Chunk.of(study, counting, final, more)
        for name, query in queries.items():
            sums[name] = _merge(pa.concat_tables([sums[name], chunk.count(query)]))
        hooks.progress.advance(final.num_rows)
    return sums


_SUMMED = ("count", "n", "total", "squares")


def _merge(table: pa.Table) -> pa.Table:
    """Add up the rows that speak of the same thing."""
    sums = [name for name in table.column_names if name in _SUMMED]
    keys = [name for name in table.column_names if name not in _SUMMED]
    merged = table.group_by(keys, use_threads=False).aggregate([(name, "sum") for name in sums])
    # In a fixed order, since the order of measurements decides which random numbers their intervals get.
    ordered = merged.rename_columns([*keys, *sums]).sort_by([(name, "ascending") for name in keys])
    return ordered.select(table.column_names)


def _quoted(names: Iterable[str]) -> str:
    quoted = ["'" + name.replace("'", "''") + "'" for name in names]
    return ", ".join(quoted) or "''"
