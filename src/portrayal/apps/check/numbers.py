"""The numbers that scenarios are about: rows of a study, or of a file, and how much is missing behind each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from portrayal.records import Measurement, content_id, from_table, reason_of
from portrayal.reports.comparisons.matching import is_share
from portrayal.study.study import OpenStudy
from portrayal.study.unfinished import WAITING, label_names

__all__ = ["SHARE", "AskedPrompt", "Numbers", "counted_share", "measured_rows", "study_numbers"]

_PROMPTS = "SELECT id, term, category, language, variant, weight FROM prompts"
_ASKED = "SELECT generator, prompt, count(*) AS images FROM jobs GROUP BY generator, prompt"
SHARE = "share"


class AskedPrompt(NamedTuple):
    """A prompt, and how many images of it were asked for."""

    prompt: str
    term: str
    category: str
    language: str
    variant: str
    weight: float
    images: int


@dataclass(frozen=True)
class Numbers:
    """Rows with parts by name, and what was ``asked`` of each model.

    ``weights`` stands for the weights of the prompts: means over prompts of other weights are other numbers. ``lost``
    are from a file, by row: what of the images behind it is missing. ``labels`` are annotators whose labels were
    brought in: they need not be of all images.
    """

    rows: Sequence[Measurement]
    asked: Mapping[str, Sequence[AskedPrompt]] = field(default_factory=dict)
    weights: str = ""
    lost: Mapping[Measurement, float] = field(default_factory=dict)
    labels: frozenset[str] = frozenset()

    @cached_property
    def models(self) -> list[str]:
        """The models with numbers, and those that study.toml names and of which nothing was asked yet."""
        not_asked = (name for name, prompts in self.asked.items() if not prompts)
        return list(dict.fromkeys([*(row.generator for row in self.rows), *not_asked]))

    @cached_property
    def annotators(self) -> list[str]:
        """The annotators with numbers."""
        return list(dict.fromkeys(row.annotator for row in self.rows if row.annotator))

    def items(self, level: str) -> list[str]:
        """Return the terms or categories that were asked about, or else that have numbers."""
        prompts = (prompt for prompts in self.asked.values() for prompt in prompts)
        names = {prompt.term if level == "term" else prompt.category for prompt in prompts}
        return sorted((names or {row.item for row in self.rows if row.level == level}) - {""})

    def prompts(self, row: Measurement) -> list[AskedPrompt]:
        """Return the prompts of its model that a row is about."""
        return [prompt for prompt in self.asked.get(row.generator, ()) if _is_about(row, prompt)]

    def moved(self, row: Measurement) -> float:
        """Return how far the missing images could move a share, at most: the part of its weight that is missing.

        Which prompts lost how many is not known; so all are taken to be of the prompt whose images weigh most.
        """
        if not row.missing:
            return 0.0
        if (stored := self.lost.get(row)) is not None:
            return stored
        prompts = self.prompts(row)
        if not prompts:
            return row.missing / max(row.n + row.missing, 1)
        whole = sum(prompt.weight for prompt in prompts)
        heaviest = max(prompt.weight / whole / prompt.images for prompt in prompts)
        return min(row.missing * heaviest, 1.0)

    def least_worth(self, row: Measurement) -> float:
        """Return how many independent images a row is worth at least, whatever the shares of its prompts are."""
        prompts = self.prompts(row)
        whole = sum(prompt.weight for prompt in prompts)
        if row.prompts <= 1 or not prompts:
            return float(row.n)
        asked = sum(prompt.images for prompt in prompts)
        squares = sum((prompt.weight / whole) ** 2 / prompt.images for prompt in prompts)
        return min(1 / squares * row.n / asked, float(row.n))

    def waiting(self, row: Measurement) -> int:
        """Return how many images behind a row are not drawn yet, or not looked at: nobody knows whether they will be.

        Images that nobody labelled are none of them.
        """
        unlabelled = WAITING if row.annotator not in self.labels else WAITING - {"not annotated"}
        here = self._missing.get(_place(row), ())
        return min(sum(each.missing for each in here if reason_of(each.group).code in unlabelled), row.missing)

    @cached_property
    def _missing(self) -> Mapping[tuple[str, ...], Sequence[Measurement]]:
        found: dict[tuple[str, ...], list[Measurement]] = {}
        for row in self.rows:
            if row.metric == "missing" and not row.attribute:
                found.setdefault(_place(row), []).append(row)
        return found

    def asked_for(self, row: Measurement) -> int:
        """Return how many images were asked for."""
        return max(sum(prompt.images for prompt in self.prompts(row)) or row.n + row.missing, 1)

    def missing_share(self, row: Measurement) -> float:
        """Return which share of the images asked for is missing."""
        return row.missing / self.asked_for(row)


def counted_share(row: Measurement) -> bool:
    """Return whether a row is the share of a group, and not how far that lies from a reference."""
    return row.metric == SHARE and is_share(row) and row.value is not None


def _place(row: Measurement) -> tuple[str, ...]:
    return row.generator, row.annotator, row.method, row.level, row.item, row.language, row.variant


def _is_about(row: Measurement, prompt: AskedPrompt) -> bool:
    item = {"term": prompt.term, "category": prompt.category}.get(row.level, row.item)
    return (
        item == row.item
        and (not row.language or row.language == prompt.language)
        and (not row.variant or row.variant == prompt.variant)
    )


def measured_rows(study: OpenStudy) -> list[Measurement]:
    """Return the measurements of a study with parts by name, models in the order of study.toml."""
    names = study.names
    stored = from_table(study.workspace.query("SELECT * FROM measurements"), Measurement)
    order = {identity: place for place, identity in enumerate(study.generators)}
    rows = sorted(stored, key=lambda row: order.get(row.generator, len(order)))
    return [
        replace(row, generator=names.generator(row.generator), annotator=names.annotator(row.annotator)) for row in rows
    ]


def study_numbers(study: OpenStudy, rows: Iterable[Measurement]) -> Numbers:
    """Return the numbers of a study; ``rows`` have parts by name."""
    prompts = {row["id"]: row for row in study.workspace.query(_PROMPTS).to_pylist()}
    asked: dict[str, list[AskedPrompt]] = {}
    for row in study.workspace.query(_ASKED).to_pylist():
        about = prompts[row["prompt"]]
        texts = {name: about[name] or "" for name in ("term", "category", "language", "variant")}
        prompt = AskedPrompt(prompt=row["prompt"], weight=about["weight"], images=row["images"], **texts)
        asked.setdefault(study.names.generator(row["generator"]), []).append(prompt)
    for identity in study.generators:
        asked.setdefault(study.names.generator(identity), [])
    return Numbers(list(rows), asked, _weights(asked), labels=label_names(study))


def _weights(asked: Mapping[str, Sequence[AskedPrompt]]) -> str:
    weights = {prompt.prompt: prompt.weight for prompts in asked.values() for prompt in prompts}
    most = max(weights.values(), default=1.0)
    return content_id(str(sorted((prompt, round(weight / most, 9)) for prompt, weight in weights.items())))
