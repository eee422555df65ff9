"""Who looked at the images, and at how many; said only of those who did."""

from __future__ import annotations

from portrayal.language.translation import t
from portrayal.reports.data import ReportData, in_order
from portrayal.reports.text.words import count, join, plural

__all__ = ["lead", "lookers"]

NAMED = 3
"""Generators that are named; of more, only the number is said."""


def lead(data: ReportData, planned: int, made: int, *, people: bool = True) -> str:
    """Say of whom the page tells, and what: what was perceived in the ``made`` images, or that nothing was.

    ``people`` is whether it tells anything about people.
    """
    if not data.generators:
        return t("No image has been asked for or brought in yet.")
    return f"{_whose(data, people)} {_what(data, planned, made)}"


def _whose(data: ReportData, people: bool) -> str:
    several = len(data.generators)
    who = join(in_order(data, data.generators)) if several <= NAMED else plural(several, "image generator")
    if not people:
        return t("What {who} draws:", who=who) if several == 1 else t("What {who} draw:", who=who)
    return t("How {who} portrays people:", who=who) if several == 1 else t("How {who} portray people:", who=who)


def _what(data: ReportData, planned: int, made: int) -> str:
    if planned and not made:
        return t("nothing can be said, since none of {n|image|images} exists.", n=planned)
    told = [number for name in data.annotators if (number := data.perceived.get(name, 0))]
    if not told and any(data.judged.values()):
        return t("{n|image|images}, none of which an annotator could judge.", n=made)
    if not told:
        return t("{n|image|images}, at which nobody has looked yet.", n=made)
    rest = (
        t("against a reference, with the uncertainty of every number and the reason for every missing image.")
        if _compared(data)
        else t("with the uncertainty of every number and the reason for every missing image.")
    )
    repeated = bool(data.distinct) and (sum(data.distinct.values()) < made or bool(data.shared))
    return f"{_perceived(told, repeated=repeated)}, {rest}"


def _compared(data: ReportData) -> bool:
    """Return whether any number stands beside a reference; one may be named in study.toml and cover nothing."""
    return any(row.reference in data.reference_sources for row in data.measurements if row.reference)


def _perceived(told: list[int], *, repeated: bool) -> str:
    """Return in how many pictures something was perceived; ``repeated`` ones were looked at once, and counted again."""
    low, high, several = min(told), max(told), len(told)
    if several == 1 and repeated:
        return t("what one annotator perceived in {n|different picture|different pictures}", n=high)
    if several == 1:
        return t("what one annotator perceived in {n|picture|pictures}", n=high)
    if low == high and repeated:
        return t(
            "what {a|annotator|annotators} perceived in {n|different picture|different pictures}", a=several, n=high
        )
    if low == high:
        return t("what {a|annotator|annotators} perceived in {n|picture|pictures}", a=several, n=high)
    ends: dict[str, str | int] = {"a": several, "low": count(low), "high": count(high)}
    if repeated:
        return t("what {a|annotator|annotators} perceived in {low} to {high} different pictures", **ends)
    return t("what {a|annotator|annotators} perceived in {low} to {high} pictures", **ends)


def lookers(data: ReportData) -> str:
    """Say who looked at the images, and of whom nothing has come yet."""
    people = data.labelled.annotator if data.labelled and not data.labelled.is_all else ""
    looked = [name for name in data.annotators if data.judged.get(name) and name != people]
    silent = [name for name in data.annotators if name not in (*looked, people)]
    said = t("The images were looked at by {annotators}.", annotators=join(looked) or t("no annotator"))
    if data.labelled and people:
        labelled = t(
            "{annotator} labelled {labelled} of {n|image|images}.",
            annotator=people,
            labelled=count(data.labelled.labelled),
            n=data.labelled.images,
        )
        said = f"{said} {labelled}"
    return f"{said} {t('No annotation has come from {annotators} yet.', annotators=join(silent))}" if silent else said
