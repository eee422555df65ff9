"""Every share of a study put right by people's labels, in two ways.

By the confusion matrix: what annotators make of each group, in all labelled images together, is turned round. That
takes it that people of one group are misread alike in all prompts and by whomever they are drawn, and works for
shares none of whose own images are labelled. By the sample: where enough of a share's own images are labelled, these
say how far it lies off, and nothing is taken for granted. There the sample counts, elsewhere the matrix.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from portrayal.records import Attribute, Measurement, from_table
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.text.wide_intervals import wide_by_labels
from portrayal.stats.annotation.homogeneity import misread_alike
from portrayal.stats.annotation.misreading import Misreading
from portrayal.stats.annotation.prediction_powered import LabelledImages, Powered, Unlabelled, prediction_powered
from portrayal.stats.intervals import Array
from portrayal.study.correction.chosen_labels import chosen_labels
from portrayal.study.correction.labelled import Key, Labelled, labelled_people, labellers
from portrayal.study.sampling.drawn_rounds import Allowance, allowance_of
from portrayal.study.study import OpenStudy

__all__ = [
    "ENOUGH",
    "Asked",
    "confidence_of",
    "confusion_matrices",
    "correct_shares",
    "labelled_images",
    "measured_shares",
    "powered_share",
]

ENOUGH = 30
"""As many labels as make a correction count: of a share's own images for the sample, of any for the matrix."""
DIFFER = 0.01
"""Where errors that are alike everywhere would differ so much in so few studies, the matrix decides nothing."""
_SPREAD = 0.8
_PROMPTS = "SELECT id, term, category, language, variant, weight FROM prompts"
_PLANNED = "SELECT DISTINCT generator, prompt FROM jobs"
_SHARES = "SELECT * FROM measurements WHERE metric = 'share'"


def correct_shares(study: OpenStudy, people: str, elsewhere: Sequence[OpenStudy] = ()) -> list[CorrectedShare]:
    """Return the shares of annotators of whom it is known how they read people, each in the ways that are possible.

    ``people`` is whose word counts. ``elsewhere`` are other studies, whose labels by anybody from outside count for the
    matrix, too, where the same annotator read their images.
    """
    own, asked = labelled_people(study, people), Asked.of(study)
    matrices = confusion_matrices(study, own, elsewhere)
    alike = {key: _misread_alike(own.get(key), study.config.study.seed) for key in matrices}
    chosen, confidence = chosen_labels(study, people) if own else set(), confidence_of(study)
    corrected: list[CorrectedShare] = []
    for rows in measured_shares(study):
        row = next(iter(rows.values()))
        key = row.annotator, row.attribute.rpartition(".")[2]
        if key in matrices and row.annotator != people:
            attribute = study.attributes[key[1]]
            by_matrix = _by_matrix(matrices[key], [rows[group] for group in attribute.groups])
            by_sample = _by_sample(own.get(key), rows, attribute, asked, confidence)
            both = (*by_matrix, *by_sample)
            shares = [replace(share, uneven=not alike[key], chosen=key in chosen) for share in both]
            decides = _decides(by_matrix=shares[0], by_sample=bool(by_sample))
            corrected += [replace(share, decides=share.way == decides) for share in shares]
    return corrected


def _decides(*, by_matrix: CorrectedShare, by_sample: bool) -> str:
    if by_matrix.chosen:
        return ""
    return "sample" if by_sample else "matrix" if by_matrix.labels >= ENOUGH and by_matrix.matrix_holds else ""


def confidence_of(study: OpenStudy) -> float:
    """Return the confidence that the study's intervals are made for: more in an adaptive run, which looks allow for."""
    given = allowance_of(study)
    return Allowance().confidence if given is None else given.confidence


def confusion_matrices(
    study: OpenStudy, own: Mapping[Key, Labelled], elsewhere: Sequence[OpenStudy] = ()
) -> Mapping[Key, Misreading]:
    """Return how each annotator reads people, by the study's own labels and by those of other studies."""
    labels = {key: labelled.confusion for key, labelled in own.items()}
    for key, counts in _borrowed(study, elsewhere):
        labels[key] = labels.get(key, 0) + counts
    seed, confidence = study.config.study.seed, confidence_of(study)
    return {key: Misreading(counts.tolist(), seed, confidence) for key, counts in labels.items()}


def _misread_alike(labelled: Labelled | None, seed: int) -> bool:
    """Return whether chance explains how much the errors differ between prompts and models, as far as labels tell."""
    if labelled is None or len(labelled.places) < 2:
        return True
    return misread_alike(np.array(list(labelled.places.values())), np.random.default_rng([seed, 2])) > DIFFER


def _borrowed(study: OpenStudy, elsewhere: Sequence[OpenStudy]) -> Iterator[tuple[Key, Array]]:
    for other in elsewhere:
        for people in labellers(other):
            for (annotator, attribute), labelled in labelled_people(other, people).items():
                known = study.attributes.get(attribute)
                if annotator in study.annotators and known and known.groups == other.attributes[attribute].groups:
                    yield (annotator, attribute), labelled.confusion


def measured_shares(study: OpenStudy) -> Iterator[Mapping[str, Measurement]]:
    """Yield the shares of all groups of one place together; of methods that count people by their likeliest group."""
    counted = {method.name for method in study.methods if getattr(method.options, "evidence", "") == "label"}
    places: dict[tuple[str, ...], dict[str, Measurement]] = defaultdict(dict)
    for row in from_table(study.workspace.query(_SHARES), Measurement):
        if row.method in counted and row.value is not None:
            about = (row.method, row.generator, row.annotator, row.attribute, row.level, row.item)
            places[(*about, row.language, row.variant)][row.group] = row
    for rows in places.values():
        attribute = study.attributes.get(next(iter(rows.values())).attribute.rpartition(".")[2])
        if attribute and set(rows) == set(attribute.groups):
            yield rows


def _by_matrix(matrix: Misreading, rows: Sequence[Measurement]) -> list[CorrectedShare]:
    worth = min(float(row.n if row.worth is None else row.worth) for row in rows)
    found = matrix.corrected([row.value or 0.0 for row in rows], worth)
    numbers = zip(rows, found.shares.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
    return [
        CorrectedShare(
            row, way="matrix", value=None if np.isnan(value) else value, low=low, high=high, labels=matrix.labels
        )
        for row, value, low, high in numbers
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """The prompts of each generator, and what they are."""

    prompts: Mapping[str, Mapping[str, object]]
    planned: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, study: OpenStudy) -> Asked:
        """Return the prompts of the plan."""
        prompts = {row["id"]: row for row in study.workspace.query(_PROMPTS).to_pylist()}
        planned: dict[str, list[str]] = defaultdict(list)
        for row in study.workspace.query(_PLANNED).to_pylist():
            planned[row["generator"]].append(row["prompt"])
        return cls(prompts, planned)

    def weights(self, row: Measurement) -> dict[str, float]:
        """Return the prompts that a share is about, with their weights; none where its level is a method's own."""
        wanted: dict[str, str] = {name: value for name in ("language", "variant") if (value := getattr(row, name))}
        if row.level in ("term", "category"):
            wanted[row.level] = row.item
        elif row.level != "overall":
            return {}
        mine = {prompt: self.prompts[prompt] for prompt in self.planned.get(row.generator, ())}
        return {
            prompt: float(str(about["weight"]))
            for prompt, about in mine.items()
            if all(about[name] == value for name, value in wanted.items())
        }


def _by_sample(
    labelled: Labelled | None,
    rows: Mapping[str, Measurement],
    attribute: Attribute,
    asked: Asked,
    confidence: float,
) -> list[CorrectedShare]:
    row = rows[attribute.groups[0]]
    if labelled is None or row.attribute != attribute.name or any(n.code == "people_in_images" for n in row.notes):
        return []  # people of one picture are no random part of those in several
    weights = asked.weights(row)
    strata = labelled.of(row.generator, weights)
    if sum(counts.sum() for counts in strata.values()) < ENOUGH or not _is_random(strata, weights):
        return []
    images = [labelled_images(strata, weights, place) for place in range(len(attribute.groups))]
    return [_corrected(rows[group], mine, confidence) for group, mine in zip(attribute.groups, images, strict=True)]


def _is_random(strata: Mapping[str, Array], weights: Mapping[str, float]) -> bool:
    """Return whether labels are of every prompt, or of so many that hardly two are of the same one."""
    counts = np.array([float(table.sum()) for table in strata.values()])
    return len(strata) == len(weights) or counts.sum() ** 2 / (counts**2).sum() >= _SPREAD * counts.sum()


def labelled_images(strata: Mapping[str, Array], weights: Mapping[str, float], place: int) -> LabelledImages:
    """Return the labelled images of one group; those of a prompt stand together for its weight."""
    truth, read, mass = [], [], []
    for prompt, counts in strata.items():
        is_group = np.arange(len(counts)) == place
        each = counts.astype(int).ravel()
        truth.append(np.repeat(np.repeat(is_group, len(counts)), each))
        read.append(np.repeat(np.tile(is_group, len(counts)), each))
        mass.append(np.full(each.sum(), weights[prompt] / each.sum()))
    return LabelledImages.of(*map(np.concatenate, (truth, read, mass)))


def powered_share(row: Measurement, images: LabelledImages) -> Powered:
    """Return a share as those of its own images that are labelled know it."""
    rest = Unlabelled.rest(row.n, row.value or 0.0, images)
    worth = row.n if row.worth is None else row.worth
    return prediction_powered(images, replace(rest, images=min(rest.images, worth)))


def _corrected(row: Measurement, images: LabelledImages, confidence: float) -> CorrectedShare:
    found = powered_share(row, images)
    bounds = found.interval(confidence)
    value = min(max(found.value, 0.0), 1.0)
    wide = wide_by_labels(value, images.n, int((images.truth != images.read).sum()))
    return CorrectedShare(
        row, way="sample", value=value, low=bounds.low, high=bounds.high, labels=len(images.truth), wide=wide
    )
