"""How often annotators are known to misread people: by people's labels, by planted truth, or by a test of their own."""

from __future__ import annotations

from collections.abc import Mapping

from portrayal.reports.data import ReadingErrors
from portrayal.study.study import OpenStudy

__all__ = ["reading_errors"]

Key = tuple[str, str]
"""Annotator and attribute."""
Confusion = Mapping[tuple[str, str], int]

_LABELLED = """
    WITH single AS (
        SELECT annotator, image, attribute, any_value(list_position(mass, list_max(mass))) AS place
        FROM observations WHERE len(mass) > 0 GROUP BY annotator, image, attribute HAVING count(*) = 1
    )
    SELECT read.annotator, read.attribute, labelled.place AS truth, read.place AS seen, count(*) AS images
    FROM single AS read JOIN single AS labelled USING (image, attribute)
    WHERE labelled.annotator = '{people}' AND read.annotator <> '{people}' GROUP BY ALL ORDER BY ALL
"""


def reading_errors(study: OpenStudy, planted: Mapping[Key, Confusion]) -> dict[Key, ReadingErrors]:
    """Return what is known, by annotator and attribute: labels before planted truth, that before documented tests."""
    known: dict[Key, ReadingErrors] = dict(_documented(study))
    known |= {key: ReadingErrors("planted", pairs) for key, pairs in planted.items() if not _planted_by(study, key[0])}
    for identity, (_, annotator) in study.annotators.items():
        if annotator.name.startswith("imported"):
            known |= _labelled(study, identity)
    return known


def _documented(study: OpenStudy) -> dict[Key, ReadingErrors]:
    return {
        (identity, attribute): ReadingErrors("documented", misread=misread, of=of)
        for identity, (_, annotator) in study.annotators.items()
        for attribute, (misread, of) in getattr(annotator, "tested", {}).items()
    }


def _planted_by(study: OpenStudy, identity: str) -> bool:
    """Return whether what a generator plants is what this annotator read: then it says nothing of its errors."""
    name = study.annotators[identity][1].name
    return any(getattr(part.generator, "labelled_by", "") == name for part in study.generators.values())


def _labelled(study: OpenStudy, people: str) -> dict[Key, ReadingErrors]:
    counts: dict[Key, dict[tuple[str, str], int]] = {}
    asked = _LABELLED.format(people=people.replace("'", "''"))
    for row in study.workspace.query(asked).to_pylist():
        groups = study.attributes[row["attribute"]].groups
        pair = groups[row["truth"] - 1], groups[row["seen"] - 1]
        counts.setdefault((row["annotator"], row["attribute"]), {})[pair] = row["images"]
    return {key: ReadingErrors("labels", pairs) for key, pairs in counts.items()}
