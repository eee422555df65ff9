"""The rows of an atlas: what is known of a model, and the scores of one evaluation of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace

import pyarrow as pa

from portrayal.errors import InputError
from portrayal.records import content_id, record_schema
from portrayal.records.evaluated_models.model_kinds import category_name, scheduler_name

__all__ = ["EVALUATION_SCHEMA", "MODEL_SCHEMA", "Evaluation", "ModelInfo", "Score", "evaluations_of", "models_of"]
__all__ += ["AtlasRows", "evaluation_table", "model_table"]

_SCORE = pa.struct([("value", pa.float64()), ("low", pa.float64()), ("high", pa.float64())])
EVALUATION_SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("protocol", pa.string()),
        ("run", pa.string()),
        ("source", pa.string()),
        ("images", pa.int64()),
        ("scores", pa.map_(pa.string(), _SCORE)),
    ]
)


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a model, and the bounds of its 95 % interval where they are known."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation of a model. Those of other ``protocol``, prompts and way of measuring, are never mixed.

    ``run`` tells evaluations of one model apart: they are versions of it, the last in order the current one.
    ``source`` says where the figures come from.
    """

    model: str
    scores: Mapping[str, Score]
    protocol: str = ""
    run: str = ""
    source: str = ""
    images: int | None = None

    @property
    def id(self) -> str:
        """The same figures are the same evaluation, however often and from whatever file they are brought in."""
        scores = {name: asdict(self.scores[name]) for name in sorted(self.scores)}
        parts = (self.model, self.protocol, self.run, str(self.images))
        return content_id(*parts, json.dumps(scores, sort_keys=True))

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is an evaluation of, and its place among others: versions of a model follow each other."""
        return self.model, self.protocol, self.run


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model: of what kind it is, since when, how it draws, how many like and fetch it a month.

    ``created`` is a date as year, month and perhaps day. Empty and None are not known. Kinds and schedulers have one
    spelling each from here on, so that no group falls apart, whatever file or older atlas they come from.
    """

    model: str
    category: str = ""
    scheduler: str = ""
    pipeline: str = ""
    created: str = ""
    likes: int | None = None
    downloads: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "category", category_name(self.category))
        object.__setattr__(self, "scheduler", scheduler_name(self.scheduler))

    def updated(self, other: ModelInfo) -> ModelInfo:
        """Return it with what another one knows; what that does not know stays."""
        values = {column.name: getattr(other, column.name) for column in fields(other)}
        return replace(self, **{name: value for name, value in values.items() if value not in ("", None)})

    @property
    def year(self) -> float | None:
        """Since when, in years with decimals; None: not known."""
        if not self.created:
            return None
        year, month, *day = (int(part) for part in self.created.split("-"))
        return year + (month - 1) / 12 + ((day[0] if day else 15) - 1) / 365.25


MODEL_SCHEMA = record_schema(ModelInfo)


@dataclass(frozen=True)
class AtlasRows:
    """All that an atlas holds."""

    evaluations: tuple[Evaluation, ...] = ()
    models: Mapping[str, ModelInfo] = field(default_factory=dict)

    def joined(self, evaluations: Iterable[Evaluation], models: Iterable[ModelInfo]) -> AtlasRows:
        """Return it with more rows; an evaluation that is there already is not added.

        A run that is given again with other figures takes the place of what was given before: only who gives it knows
        which is right. Of several sources of the same figures the first in alphabetical order stays.
        """
        known: dict[tuple[str, str, str], Evaluation] = {}
        new = list(evaluations)
        self.check_runs({row.key for row in new})
        for row in (*self.evaluations, *new):
            there = known.get(row.key)
            if there is None or there.id != row.id or _first_named(row.source, there.source) != there.source:
                known[row.key] = row
        infos = dict(self.models)
        for info in models:
            infos[info.model] = infos.get(info.model, ModelInfo(info.model)).updated(info)
        for row in known.values():
            infos.setdefault(row.model, ModelInfo(row.model))
        return AtlasRows(tuple(known[key] for key in sorted(known)), {name: infos[name] for name in sorted(infos)})

    def check_runs(self, given: Collection[tuple[str, str, str]] = ()) -> None:
        """Refuse two figures of one run, which older versions stored, but for those that are given now."""
        seen: set[tuple[str, str, str]] = set()
        for row in self.evaluations:
            if row.key in seen and row.key not in given:
                raise InputError(
                    f"the atlas holds {row.model!r}, run {row.run!r}, twice with different figures; import that row "
                    "again with the right ones"
                )
            seen.add(row.key)

    def replaced(self, evaluations: Iterable[Evaluation]) -> list[tuple[Evaluation, Evaluation]]:
        """Return the rows that others of the same run would take the place of, each with the other."""
        new = {row.key: row for row in evaluations}
        return [(row, new[row.key]) for row in self.evaluations if row.key in new and new[row.key].id != row.id]


def _first_named(*sources: str) -> str:
    return min(sources, key=lambda source: (not source, source))


def evaluation_table(rows: Iterable[Evaluation]) -> pa.Table:
    """Return evaluations as a table."""
    listed = [
        {
            **{name: getattr(row, name) for name in ("model", "protocol", "run", "source", "images")},
            "scores": [(name, asdict(row.scores[name])) for name in sorted(row.scores)],
        }
        for row in rows
    ]
    return pa.Table.from_pylist(listed, EVALUATION_SCHEMA)


def evaluations_of(table: pa.Table) -> list[Evaluation]:
    """Return the evaluations of a table."""
    return [
        Evaluation(**{**row, "scores": {name: Score(**score) for name, score in row["scores"]}})
        for row in table.to_pylist()
    ]


def model_table(infos: Iterable[ModelInfo]) -> pa.Table:
    """Return what is known of models as a table."""
    return pa.Table.from_pylist([asdict(info) for info in infos], MODEL_SCHEMA)


def models_of(table: pa.Table) -> list[ModelInfo]:
    """Return what a table knows of models."""
    return [ModelInfo(**row) for row in table.to_pylist()]
