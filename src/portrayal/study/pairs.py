"""Pairs of images drawn with the same seed for two prompts: their differences, added up with everything else.

Both images of a pair have the same generator, term and seed, so the plan is cut between terms, and within a term that
is too large between seeds. Memory then stays that of one stretch, and time grows with the number of images.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from portrayal.methods import Pairing, Tables
from portrayal.records import Prompt, from_table
from portrayal.study.hooks import Hooks
from portrayal.study.study import Study
from portrayal.study.tally import More, tally
from portrayal.study.tally_sql import OPEN

__all__ = ["tally_pairs"]

_STRETCH = 20_000
"""Jobs worked on at a time, unless those of one seed are more."""
_COUPLES = pa.schema([("x", pa.string()), ("y", pa.string())])
_TERMS = """
    SELECT jobs.generator, prompts.term, count(*) AS jobs
    FROM jobs JOIN (SELECT id, term, row_number() OVER () AS place FROM prompts) AS prompts ON prompts.id = jobs.prompt
    GROUP BY ALL ORDER BY jobs.generator, min(place)
"""
# An imported image without a seed has 0; nothing can be paired with it.
_JOBS = """
    SELECT jobs.* FROM jobs JOIN prompts ON prompts.id = jobs.prompt
    JOIN stretch ON stretch.generator = jobs.generator AND stretch.term = prompts.term
    WHERE parts = 1 OR hash(CASE WHEN seed = 0 THEN jobs.id ELSE CAST(seed AS VARCHAR) END) % parts = part
"""
_PARTNERS = """
    WITH asked AS (SELECT DISTINCT generator, prompt, seed FROM final WHERE seed <> 0)
    SELECT one.generator, couples.x, couples.y, CAST(count(*) AS DOUBLE) AS count
    FROM couples JOIN asked AS one ON one.prompt = couples.x
    JOIN asked AS other ON other.prompt = couples.y AND other.generator = one.generator AND other.seed = one.seed
    GROUP BY ALL
"""
# The share of a group in a picture of one person is 0 or 1, or its probability; in one of several their mean.
_PAIRS = f"""
    WITH people AS (
        SELECT generator, prompt, seed, annotator, attribute, unnest(range(len(mass))) AS "group",
               list_position(mass, list_max(mass)) - 1 AS best, unnest(mass) AS mass
        {OPEN} WHERE mass IS NOT NULL AND seed <> 0
        AND prompt IN (SELECT x FROM couples UNION ALL SELECT y FROM couples)
    ), shares AS MATERIALIZED (
        SELECT generator, prompt, seed, annotator, attribute, CAST("group" AS INTEGER) AS "group",
               avg({{part}}) AS share
        FROM people GROUP BY ALL
    )
    SELECT one.generator, one.annotator, one.attribute, couples.x, couples.y, one."group", count(*) AS n,
           sum(one.share - other.share) AS total, sum((one.share - other.share) ** 2) AS squares
    FROM couples JOIN shares AS one ON one.prompt = couples.x
    JOIN shares AS other ON other.prompt = couples.y AND other.generator = one.generator AND other.seed = one.seed
        AND other.annotator = one.annotator AND other.attribute = one.attribute AND other."group" = one."group"
    GROUP BY ALL
"""
_PARTS = {"label": 'CAST("group" = best AS DOUBLE)', "mass": "CAST(mass AS DOUBLE)"}


def tally_pairs(study: Study, pairing: Pairing, hooks: Hooks) -> Tables:
    """Return the study's observations added up per prompt, and the differences of its pairs per two prompts."""
    prompts = from_table(study.workspace.query("SELECT * FROM prompts"), Prompt)
    rows = [{"x": one, "y": other} for one, other in pairing.couples(list(prompts))]
    queries = {"partners": _PARTNERS, "pairs": _PAIRS.format(part=_PARTS[pairing.counting.evidence])}
    couples = pa.Table.from_pylist(rows, _COUPLES)
    more = More(queries, {"couples": couples}, (study.workspace.query(_JOBS, stretch=s) for s in _stretches(study)))
    return tally(study, pairing.counting, hooks, more)


def _stretches(study: Study) -> Iterator[pa.Table]:
    """Yield which terms of which generators, or which part of one of them, are worked on together."""
    gathered: list[dict[str, str | int]] = []
    size = 0
    for row in study.workspace.query(_TERMS).to_pylist():
        parts = -(-row["jobs"] // _STRETCH)
        if gathered and size + row["jobs"] > _STRETCH:
            yield _table(gathered)
            gathered, size = [], 0
        pieces = [{"generator": row["generator"], "term": row["term"], "parts": parts, "part": p} for p in range(parts)]
        if parts > 1:
            yield from (_table([piece]) for piece in pieces)
        else:
            gathered += pieces
            size += row["jobs"]
    if gathered:
        yield _table(gathered)


def _table(rows: Sequence[dict[str, str | int]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows))
