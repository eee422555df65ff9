"""What people answered as the rows of a sheet of labels: to export, and to bring into the study."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

from portrayal.apps.labels import APP
from portrayal.apps.labels.config import LabelsConfig
from portrayal.apps.labels.labelling.labelling_state import LabellingState, LabelRules
from portrayal.apps.labels.labelling.picture import LabelTask
from portrayal.apps.labels.questions_asked import Asked, images_here
from portrayal.csvfile import CsvRow, csv_text
from portrayal.errors import StudyError
from portrayal.records import PERSON
from portrayal.study.importing.labels.import_labels import check_answers, import_labels
from portrayal.study.importing.labels.read_sheet import PROBABILITY, Answer
from portrayal.study.sql.rater import Rater
from portrayal.study.study import OpenStudy

__all__ = ["Collected", "answers_csv", "check_collected", "collect", "rater_name", "rules_of", "state_of"]

_LABELLED = "SELECT DISTINCT image FROM observations SEMI JOIN chosen USING (annotator)"
_WORDS = {PERSON: "yes", f"not_{PERSON}": "no", "": "?"}


@dataclass(frozen=True, slots=True)
class Collected:
    """What came into the study: new images with their labels, and how many others are there already or not complete."""

    counts: Counter[str]
    already: int
    incomplete: int


def rules_of(asked: Asked, raters: int, quota: int) -> LabelRules:
    """Return by which rules pictures are dealt."""
    return LabelRules(raters, quota, {name: attribute.groups for name, attribute in asked.attributes.items()})


def state_of(study: OpenStudy, asked: Asked, database: str = "") -> LabellingState:
    """Return the state that a study's database holds, to be looked at, without taking it from a server."""
    APP.need_server("labelling")
    from portrayal.apps.labels.database.open_labels import read_labels

    config = study.config.of_app(LabelsConfig)
    rules = rules_of(asked, config.raters, config.quota)
    return LabellingState.of(rules, images_here(study), read_labels(database, study.root))


def rater_name(rater: Rater) -> str:
    """Return by which name a rater's answers go: the label of the link, if it has one, and the random code."""
    return f"{rater.label} {rater.id}".strip()


def answers_csv(state: LabellingState, asked: Asked, *, everyone: bool = False) -> str:
    """Return every answer as a row of a sheet, as ``portrayal import --labels`` and the Alt-Test read it.

    Raters who are left out are only in it with ``everyone``.
    """
    named = ("image", "prompt", "side", PROBABILITY, "rater", PERSON, *asked.attributes)
    rows = []
    for task in _counted(state, everyone=everyone):
        picture, choices = state.pictures[task.key], task.choices or {}
        rater = state.rater(task.rater)
        assert rater is not None
        likely = "" if picture.probability is None else f"{picture.probability:.4f}"
        said = [choices.get(name) or "?" for name in asked.attributes]
        row = [task.image, picture.prompt, task.side, likely, rater_name(rater), _WORDS[choices.get(PERSON, "")], *said]
        rows.append(row)
    return csv_text(named, rows)


def collect(study: OpenStudy, state: LabellingState, asked: Asked) -> Collected:
    """Bring what is complete into the study as labels, under its lock; what is there already stays as it is."""
    drawn, complete = {image for image, _ in state.pictures} & state.here, _complete(state)
    labelled = _labelled(study, asked.annotator.name)
    new = complete - labelled
    answers = [_answer(task, state, asked) for task in _counted(state) if task.image in new]
    counts = Counter[str]()
    if answers:
        checked = check_answers(study, answers, asked.annotator)
        with study.workspace.writing():
            counts = import_labels(study, checked)
    return Collected(counts, len(labelled & drawn), len(drawn - complete - labelled))


def check_collected(study: OpenStudy, state: LabellingState, asked: Asked) -> None:
    """Refuse to go on while complete pictures are not in the study: it would not know what they tell."""
    if left := _complete(state) - _labelled(study, asked.annotator.name):
        raise StudyError(
            f"{study.root}: the labels of {len(left)} complete pictures are not in the study yet, so it cannot say "
            f"which to label next; bring them in with: portrayal labels collect {shlex.quote(str(study.root))}"
        )


def _complete(state: LabellingState) -> set[str]:
    """Return the images of which every person has enough answers."""
    sides = defaultdict(list)
    for key in state.pictures:
        sides[key[0]].append(key)
    return {image for image, keys in sides.items() if image in state.here and not any(map(state.needs, keys))}


def _counted(state: LabellingState, *, everyone: bool = False) -> Sequence[LabelTask]:
    """Return the answered tasks in the order in which they were answered."""
    left_out = {rater.id for rater in state.raters() if rater.excluded and not everyone}
    told = [task for task in state.answered_tasks() if task.rater not in left_out and task.key in state.pictures]
    return sorted(told, key=lambda task: (task.cast_at or 0.0, task.rater, task.number))


def _answer(task: LabelTask, state: LabellingState, asked: Asked) -> Answer:
    choices, rater = task.choices or {}, state.rater(task.rater)
    assert rater is not None
    row = CsvRow(f"picture {task.image[:12]}", {"image": task.image, "side": task.side, "rater": rater_name(rater)})
    groups = {name: _known(choices.get(name, ""), one.groups) for name, one in asked.attributes.items()}
    return Answer(row, groups, {PERSON: True, f"not_{PERSON}": False}.get(choices.get(PERSON, "")), filled=True)


def _known(choice: str, groups: Iterable[str]) -> str | None:
    return choice if choice in groups else None


def _labelled(study: OpenStudy, annotator: str) -> set[str]:
    chosen = pa.table({"annotator": [annotator]})
    return set(study.workspace.query(_LABELLED, chosen=chosen)["image"].to_pylist())
