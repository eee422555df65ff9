"""Puts the names of generators and annotators where their identities stand: before a page is made, once for all of it.

Only provenance and the configuration keep identities, which say under what the tables hold the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from portrayal.records import Measurement, PartNames
from portrayal.reports.corrected_difference import CorrectedDifference
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.data import Picture, ReportData

__all__ = ["named_picture", "with_names", "with_part_names"]

V = TypeVar("V")


def with_names(data: ReportData, names: PartNames) -> ReportData:
    """Return the same data with names; those of two parts differ, so that nothing falls together."""
    if not names:
        return data
    draws, looks = names.generator, names.annotator
    shares, differences = with_part_names(data.corrections, data.corrected_differences, names)
    return replace(
        data,
        generators=[draws(name) for name in data.generators],
        annotators=[looks(name) for name in data.annotators],
        measurements=[_measurement(row, names) for row in data.measurements],
        outcomes=_keys(data.outcomes, draws),
        abstentions=_keys(data.abstentions, looks),
        confusion={(looks(who), attribute): pairs for (who, attribute), pairs in data.confusion.items()},
        judged=_keys(data.judged, looks),
        perceived=_keys(data.perceived, looks),
        brought=[looks(who) for who in data.brought],
        pictures=[named_picture(picture, names) for picture in data.pictures],
        declared=[draws(name) for name in data.declared],
        distinct=_keys(data.distinct, draws),
        repeats=_keys(data.repeats, draws),
        errors={
            (looks(who), attribute): replace(errors, by_model=_keys(errors.by_model, draws))
            for (who, attribute), errors in data.errors.items()
        },
        corrections=shares,
        corrected_scores=[replace(score, seen=_measurement(score.seen, names)) for score in data.corrected_scores],
        corrected_differences=differences,
        labelled=data.labelled
        and replace(
            data.labelled,
            annotator=looks(data.labelled.annotator),
            by_model=_keys(data.labelled.by_model, draws),
        ),
        shared=[(draws(one), draws(two), number) for one, two, number in data.shared],
        prompts_of=_keys(data.prompts_of, draws),
        asked=_keys(data.asked, draws),
        made_of=_keys(data.made_of, draws),
        imported=[draws(name) for name in data.imported],
        revised=_keys(data.revised, draws),
        rounds=data.rounds and data.rounds.named(draws),
        own_rows={table: _rows(rows, names) for table, rows in data.own_rows.items()},
    )


def with_part_names(
    shares: Sequence[CorrectedShare], differences: Sequence[CorrectedDifference], names: PartNames
) -> tuple[list[CorrectedShare], list[CorrectedDifference]]:
    """Return what labels make of shares and of differences with the names of models and annotators."""

    def named(share: CorrectedShare) -> CorrectedShare:
        return replace(share, seen=_measurement(share.seen, names))

    both = [replace(each, one=named(each.one), other=named(each.other)) for each in differences]
    return [named(share) for share in shares], both


def _keys(values: Mapping[str, V], name: Callable[[str], str]) -> dict[str, V]:
    return {name(key): value for key, value in values.items()}


def _measurement(row: Measurement, names: PartNames) -> Measurement:
    generator, annotator = names.generator(row.generator), names.annotator(row.annotator)
    same = generator == row.generator and annotator == row.annotator
    return row if same else replace(row, generator=generator, annotator=annotator)


def named_picture(picture: Picture, names: PartNames) -> Picture:
    """Return a picture with the names of who drew it and who looked."""
    faces = [replace(face, who=names.annotator(face.who)) for face in picture.faces]
    return replace(picture, generator=names.generator(picture.generator), faces=faces)


def _rows(rows: Sequence[Mapping[str, Any]], names: PartNames) -> list[Mapping[str, Any]]:
    """Rename the parts in rows of a method's own table: in columns called after them, and generators in any other."""

    def called(column: str, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return names.annotator(value) if column == "annotator" else names.generator(value)

    return [{column: called(column, value) for column, value in row.items()} for row in rows]
