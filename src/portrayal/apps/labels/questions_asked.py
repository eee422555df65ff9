"""What a study's labelling asks: who labels, about which attributes, in which images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from portrayal.annotators import Annotator
from portrayal.apps.labels.config import LabelsConfig
from portrayal.errors import ConfigError, StudyError, did_you_mean
from portrayal.records import Attribute
from portrayal.store.images.kept_names import kept_names
from portrayal.study.importing.labels.imported_annotator import add_annotator, labelling_annotator
from portrayal.study.importing.labels.read_sheet import columns
from portrayal.study.measure.counting import COUNTING
from portrayal.study.study import OpenStudy

__all__ = ["Asked", "add_labeller", "asked_of", "images_here"]

_HERE = f"SELECT DISTINCT image, ext FROM jobs JOIN ({COUNTING}) AS made ON made.job = jobs.id AND ext <> ''"


@dataclass(frozen=True, slots=True)
class Asked:
    """For whom people label, and the attributes that they are asked about by name."""

    annotator: Annotator
    attributes: Mapping[str, Attribute]


def asked_of(study: OpenStudy) -> Asked:
    """Return what the labelling of a study asks; a name that the annotator does not have is a mistake."""
    config = study.config.of_app(LabelsConfig)
    annotator = labelling_annotator(study, config.annotator)
    known = {name: one for name, one in columns(annotator.attributes).items() if not one.parts}
    for name in config.attributes:
        if name not in known:
            raise ConfigError(
                f"[labels] attributes: {annotator.name} has no attribute {name!r} with groups"
                f"{did_you_mean(name, known)}"
            )
    chosen = [known[name] for name in config.attributes] or [one for name, one in known.items() if name == one.name]
    if not chosen:
        raise ConfigError(f"{annotator.name} has no attribute with groups, so there is nothing to ask people")
    return Asked(annotator, {one.name: one for one in chosen})


def add_labeller(study: OpenStudy) -> str:
    """See that labels can come in: write the annotator into study.toml; return a line, unless it was there.

    A study without pictures stays as it is.
    """
    asked = asked_of(study)
    if not images_here(study):
        raise StudyError(f"{study.root}: no pictures to label yet; draw some, or import some")
    return add_annotator(study, asked.annotator)


def images_here(study: OpenStudy) -> frozenset[str]:
    """Return the images of the plan that count and whose files are there."""
    kept = kept_names(study.workspace.images)
    rows = study.workspace.query(_HERE).to_pylist()
    return frozenset(row["image"] for row in rows if f"{row['image']}.{row['ext']}" in kept)
