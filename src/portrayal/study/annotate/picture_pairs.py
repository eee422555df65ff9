"""Which images methods want compared with each other, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

from portrayal.annotators.quality.sentences import Sentences
from portrayal.evidence import Cell, Compared, ComparedPairs
from portrayal.records import Prompt, from_table
from portrayal.study.study import OpenStudy

__all__ = [
    "PART",
    "caption_comparer",
    "captioner",
    "picture_needs",
    "pictures_table",
    "read_compared",
    "structure_comparer",
]

PART = "similarity of captions"
# The image of each job of the couples' prompts, then each with those it is compared with. Of several attempts the last.
_PICTURES = """
    WITH wanted AS (SELECT x AS prompt FROM couples UNION SELECT y FROM couples),
    pictures AS (
        SELECT jobs.generator, jobs.prompt, jobs.index AS place, outcomes.image, outcomes.ext
        FROM jobs JOIN outcomes ON outcomes.job = jobs.id
        WHERE outcomes.status = 'made' AND jobs.prompt IN (SELECT prompt FROM wanted)
        QUALIFY row_number() OVER (PARTITION BY jobs.id ORDER BY outcomes.attempt DESC) = 1
    )
    SELECT one.generator, x, y, one.place, two.place AS other_place,
           least(one.image, two.image) AS image, greatest(one.image, two.image) AS other,
           CASE WHEN one.image <= two.image THEN one.ext ELSE two.ext END AS ext,
           CASE WHEN one.image <= two.image THEN two.ext ELSE one.ext END AS other_ext
    FROM couples JOIN pictures AS one ON one.prompt = x JOIN pictures AS two ON two.prompt = y
    WHERE one.generator = two.generator AND CASE WHEN x = y THEN one.place < two.place ELSE one.place = two.place END
    ORDER BY one.generator, x, y, one.place, two.place
"""
_KNOWN = """
    SELECT pairs.generator, x, y, place, other_place, structure.value AS structure, captions.value AS captions
    FROM pairs
    LEFT JOIN (SELECT * FROM comparisons WHERE comparer = '{structure}') AS structure
        ON structure.image = pairs.image AND structure.other = pairs.other
    LEFT JOIN (SELECT * FROM comparisons WHERE comparer = '{captions}') AS captions
        ON captions.image = pairs.image AND captions.other = pairs.other
    ORDER BY pairs.generator, x, y, place, other_place
"""


def picture_needs(study: OpenStudy) -> Iterator[Compared]:
    """Yield what methods want compared, each once."""
    yield from dict.fromkeys(need for method in study.methods for need in method.needs if isinstance(need, Compared))


def pictures_table(study: OpenStudy, need: Compared) -> pa.Table:
    """Return the pairs of images that a need asks for, with where they belong and where their files are."""
    prompts = list(from_table(study.workspace.query("SELECT * FROM prompts"), Prompt))
    couples = list(need.couples(prompts))
    names = pa.table(
        {"x": pa.array([x for x, _ in couples], pa.string()), "y": pa.array([y for _, y in couples], pa.string())}
    )
    return study.workspace.query(_PICTURES, couples=names)


def structure_comparer(need: Compared) -> str:
    """Return the name under which structure is compared: what would change a value is part of it."""
    return f"ssim@1:{need.size}"


def captioner(study: OpenStudy, need: Compared) -> str:
    """Return who writes the captions that are compared; nobody: empty."""
    if need.captioner:
        return study.design.annotator(need.captioner)
    return next((name for name, told in study.design.annotators.items() if "caption" in told), "")


def caption_comparer(study: OpenStudy, need: Compared, sentences: Sentences) -> str:
    """Return the name under which captions are compared."""
    return f"captions@1:{captioner(study, need)}&{sentences.title}"


def read_compared(study: OpenStudy, need: Compared, places: Mapping[Cell, int]) -> ComparedPairs:
    """Return the pairs with what is known of them."""
    captions = ""
    if captioner(study, need):
        captions = caption_comparer(study, need, Sentences(PART, "", "", "auto"))
    sql = _KNOWN.format(structure=structure_comparer(need), captions=captions.replace("'", "''"))
    rows = study.workspace.query(sql, pairs=pictures_table(study, need))
    generators, x, y = (rows[name].to_pylist() for name in ("generator", "x", "y"))

    def cells(prompts: list[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array([places[cell] for cell in zip(generators, prompts, strict=True)], dtype=np.int64)

    where = (rows[name].to_numpy().astype(np.int64) for name in ("place", "other_place"))
    values = (rows[name].to_numpy(zero_copy_only=False).astype(float) for name in ("structure", "captions"))
    return ComparedPairs(cells(x), cells(y), *where, *values)
