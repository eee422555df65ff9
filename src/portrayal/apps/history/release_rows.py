"""From folders of studies to releases: whose numbers follow each other, under which names, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from portrayal.errors import InputError, did_you_mean
from portrayal.records import Attribute, Measurement, content_id, from_table
from portrayal.reports.comparisons.matching import is_share
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.parts.part_names import page_names
from portrayal.study.releases import asked_prompts, measured_at, study_folders, weights_mark
from portrayal.study.study import OpenStudy

__all__ = ["Release", "Releases", "read_releases"]


@dataclass(frozen=True)
class Release:
    """One study: the name of the release, when it was measured, and its rows by the name of the model.

    In a row the generator is the release, with the model where several are followed. ``options`` are marks of how each
    method is set up, ``annotators`` those who looked, ``prompts`` what was asked.
    """

    name: str
    folder: Path
    measured: datetime
    rows: Mapping[str, Sequence[Measurement]]
    annotators: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    prompts: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Releases:
    """All releases in order, the models that are followed, and what is to be known of their parts."""

    releases: Sequence[Release]
    models: Sequence[str]
    attributes: Mapping[str, Attribute]
    margin: float
    language: str


def read_releases(folders: Sequence[Path], *, by_date: bool = False, models: Sequence[str] = ()) -> Releases:
    """Read studies, or folders of studies; they follow each other as given, or by when they were measured."""
    paths = [path for folder in folders for path in study_folders(folder)]
    twice = [str(path) for path, times in Counter(path.resolve() for path in paths).items() if times > 1]
    if twice:
        raise InputError(f"{twice[0]}: is given twice; give each release once")
    if len(paths) < 2:
        raise InputError(f"{paths[0]}: a history needs two releases or more; give the folders of more studies")
    studies = [OpenStudy.to_read(path) for path in paths]
    times = {study.root: _measured(study) for study in studies}
    if by_date:
        studies.sort(key=lambda study: times[study.root])
    looking = _annotators(studies)
    followed, rows = _followed(studies, [_rows(study, looking) for study in studies], models)
    last = studies[-1]
    releases = []
    for study, name, by_model in zip(studies, _names(studies), rows, strict=True):
        weights, options = weights_mark(study), _options(study)
        labels = {model: name if len(followed) == 1 else f"{model} ({name})" for model in by_model}
        marked = {
            model: [_marked(row, labels[model], weights, options) for row in mine] for model, mine in by_model.items()
        }
        seen = list(dict.fromkeys(row.annotator for mine in marked.values() for row in mine if row.annotator))
        releases.append(
            Release(
                name,
                folder=study.root,
                measured=times[study.root],
                rows=marked,
                annotators=seen,
                options=options,
                prompts=asked_prompts(study),
            )
        )
    return Releases(
        releases,
        followed,
        {name: attribute for study in studies for name, attribute in study.attributes.items()},
        margin=last.config.report.tolerance,
        language=last.config.report.language,
    )


def _annotators(studies: Sequence[OpenStudy]) -> dict[str, str]:
    """Return what annotators are called by identity: by their identity where two share a name, or versions differ."""
    names = {identity: name for study in studies for identity, name in page_names(study).annotators.items()}
    often = Counter(names.values())
    return {identity: name if often[name] == 1 else identity for identity, name in names.items()}


def _measured(study: OpenStudy) -> datetime:
    when = measured_at(study)
    if when is None:
        raise nothing_measured(study)
    return when.astimezone(UTC)


def _rows(study: OpenStudy, annotators: Mapping[str, str]) -> dict[str, list[Measurement]]:
    """Return the rows by the model's name, with the names of annotators."""
    names = page_names(study)
    rows: dict[str, list[Measurement]] = {}
    for row in from_table(study.workspace.query("SELECT * FROM measurements"), Measurement):
        seen_by = annotators.get(row.annotator, row.annotator)
        rows.setdefault(names.generator(row.generator), []).append(replace(row, annotator=seen_by))
    return rows


def _followed(
    studies: Sequence[OpenStudy], rows: Sequence[dict[str, list[Measurement]]], wanted: Sequence[str]
) -> tuple[list[str], list[dict[str, list[Measurement]]]]:
    """Return the models that are followed: those that two releases have, or else the only one of each."""
    every = list(dict.fromkeys(name for by_model in rows for name in by_model))
    for name in wanted:
        if name not in every:
            raise InputError(f"no model {name!r} has numbers here{did_you_mean(name, every)}")
    common = [name for name in wanted or every if sum(name in by_model for by_model in rows) > 1]
    if common:
        return common, [{name: by_model[name] for name in common if name in by_model} for by_model in rows]
    if wanted or any(len(by_model) != 1 for by_model in rows):
        named = "; ".join(f"{study.root}: {', '.join(by_model)}" for study, by_model in zip(studies, rows, strict=True))
        raise InputError(
            "no model has the same name in two releases; give the generators of study.toml the same name, or one model "
            f"to each release ({named})"
        )
    only = [next(iter(by_model)) for by_model in rows]
    return [only[-1]], [{only[-1]: by_model[name]} for name, by_model in zip(only, rows, strict=True)]


def _names(studies: Sequence[OpenStudy]) -> list[str]:
    """Return the names of folders, with as much of the path as tells them apart."""
    parts = [study.root.absolute().parts for study in studies]
    for length in range(1, max(map(len, parts)) + 1):
        names = ["/".join(path[-length:]) for path in parts]
        if len(set(names)) == len(names):
            break
    return names


def _options(study: OpenStudy) -> dict[str, str]:
    """Return a mark for how each method is set up."""
    return {config.use: content_id(config.model_dump_json()) for config in study.config.methods}


def _marked(row: Measurement, label: str, weights: str, options: Mapping[str, str]) -> Measurement:
    """Return a row of a release, so marked that it is not compared with one that means something else.

    The marks stand behind the name of the prompts: means over prompts need the same weights, and scores a method that
    is set up in the same way.
    """
    marks = [weights] if row.prompts > 1 else []
    marks += [] if is_share(row) else [options.get(row.method, "")]
    return replace(row, generator=label, prompt_set=" ".join([row.prompt_set, *marks]))
