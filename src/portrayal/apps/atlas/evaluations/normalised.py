"""Chosen evaluations side by side, each score brought to 0 … 1 among them: 1 is the most biased of the chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from portrayal.apps.atlas.evaluations.columns import Columns, protocol_titles, protocols
from portrayal.errors import InputError, UnknownNameError, did_you_mean
from portrayal.methods.atlas_part import ScoreKind, score_space
from portrayal.records.evaluated_models.evaluation import AtlasRows, Evaluation
from portrayal.stats.intervals import Array

__all__ = ["ComparedRow", "ModelComparison", "compare_models", "normalised"]


_ABOUT = ("model", "protocol", "run", "images", "source")


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """An evaluation with a label that no other has, and its scores brought to 0 … 1."""

    label: str
    evaluation: Evaluation
    normalised: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """The chosen evaluations. ``left_out`` are those that lack a score, each with which one.

    ``protocols`` are all that they were made by; of more than one, differences may come from these.
    """

    scores: Sequence[ScoreKind]
    rows: Sequence[ComparedRow]
    left_out: Sequence[tuple[str, Sequence[str]]]
    protocols: Sequence[str]

    @property
    def images(self) -> tuple[int, int] | None:
        """The fewest and the most images of any, where they are not as many; None: as many, or not known."""
        known = [row.evaluation.images for row in self.rows if row.evaluation.images]
        return (min(known), max(known)) if len(set(known)) > 1 else None

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data, for a page, a file or JSON."""
        return {
            "scores": [asdict(kind) for kind in self.scores],
            "rows": [
                {
                    "label": row.label,
                    **{name: getattr(row.evaluation, name) for name in _ABOUT},
                    "scores": {name: asdict(row.evaluation.scores[name]) for name in row.normalised},
                    "normalised": dict(row.normalised),
                }
                for row in self.rows
            ],
            "left_out": [{"label": label, "without": list(names)} for label, names in self.left_out],
            "protocols": list(self.protocols),
            "titles": list(protocol_titles(self.protocols).values()),
            "images": self.images,
        }


def normalised(values: ArrayLike, *, more_is_biased: bool) -> Array:
    """Return values as shares of the way from the least biased to the most biased of them; all equal are all 1.

    >>> normalised([2.0, 4.0, 3.0], more_is_biased=False).tolist()
    [1.0, 0.0, 0.5]
    """
    numbers = np.asarray(values, dtype=float)
    if np.ptp(numbers) == 0:
        return np.ones(len(numbers))
    way = (numbers - numbers.min()) / np.ptp(numbers)
    return np.asarray(way if more_is_biased else 1 - way)


def compare_models(rows: AtlasRows, models: Sequence[str] = (), by: Sequence[str] = ()) -> ModelComparison:
    """Return the current evaluations of the chosen models, side by side.

    ``by`` are parts of the names of protocols. Without it evaluations by any protocol are taken where models are
    chosen, else those by the protocol with most models. Without models all are taken.
    """
    kinds = score_space()
    if kinds is None:
        raise InputError("no method names three scores by which models are set side by side")
    for model in models:
        if model not in rows.models:
            raise UnknownNameError(f"the atlas has no model {model!r}{did_you_mean(model, rows.models)}")
    names = [kind.name for kind in kinds]
    chosen = [row for row in _current(rows, by) if not models or row.model in models]
    if not models and not by:
        first = next((row.protocol for row in chosen if set(names) <= row.scores.keys()), "")
        chosen = [row for row in chosen if row.protocol == first]
    complete = [row for row in chosen if set(names) <= row.scores.keys()]
    if len(complete) < 2:
        told = ", ".join(names)
        raise InputError(f"it takes two evaluations with {told} to set models side by side; {len(complete)} found")
    labels = _labels(chosen)
    shares = {
        kind.name: normalised(
            [row.scores[kind.name].value for row in complete], more_is_biased=bool(kind.more_is_biased)
        )
        for kind in kinds
    }
    compared = [
        ComparedRow(labels[row.id], row, {name: float(shares[name][place]) for name in names})
        for place, row in enumerate(complete)
    ]
    left_out = [
        (labels[row.id], [name for name in names if name not in row.scores]) for row in chosen if row not in complete
    ]
    return ModelComparison(kinds, compared, left_out, list(dict.fromkeys(row.protocol for row in complete)))


def _current(rows: AtlasRows, by: Sequence[str]) -> list[Evaluation]:
    """Return the last evaluation of each model by each protocol whose name holds one of the texts."""
    names = protocols(rows)
    for text in by:
        if not any(text.casefold() in name.casefold() for name in names):
            raise UnknownNameError(f"the atlas has no protocol {text!r}{did_you_mean(text, names)}")
    wanted = [name for name in names if not by or any(text.casefold() in name.casefold() for text in by)]
    columns = [Columns.of(rows, name) for name in wanted]
    return [table.evaluations[place] for table in columns for place in table.current.tolist()]


def _labels(chosen: Sequence[Evaluation]) -> dict[str, str]:
    """Return a label for each by its identity: the model's name, with its protocol where a model is there twice."""
    times = Counter(row.model for row in chosen)
    titles = protocol_titles(list(dict.fromkeys(row.protocol for row in chosen)))
    return {row.id: row.model if times[row.model] == 1 else f"{row.model} ({titles[row.protocol]})" for row in chosen}
