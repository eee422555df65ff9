"""Who looked at the images, and at how many; said only of those who did."""

from __future__ import annotations

from portrayal.reports.data import ReportData
from portrayal.reports.language import t
from portrayal.reports.words import count, join

__all__ = ["lead", "lookers"]


def lead(data: ReportData, made: int) -> str:
    """Say what the page tells of the ``made`` images: what was perceived in them, or that nothing was."""
    told = [number for name in data.annotators if (number := data.perceived.get(name, 0))]
    if not told and any(data.judged.values()):
        return t("{n|image|images}, none of which an annotator could judge.", n=made)
    if not told:
        return t("{n|image|images}, at which nobody has looked yet.", n=made)
    rest = (
        t("against a reference, with the uncertainty of every number and the reason for every missing image.")
        if data.reference_sources
        else t("with the uncertainty of every number and the reason for every missing image.")
    )
    return f"{_perceived(told)} {rest}"


def _perceived(told: list[int]) -> str:
    low, high = min(told), max(told)
    if len(told) == 1:
        return t("what one annotator perceived in {n|picture|pictures},", n=high)
    if low == high:
        return t("what {a|annotator|annotators} perceived in {n|picture|pictures},", a=len(told), n=high)
    return t(
        "what {a|annotator|annotators} perceived in {low} to {high} pictures,",
        a=len(told),
        low=count(low),
        high=count(high),
    )


def lookers(data: ReportData) -> str:
    """Say who looked at the images, and of whom nothing has come yet."""
    looked = [name for name in data.annotators if data.judged.get(name)]
    silent = [name for name in data.annotators if name not in looked]
    said = t("The images were looked at by {annotators}.", annotators=join(looked) or t("no annotator"))
    return f"{said} {t('Nothing has come from {annotators} yet.', annotators=join(silent))}" if silent else said
