"""Which rows a scenario is about. A name that the study does not have is refused, with the line and a suggestion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from portrayal.apps.check.numbers import SHARE, Numbers, counted_share
from portrayal.apps.check.policy.policy_file import PolicyFile
from portrayal.apps.check.policy.scenario import (
    BaselineMeasure,
    ImpactRatioMeasure,
    Measure,
    MissingMeasure,
    Scenario,
    ScoreMeasure,
)
from portrayal.apps.check.question import Question, Row
from portrayal.errors import did_you_mean
from portrayal.records import Measurement

__all__ = ["ScenarioRows"]

_MISSING = "missing"
_LABELS = "imported:"
"""How names of labels begin. Of a sample of images, they leave the others out, which are not missing for that."""
_KEYS = ("metric", "attribute", "group", "reference", "method")
"""What tells rows of a score apart, as keys of a measure."""


@dataclass(frozen=True)
class ScenarioRows:
    """The rows of a study, or of a baseline, that one scenario is about."""

    file: PolicyFile
    place: int
    numbers: Numbers

    @property
    def scenario(self) -> Scenario:
        """The scenario."""
        return self.file.scenarios[self.place]

    @property
    def measure(self) -> Measure:
        """Its measure."""
        return self.scenario.measure

    def questions(self) -> Iterator[Question]:
        """Yield what is to be decided: for each model and each annotator, for impact ratios also each group."""
        self._check_place()
        rows = self._candidates()
        models = self._chosen("models", self.numbers.models)
        annotators = self._chosen("annotators", self.numbers.annotators)
        seen_by = [name for name in self.numbers.annotators if any(row.annotator == name for row in rows)] or [""]
        if self.scenario.annotators:
            seen_by = [name for name in annotators if name in seen_by] or self._silent(annotators)
        elif isinstance(self.measure, MissingMeasure):
            seen_by = [name for name in seen_by if not self._brings_labels(name)] or seen_by
        for model in models:
            for annotator in seen_by:
                here = [row for row in self._here(rows) if (row.generator, row.annotator) == (model, annotator)]
                for question in self._of_cell(model, annotator, here):
                    yield question if question.one else replace(question, nothing=self._nothing(model, annotator))

    def _brings_labels(self, annotator: str) -> bool:
        return annotator in self.numbers.labels or annotator.startswith(_LABELS)

    def one(self, model: str, annotator: str) -> Row | None:
        """Return the row of one model and annotator, or None where there is none."""
        rows = [row for row in self._here(self._rows()) if (row.generator, row.annotator) == (model, annotator)]
        return self._single(rows)

    def _of_cell(self, model: str, annotator: str, rows: Sequence[Measurement]) -> Iterator[Question]:
        blank = Question(self.place, self.measure, model, annotator)
        match self.measure:
            case ImpactRatioMeasure(group=wanted):
                shown = {group: self._single([row for row in rows if row.group == group]) for group in self._groups()}
                for group in [wanted] if wanted else shown or [""]:
                    others = [row for name, row in shown.items() if row is not None and name != group]
                    yield replace(blank, group=group, one=shown.get(group), groups=others)
            case MissingMeasure():
                yield replace(blank, one=self._most_missing(rows))
            case _:
                yield replace(blank, one=self._single(rows))

    def _says_nothing(self, row: Measurement) -> bool:
        """Return whether a row says that no image shows what the measure is about, whatever its group."""
        attribute = getattr(self.measure, "attribute", "")
        empty = row.metric == SHARE and row.value is None and bool(row.missing)
        return empty and not self._is_score and row.attribute == attribute and self._is_here(row)

    def _nothing(self, model: str, annotator: str) -> Row | None:
        rows = [row for row in self.numbers.rows if row.generator == model and self._says_nothing(row)]
        rows = [row for row in rows if annotator in ("", row.annotator)]
        return self._row(rows[0]) if rows else None

    def _candidates(self) -> list[Measurement]:
        """Return the rows that fit, of all models, annotators and prompts; names that no row has are refused."""
        rows = self._rows()
        if not rows and any(map(self._says_nothing, self.numbers.rows)):
            return []
        if not rows:
            what = "number" if self._is_score else "share"
            self._refuse((), f"the study has no {what} that it could be about; see: portrayal measure --json")
        for key in _KEYS:
            if wanted := getattr(self.measure, key, ""):
                known = {getattr(row, key) for row in rows} - {""}
                if wanted not in known:
                    self._refuse((key,), f"nothing is measured of the {key} {wanted!r}{did_you_mean(wanted, known)}")
                rows = [row for row in rows if getattr(row, key) == wanted or self._keeps_all(key)]
        return rows

    def _keeps_all(self, key: str) -> bool:
        return key == "group" and isinstance(self.measure, ImpactRatioMeasure)

    @property
    def _is_score(self) -> bool:
        measure = self.measure
        return isinstance(measure, ScoreMeasure) or (isinstance(measure, BaselineMeasure) and not measure.is_share)

    def _rows(self) -> list[Measurement]:
        """Return the rows of the kind that the measure is about."""
        if isinstance(self.measure, MissingMeasure):
            return [row for row in self.numbers.rows if row.metric != _MISSING and row.annotator]
        if self._is_score:
            return [row for row in self.numbers.rows if row.metric not in (SHARE, _MISSING)]
        return [row for row in self.numbers.rows if counted_share(row)]

    def _here(self, rows: Iterable[Measurement]) -> list[Measurement]:
        """Return the rows about the measure's prompts that fit all its keys."""
        keys = [key for key in _KEYS if getattr(self.measure, key, "") and not self._keeps_all(key)]
        wanted = [(key, getattr(self.measure, key)) for key in keys]
        return [row for row in rows if self._is_here(row) and all(getattr(row, key) == value for key, value in wanted)]

    def _is_here(self, row: Measurement) -> bool:
        """Return whether a row is about the measure's prompts."""
        measure = self.measure
        place = (measure.level, measure.item, measure.language, measure.variant)
        return (row.level, row.item, row.language, row.variant) == place

    def _groups(self) -> list[str]:
        attribute = getattr(self.measure, "attribute", "")
        return list(dict.fromkeys(row.group for row in self._rows() if row.attribute == attribute))

    def _single(self, rows: Sequence[Measurement]) -> Row | None:
        """Return the one row there is; of several the keys that tell them apart are asked for."""
        if not rows:
            return None
        keys = [key for key in _KEYS if len({getattr(row, key) for row in rows}) > 1]
        if not self._is_score:  # a share does not depend on what it is compared with
            keys = [key for key in keys if key != "reference"]
        if keys:
            known = sorted({str(getattr(row, keys[0])) or '""' for row in rows})
            self._refuse((), f"several numbers fit; say which: {keys[0]} = one of {', '.join(known)}")
        return self._row(rows[0])

    def _most_missing(self, rows: Sequence[Measurement]) -> Row | None:
        """Return the row of what most images are missing for; it has no attribute where all lack as many."""
        if not rows:
            return None
        most = max(rows, key=self.numbers.missing_share)
        alike = len({row.missing for row in rows if row.attribute}) <= 1
        return self._row(replace(most, attribute="") if alike else most)

    def _row(self, row: Measurement) -> Row:
        return Row(row, self.numbers)

    def _check_place(self) -> None:
        for level in ("term", "category"):
            known = self.numbers.items(level)
            if (wanted := getattr(self.measure, level)) and wanted not in known:
                self._refuse((level,), f"the study has no {level} {wanted!r}{did_you_mean(wanted, known)}")
        for key in ("language", "variant"):
            known = sorted({getattr(row, key) for row in self.numbers.rows} - {""})
            if (wanted := getattr(self.measure, key)) and wanted not in known:
                self._refuse((key,), f"no number is about the {key} {wanted!r}{did_you_mean(wanted, known)}")

        if not any(self._is_here(row) for row in self.numbers.rows):
            where = f"the {self.measure.level} {self.measure.item!r}" if self.measure.item else "all prompts together"
            self._refuse((), f"no number is about {where}; see: portrayal measure --json")

    def _chosen(self, key: str, known: Sequence[str]) -> list[str]:
        wanted: tuple[str, ...] = getattr(self.scenario, key)
        for name in wanted:
            if name not in known:
                one = key.removesuffix("s")
                problem = f"no {one} {name!r} has numbers here{did_you_mean(name, known)}"
                self.file.refuse(self.place, (key,), problem)
        return list(wanted) or list(known)

    def _silent(self, annotators: Sequence[str]) -> NoReturn:
        names = " and ".join(annotators)
        self.file.refuse(self.place, ("annotators",), f"{names} reports nothing of what is measured here")

    def _refuse(self, keys: tuple[str, ...], problem: str) -> NoReturn:
        self.file.refuse(self.place, (self.scenario.kind, *keys), problem)
