"""Is B different from A: models of one study, or of two, compared as rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from portrayal.api.rows.table_rows import Rows, finite
from portrayal.errors import InputError, StudyError, did_you_mean
from portrayal.records import Measurement
from portrayal.reports.comparisons.asked import Asked
from portrayal.reports.comparisons.by_labels import by_labels
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.comparisons.models_compared import ModelsCompared, compare_models
from portrayal.reports.comparisons.sides import By
from portrayal.reports.comparisons.words.difference_words import verdict_words
from portrayal.reports.comparisons.words.unusable import nothing_to_compare
from portrayal.reports.comparisons.words.wide_differences import wide_sign
from portrayal.study.comparing.labels import Labels, rows_by_labels
from portrayal.study.comparing.model_pairing import model_pairing, pairing_of_two
from portrayal.study.comparing.same_files import same_files
from portrayal.study.comparing.side_rows import other_sides
from portrayal.study.measure.nothing_measured import nothing_measured
from portrayal.study.releases import same_prompts, weights_mark
from portrayal.study.study import OpenStudy
from portrayal.study.unfinished import not_finished

__all__ = ["Differences", "Side", "compare_by", "compare_sides"]

_TOPIC = ("method", "metric", "annotator", "attribute", "group", "level", "item", "reference", "language", "variant")
_NUMBERS = ("value", "other_value", "difference", "low", "high", "p", "p_corrected", "detectable")
_SCHEMA = pa.schema(
    [
        ("one", pa.string()),
        ("other", pa.string()),
        *((name, pa.string()) for name in _TOPIC),
        *((name, pa.float64()) for name in _NUMBERS),
        *((name, pa.int64()) for name in ("n", "other_n", "missing", "other_missing", "images_needed")),
        *((name, pa.int64()) for name in ("pairs", "without_partner")),
        ("verdict", pa.string()),
        ("words", pa.string()),
        ("missing_could_change", pa.bool_()),
        ("missing_within", pa.float64()),
        ("wide", pa.bool_()),
    ]
)


class Side:
    """What one study brings to a comparison: its rows by the names of its models."""

    def __init__(self, study: OpenStudy, rows: Sequence[Measurement], suffix: str = "") -> None:
        self.study, self.rows, self.suffix = study, rows, suffix
        measured = list(dict.fromkeys(row.generator for row in rows))
        declared = [study.names.generator(identity) + suffix for identity in study.generators]
        self.models = [
            *(name for name in declared if name in measured),
            *(name for name in measured if name not in declared),
        ]
        if not rows:
            raise nothing_measured(study)

    def called(self, suffix: str) -> Side:
        """Return the same with the models called otherwise, where two studies have models of one name."""
        named = f" ({suffix})"
        return Side(self.study, [replace(row, generator=row.generator + named) for row in self.rows], named)


class Differences(Rows):
    """Rows of differences between models; see :meth:`portrayal.Study.compare`.

    ``sentences`` are the answer in words, ``summary`` says how many comparisons differ, and ``incomplete`` what was not
    compared, and why. ``not_over`` says that a run is not over yet, where one is not.
    """

    def __init__(
        self, compared: ModelsCompared, studies: Sequence[OpenStudy] = (), labels: Labels | None = None
    ) -> None:
        told = by_labels(compared, *(labels or ({}, [])))
        every = [_row(each, compared.margin, told.doubt(each)) for each in compared.every()]
        super().__init__(pa.Table.from_pylist(every, _SCHEMA))
        self.sentences = told.sentences() if labels else compared.sentences()
        self.summary = " ".join(filter(None, (told.summary(), compared.pairs_words())))
        self.incomplete = [line for pair in compared.pairs for line in pair.incomplete()]
        self.incomplete += compared.left_out
        self.not_over = next(filter(None, map(not_finished, studies)), "")


def compare_sides(side: Side, other: Side | None, asked: Asked) -> Differences:
    """Return the models of one study compared with each other, or with those of another study."""
    asked.check([*side.rows, *(other.rows if other else ())])
    couples: list[tuple[str, str]] = []
    rows, left_out, pairing, labels = list(side.rows), [], None, None
    if other is not None:
        if side.study.root.resolve() == other.study.root.resolve():
            raise InputError(f"{other.study.root}: is the same study; its models are compared without it")
        left_out = _without_partner(side, other)
        couples, (side, other) = _couples(side, other)
        rows = [*_weighted(side, other), *_weighted(other, side)]
        pairing = pairing_of_two(side.study, other.study, (side.suffix, other.suffix))
    else:
        pairing = model_pairing(side.study, side.study.names)
        rows, labels = rows_by_labels(side.study, rows)
    names = [*side.models, *(other.models if other else ())]
    chosen = list(dict.fromkeys(_known(name, names) for name in asked.models)) or names
    couples = [couple for couple in couples if set(couple) <= set(chosen)]
    compared = compare_models(
        rows,
        chosen,
        asked.margin,
        side.study.attributes,
        couples=couples,
        correction=asked.corrected_by,
        pairing=pairing,
        within=side.study.config.report.missing_within,
        wanted=asked.wants,
    )
    if compared and other and compared.missing and not same_prompts(side.study, other.study):
        compared = _without_missing(compared)
    if compared is None:
        raise StudyError(f"{side.study.root}: nothing to compare: {nothing_to_compare(rows, chosen)}")
    sides = [(each.study, each.suffix) for each in (side, other) if each]
    found = replace(compared, left_out=[*compared.left_out, *left_out])
    differences = Differences(found, [study for study, _ in sides], labels)
    differences.sentences += same_files(sides, [(pair.one, pair.other) for pair in compared.pairs])
    return differences


def _without_missing(compared: ModelsCompared) -> ModelsCompared | None:
    """Return the same without of which side more pictures are missing: other prompts may be refused more often."""
    if not compared.every():
        return None
    unlike = "how many pictures are missing: the studies asked different prompts"
    return replace(compared, missing=(), left_out=[*compared.left_out, unlike])


def compare_by(study: OpenStudy, by: By, asked: Asked) -> Differences:
    """Return ways of asking, languages, annotators or perceived genders of one study compared, model by model."""
    called = [study.names.generator(name) for name in study.generators]
    sides = other_sides(study, by, [_known(name, called) for name in asked.models])
    asked.check(sides.rows)
    labels = list(sides.names)
    compared = (
        compare_models(
            sides.rows,
            labels,
            asked.margin,
            study.attributes,
            couples=sides.couples,
            correction=asked.corrected_by,
            pairing=sides,
            within=study.config.report.missing_within,
            wanted=asked.wants,
        )
        if sides.couples
        else None
    )
    if compared is None:
        there = ", ".join(labels) or "none"
        takes = f"it takes two, with pictures of the same terms (there is {there})"
        if by is By.GENDER:
            takes = "it takes prompts that show women and men, and another attribute perceived in the same pictures"
        raise StudyError(f"{study.root}: nothing to compare by {by.value}: {takes}")
    left = [f"{sides.left_out} prompts that were not asked of all sides"] if sides.left_out else []
    phrases = {label: name.phrase for label, name in sides.names.items()}
    return Differences(replace(compared, left_out=[*compared.left_out, *left], phrases=phrases), [study])


def _without_partner(side: Side, other: Side) -> list[str]:
    """Return which models are left out, where those of the same name are compared."""
    if not set(side.models) & set(other.models):
        return []
    alone = [name for name in (*side.models, *other.models) if (name in side.models) != (name in other.models)]
    return [f"models of the same name are compared; left out: {', '.join(alone)}"] if alone else []


def _weighted(side: Side, other: Side) -> list[Measurement]:
    """Return the rows of a side, so marked that means over prompts of other weights are not taken for the same."""
    mark = weights_mark(side.study)
    if mark == weights_mark(other.study):
        return list(side.rows)
    return [replace(row, prompt_set=f"{row.prompt_set} {mark}") if row.prompts > 1 else row for row in side.rows]


def _couples(side: Side, other: Side) -> tuple[list[tuple[str, str]], tuple[Side, Side]]:
    """Return which models of two studies are compared: those of the same name, or else each with each."""
    same = [name for name in side.models if name in other.models]
    if not same:
        return [(one, two) for one in side.models for two in other.models], (side, other)
    first, second = side.study.root.name, other.study.root.name
    if first == second:
        first, second = str(side.study.root), str(other.study.root)
    return [(f"{name} ({first})", f"{name} ({second})") for name in same], (side.called(first), other.called(second))


def _known(name: str, names: Sequence[str]) -> str:
    if name not in names:
        raise InputError(f"no model {name!r} has numbers here{did_you_mean(name, names)}")
    return name


def _row(each: Difference, margin: float, doubt: str = "") -> dict[str, Any]:
    one, other = each.one, each.other
    numbers = (one.value, other.value, each.value, each.low, each.high, each.p, each.adjusted, each.detectable)
    return {
        "one": one.generator,
        "other": other.generator,
        **{name: getattr(one, name) for name in _TOPIC},
        **{name: finite(number) for name, number in zip(_NUMBERS, numbers, strict=True)},
        "n": one.n,
        "other_n": other.n,
        "missing": one.missing,
        "other_missing": other.missing,
        "images_needed": each.needed or None,
        "pairs": each.pairs.n if each.pairs else None,
        "without_partner": each.pairs.alone if each.pairs else None,
        "verdict": each.verdict.value,
        "words": "; ".join(filter(None, (verdict_words(each, margin), doubt))),
        # How far missing images would move a score nobody knows.
        "missing_could_change": None if not is_share(one) and one.missing + other.missing else each.unsettled,
        "missing_within": each.stated if each.stated < 1 else None,
        "wide": bool(wide_sign(each)),
    }
