"""Import: a sheet of human labels becomes observations; the raters' disagreement becomes the mass.

A label once written is never changed. A sheet that says the same again adds nothing, one that speaks of other images
adds those, and one that says anything else about the same image is refused.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from portrayal.annotators import Annotator
from portrayal.errors import InputError
from portrayal.records import (
    OBSERVATION_SCHEMA,
    PERSON,
    Attribute,
    Finding,
    attribute_table,
    single_precision,
    to_table,
)
from portrayal.study.importing.labels.find_image import Target, find_images
from portrayal.study.importing.labels.read_sheet import Answer, read_sheet
from portrayal.study.importing.results import observed
from portrayal.study.study import OpenStudy

__all__ = ["COULD_NOT_TELL", "Judgement", "Labels", "check_answers", "check_labels", "combine", "import_labels"]

COULD_NOT_TELL = "raters_could_not_tell"
_SEEN = """
    SELECT image, subject, attribute, mass, reason FROM observations SEMI JOIN chosen USING (image, annotator)
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the raters together say about one attribute of one person, and the row they began at."""

    where: str
    image: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Labels:
    """A sheet that was read and found to fit the study."""

    annotator: str
    judged: Sequence[Judgement]
    counts: Counter[str]


def check_labels(study: OpenStudy, path: Path, annotator: Annotator) -> Labels:
    """Read the sheet and find its images; whatever is wrong with it is said before anything is written."""
    sheet = read_sheet(path, annotator.attributes)
    answers = [answer for answer in sheet if answer.filled]
    if not answers:
        raise InputError(f"{path}: no row is filled in")
    labels = check_answers(study, answers, annotator)
    return replace(labels, counts=labels.counts + Counter({"rows left empty": len(sheet) - len(answers)}))


def check_answers(study: OpenStudy, answers: Sequence[Answer], annotator: Annotator) -> Labels:
    """Find the images of answers; whatever does not fit the study is said before anything is written."""
    targets = find_images(study, [answer.row for answer in answers])
    attributes = {attribute.name: attribute for attribute in annotator.attributes}
    judged = list(combine(list(zip(answers, targets, strict=True)), attributes))
    _news(study, annotator.name, judged)
    counts = Counter({"rows": len(answers)})
    counts["images"] = len({target.image for target in targets})
    return Labels(annotator.name, judged, counts)


def import_labels(study: OpenStudy, labels: Labels) -> Counter[str]:
    """Add the sheet's labels as the annotator's observations; return the counts. All of the sheet, or none of it."""
    new = _news(study, labels.annotator, labels.judged)
    rows = [observed(item.image, labels.annotator, item.finding) for item in new]
    # One segment, whose atomic rename is the commit.
    study.workspace.tables["observations"].append(to_table(rows, OBSERVATION_SCHEMA))
    counts = Counter(labels.counts)
    counts["observations"] = sum(row.reason is None for row in rows)
    counts["could not tell"] = sum(row.reason is not None for row in rows)
    counts["already there"] = len(labels.judged) - len(new)
    return +counts


def combine(answers: Sequence[tuple[Answer, Target]], attributes: Mapping[str, Attribute]) -> Iterator[Judgement]:
    """Yield the shares of raters who chose each group; those who could not tell are left out."""
    people: dict[tuple[str, int], dict[str, Answer]] = defaultdict(dict)
    for answer, target in answers:
        raters = people[target.image, answer.subject(target.people)]
        rater = answer.rater or f"\n{len(raters)}"  # nobody is called that; the left and right rows of one rater agree
        if rater in raters:
            first = raters[rater].row.where
            raise InputError(f"{answer.row.where}: {rater!r} judged this person already at {first}; keep one row")
        raters[rater] = answer
    for (image, subject), raters in people.items():
        where = next(iter(raters.values())).row.where
        for name in next(iter(raters.values())).groups:
            votes = [group for answer in raters.values() if (group := answer.groups[name]) is not None]
            yield Judgement(where, image, _share(subject, attributes[name], votes))
    yield from _presence(people)


def _presence(people: Mapping[tuple[str, int], Mapping[str, Answer]]) -> Iterator[Judgement]:
    """Yield whether the people asked for are there: to a rater they are not if one of two is not."""
    votes: dict[str, dict[str, bool]] = defaultdict(dict)
    first: dict[str, str] = {}
    for (image, _), raters in people.items():
        for rater, answer in raters.items():
            if answer.person is not None:
                votes[image][rater] = votes[image].get(rater, True) and answer.person
                first.setdefault(image, answer.row.where)
    attribute = attribute_table()[PERSON]
    there, absent = attribute.groups
    for image, said in votes.items():
        yield Judgement(first[image], image, _share(0, attribute, [there if yes else absent for yes in said.values()]))


def _share(subject: int, attribute: Attribute, votes: Sequence[str]) -> Finding:
    if not votes:
        return subject, attribute.name, None, COULD_NOT_TELL
    mass = single_precision([votes.count(group) / len(votes) for group in attribute.groups])
    return subject, attribute.name, mass, None


def _news(study: OpenStudy, annotator: str, judged: Sequence[Judgement]) -> list[Judgement]:
    """Return what is about images new to the annotator, or refuse what is not what it said about one before."""
    images: dict[str, list[Judgement]] = defaultdict(list)
    for item in judged:
        images[item.image].append(item)
    chosen = pa.table({"image": list(images), "annotator": [annotator] * len(images)})
    said: dict[str, set[Finding]] = defaultdict(set)
    for row in study.workspace.query(_SEEN, chosen=chosen).to_pylist():
        mass = None if row["mass"] is None else tuple(row["mass"])
        said[row["image"]].add((row["subject"], row["attribute"], mass, row["reason"]))
    for image, items in images.items():
        if image in said and said[image] != {item.finding for item in items}:
            raise InputError(
                f"{items[0].where}: {annotator} has said something else about image {image[:12]} before, "
                "and labels are never changed; import this sheet for another annotator"
            )
    # The rows of an image stand together, as those who read the table expect.
    return [item for image, items in images.items() if image not in said for item in items]
