"""Adding up observations per prompt, a chunk of the plan at a time, so that memory does not grow with the study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from portrayal.methods import Counting, Tables
from portrayal.records import Prompt, from_table
from portrayal.study.hooks import Hooks
from portrayal.study.study import Study

__all__ = ["final_outcomes", "tally", "tally_confusion"]

_FINAL = """
    SELECT chunk.id AS job, chunk.prompt, chunk.generator, chunk.index, chunk.seed,
           answer.status, answer.reason, answer.detail, answer.image, answer.ext, answer.planted
    FROM chunk LEFT JOIN (
        SELECT * FROM outcomes WHERE job IN (SELECT id FROM chunk)
        QUALIFY row_number() OVER (PARTITION BY job ORDER BY status = 'failed', attempt DESC) = 1
    ) AS answer ON answer.job = chunk.id
"""
_SEEN = """
    SELECT image, annotator, subject, attribute, mass, value, reason FROM observations
    WHERE image IN (SELECT image FROM final) AND annotator IN ({annotators})
"""
# An image-level reason blocks the image, unless every person counts and there are people. Several people block it
# where one is wanted, even if the annotator did not say so. An image about which all that is said is whether it shows
# anyone shows nobody.
_BLOCKED = """
    SELECT image, annotator, min(reason) AS reason FROM (
        SELECT image, annotator, reason FROM seen
        WHERE subject IS NULL AND ({one} OR (image, annotator) NOT IN (
            SELECT (image, annotator) FROM seen
            WHERE (mass IS NOT NULL OR value IS NOT NULL) AND attribute <> 'person'))
        UNION ALL
        SELECT image, annotator, 'several_people' FROM seen
        WHERE {one} AND (mass IS NOT NULL OR value IS NOT NULL)
        GROUP BY image, annotator HAVING count(DISTINCT subject) > 1
        UNION ALL
        SELECT image, annotator, 'no_person' FROM seen
        GROUP BY image, annotator HAVING bool_and(coalesce(attribute = 'person', false))
    ) GROUP BY image, annotator
"""
_OPEN = "FROM final JOIN (SELECT * FROM seen ANTI JOIN blocked USING (image, annotator)) AS seen USING (image)"
_KEY = "generator, prompt, annotator, attribute"
_LABELS = f"""
    SELECT {_KEY}, CAST(list_position(mass, list_max(mass)) - 1 AS INTEGER) AS "group",
           CAST(count(*) AS DOUBLE) AS count
    {_OPEN} WHERE mass IS NOT NULL GROUP BY ALL
"""
_MASSES = f"""
    SELECT {_KEY}, "group", sum(part) AS count FROM (
        SELECT {_KEY}, CAST(unnest(range(len(mass))) AS INTEGER) AS "group", CAST(unnest(mass) AS DOUBLE) AS part
        {_OPEN} WHERE mass IS NOT NULL)
    GROUP BY ALL
"""
_VALUES = f"""
    SELECT {_KEY}, count(*) AS n, sum(value) AS total, sum(value * value) AS squares
    {_OPEN} WHERE value IS NOT NULL AND isfinite(value) GROUP BY ALL
"""
_MISSING = f"""
    SELECT {_KEY}, reason, CAST(count(*) AS DOUBLE) AS count FROM (
        SELECT generator, prompt, '' AS annotator, '' AS attribute,
               CASE WHEN status IS NULL THEN 'pending' ELSE status || ': ' || coalesce(reason, 'unknown') END AS reason
        FROM final WHERE status IS DISTINCT FROM 'made'
        UNION ALL
        SELECT generator, prompt, looker.annotator, '', 'not annotated'
        FROM final CROSS JOIN (SELECT unnest([{{annotators}}]) AS annotator) AS looker
        WHERE status = 'made' AND (image, looker.annotator) NOT IN (SELECT (image, annotator) FROM seen)
        UNION ALL
        SELECT generator, prompt, annotator, '', blocked.reason FROM final JOIN blocked USING (image)
        UNION ALL
        SELECT generator, prompt, annotator, attribute, seen.reason {_OPEN}
        WHERE attribute IS NOT NULL AND seen.reason IS NOT NULL
    ) GROUP BY ALL
"""
_PLANNED = "SELECT generator, prompt, CAST(count(*) AS DOUBLE) AS count FROM final GROUP BY ALL"
_CONFUSION = f"""
    SELECT {_KEY}, map_extract_value(planted[1], attribute) AS planted,
           CAST(list_position(mass, list_max(mass)) - 1 AS INTEGER) AS perceived, CAST(count(*) AS DOUBLE) AS count
    {_OPEN} WHERE mass IS NOT NULL AND len(planted) = 1 AND map_extract_value(planted[1], attribute) IS NOT NULL
    GROUP BY ALL
"""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A stretch of the plan with its final outcomes and what was seen in its images."""

    study: Study
    tables: dict[str, pa.Table]

    def count(self, sql: str) -> pa.Table:
        return self.study.workspace.query(sql, **self.tables)


def final_outcomes(study: Study) -> Iterator[pa.Table]:
    """Yield, in the order of the plan, every job with its answer, its last failure, or neither."""
    for chunk in study.workspace.tables["jobs"].batches():
        yield study.workspace.query(_FINAL, chunk=chunk)


def tally(study: Study, counting: Counting, hooks: Hooks) -> Tables:
    """Return the study's observations added up per prompt; when asked to stop, only those counted so far."""
    labels = _LABELS if counting.evidence == "label" else _MASSES
    names = _quoted(study.annotators)
    queries = {
        "planned": _PLANNED,
        "counts": labels,
        "values": _VALUES,
        "missing": _MISSING.format(annotators=names),
        "confusion": _CONFUSION,
    }
    sums = _add_up(study, counting, queries, hooks)
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
    if not study.workspace.query("SELECT 1 FROM outcomes WHERE len(planted) = 1 LIMIT 1").num_rows:
        return _Chunk(study, _empty(study)).count(_CONFUSION)
    return _add_up(study, Counting(), {"confusion": _CONFUSION}, Hooks())["confusion"]


def _add_up(study: Study, counting: Counting, queries: dict[str, str], hooks: Hooks) -> dict[str, pa.Table]:
    sums: dict[str, pa.Table] = {}
    for chunk in _chunks(study, counting):
        if hooks.stopped():
            break
        for name, sql in queries.items():
            part = chunk.count(sql)
            sums[name] = _merge(pa.concat_tables([sums[name], part])) if name in sums else _merge(part)
        hooks.progress.advance(chunk.tables["final"].num_rows)
    if not sums:
        empty = _Chunk(study, _empty(study))
        sums = {name: empty.count(sql) for name, sql in queries.items()}
    return sums


def _chunks(study: Study, counting: Counting) -> Iterator[_Chunk]:
    blocked = _BLOCKED.format(one="true" if counting.people == "one" else "false")
    for final in final_outcomes(study):
        seen = study.workspace.query(_SEEN.format(annotators=_quoted(study.annotators)), final=final)
        tables = {"final": final, "seen": seen}
        tables["blocked"] = study.workspace.query(blocked, seen=seen)
        yield _Chunk(study, tables)


def _empty(study: Study) -> dict[str, pa.Table]:
    jobs = study.workspace.tables["jobs"].schema.empty_table()
    final = study.workspace.query(_FINAL, chunk=jobs)
    seen = study.workspace.query(_SEEN.format(annotators="''"), final=final)
    return {"final": final, "seen": seen, "blocked": study.workspace.query(_BLOCKED.format(one="true"), seen=seen)}


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
