"""Which part of the images people labelled, where their word counts for what annotators read in the same images."""

from __future__ import annotations

from portrayal.reports.reading_errors import LabelledPart
from portrayal.study.correction.labelled import labelled_people, labellers
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["labelled_part"]

_LABELLED = f"""
    WITH made AS (
        SELECT DISTINCT jobs.generator, jobs.prompt, image FROM jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id
    ),
    looked AS (SELECT DISTINCT image FROM observations WHERE annotator = '{{people}}')
    SELECT generator, count(*) AS images, count(looked.image) AS labelled
    FROM made LEFT JOIN looked USING (image) GROUP BY generator ORDER BY generator
"""


def labelled_part(study: OpenStudy) -> LabelledPart | None:
    """Return it; None where nobody's word counts, or where nobody else read what they labelled."""
    people = labellers(study)
    if len(people) != 1 or not labelled_people(study, people[0]):
        return None
    rows = study.workspace.query(_LABELLED.format(people=people[0].replace("'", "''"))).to_pylist()
    return LabelledPart(people[0], {row["generator"]: (row["labelled"], row["images"]) for row in rows})
