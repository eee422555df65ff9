"""Reject: edits that show people of different groups are to be made anew, as often as the suite allows.

A rejected image keeps its row; another row, of the status ``rejected``, says that this attempt does not count and why.
So the record has every attempt. The image of the last attempt stays, whatever it shows; and so do edits that exist
already, of which there is no other.
"""

from __future__ import annotations

import pyarrow as pa

from portrayal.evidence import Edits
from portrayal.evidence.pairs.edits import INCONSISTENT
from portrayal.generators import finds_images
from portrayal.records import OUTCOME_SCHEMA, Outcome, to_table
from portrayal.study.measure.collect import collect
from portrayal.study.run_control import RunControl
from portrayal.study.study import OpenStudy

__all__ = ["reject_inconsistent"]

# The attempt that counts, of edits that have one of the images and whose last image is not rejected yet.
_COUNTING = """
    WITH mixed AS (SELECT job FROM outcomes JOIN images ON image[1:16] = name WHERE status = 'made')
    SELECT job, any_value(generator) AS generator,
           count(*) FILTER (status = 'made') AS made, max(attempt) FILTER (status = 'made') AS attempt,
           arg_max(image, attempt) FILTER (status = 'made') AS image,
           arg_max(ext, attempt) FILTER (status = 'made') AS ext
    FROM outcomes JOIN jobs ON jobs.id = job WHERE job IN (SELECT job FROM mixed) AND source_job IS NOT NULL
    GROUP BY job HAVING count(*) FILTER (status = 'made') = 1 + count(*) FILTER (status = 'rejected')
    ORDER BY job
"""


def reject_inconsistent(study: OpenStudy, control: RunControl) -> int:
    """Write down which edits are to be made anew, and return how many; the first annotator that can tell decides."""
    rule = study.suite.redraw if study.suite else None
    if rule is None or not study.edits:
        return 0
    deciding = [name for name, told in study.design.annotators.items() if rule.attribute in told]
    need = Edits((rule.attribute,))
    by_annotator = collect(study, [need], RunControl(stopped=control.stopped))[need] if deciding else {}
    if control.stopped() or not deciding or deciding[0] not in by_annotator:
        return 0
    edited, reason = by_annotator[deciding[0]], INCONSISTENT + rule.attribute
    keys = edited.key[edited.why_after[rule.attribute] == reason].tolist()
    names = sorted({f"{key:016x}" for key in keys})
    anew = {name for name, role in study.generators.items() if not finds_images(role.generator)}
    images = pa.table({"name": pa.array(names, pa.string())})
    rows = [
        Outcome(row["job"], row["attempt"], "rejected", reason, image=row["image"], ext=row["ext"])
        for row in study.workspace.query(_COUNTING, images=images).to_pylist()
        if row["made"] < rule.tries and row["image"][:16] in names and row["generator"] in anew
    ]
    if rows:
        study.workspace.tables["outcomes"].append(to_table(rows, OUTCOME_SCHEMA))
    return len(rows)
