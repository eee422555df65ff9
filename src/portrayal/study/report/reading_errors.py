"""How often annotators are known to misread people: by people's labels, by planted truth, or by a test of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from portrayal.reports.reading_errors import ReadingErrors
from portrayal.stats.intervals import Array
from portrayal.study.correction.chosen_labels import chosen_labels
from portrayal.study.correction.labelled import Labelled, labelled_people, labellers
from portrayal.study.study import OpenStudy

__all__ = ["reading_errors"]

Key = tuple[str, str]
"""Annotator and attribute."""
Confusion = Mapping[tuple[str, str], int]


def reading_errors(study: OpenStudy, planted: Mapping[Key, Confusion]) -> dict[Key, ReadingErrors]:
    """Return what is known, by annotator and attribute: labels before planted truth, that before documented tests."""
    known: dict[Key, ReadingErrors] = dict(_documented(study))
    known |= {key: ReadingErrors("planted", pairs) for key, pairs in planted.items() if not _planted_by(study, key[0])}
    for people in labellers(study):
        known |= _labelled(study, people)
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
    known = {}
    chosen = chosen_labels(study, people)
    for (annotator, attribute), labelled in labelled_people(study, people).items():
        if (annotator, attribute) in chosen:
            continue
        groups = study.attributes[attribute].groups
        own = {model: _pairs(counts, groups) for model, counts in _by_model(labelled).items()}
        known[annotator, attribute] = ReadingErrors("labels", _pairs(labelled.confusion, groups), by_model=own)
    return known


def _by_model(labelled: Labelled) -> dict[str, Array]:
    counts: dict[str, Array] = {}
    for (model, _), own in labelled.places.items():
        counts[model] = counts.get(model, np.zeros(own.shape)) + own
    return counts


def _pairs(confusion: Array, groups: Sequence[str]) -> Confusion:
    counts = confusion.astype(int).tolist()
    return {
        (truth, seen): images
        for truth, row in zip(groups, counts, strict=True)
        for seen, images in zip(groups, row, strict=True)
        if images
    }
