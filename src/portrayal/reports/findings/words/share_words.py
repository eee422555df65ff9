"""A share beside its reference, in numbers and in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from portrayal.language.translation import t, word
from portrayal.records import Measurement
from portrayal.reports.corrected_share import CorrectedShare
from portrayal.reports.findings.words.correction_words import corrected_text, read_and_corrected
from portrayal.reports.findings.words.people_words import share_text, shown
from portrayal.reports.text.notes import note_words
from portrayal.reports.text.sample_words import image_count, rests_on
from portrayal.reports.text.wide_intervals import SIGN, interval_text, sign
from portrayal.reports.text.words import DASH, join, percent, percent_range, percents, points, signed, span

if TYPE_CHECKING:
    from portrayal.stats.targets.target import NumberTest, ShareTest

__all__ = ["ShareGap", "contradicted"]


@dataclass(frozen=True)
class ShareGap:
    """A share, and how far it lies from its target; ``target`` is None where the reference covers some prompts only.

    ``compared`` is the row that the comparison rests on: the share itself, or its difference over the prompts covered.
    ``fixed`` is what people's labels make of the share, where they correct it.
    """

    row: Measurement
    target: float | None
    compared: Measurement
    fixed: CorrectedShare | None = None

    @cached_property
    def test(self) -> ShareTest | NumberTest:
        """The test of the share against its target: of what labels make of it, where they correct it."""
        from portrayal.stats.targets.target import CorrectedShareTest, NumberTest  # scipy takes a moment to load

        apart, fixed = self.compared, self.fixed
        if self.target is None:
            return NumberTest(apart.value or 0.0, apart.low or 0.0, apart.high or 0.0, 0.0)
        if fixed is not None:
            value = (fixed.low + fixed.high) / 2 if fixed.value is None else fixed.value
            ends = min(fixed.low, value), max(fixed.high, value)
            return CorrectedShareTest(value, *ends, target=self.target, freedom=max(fixed.labels - 1, 1))
        return self.as_read

    @cached_property
    def as_read(self) -> ShareTest:
        """The test of the share as it was read, where the reference covers all prompts."""
        from portrayal.stats.targets.target import ShareTest

        row = self.row
        images = image_count(row) if row.worth is None or math.isnan(row.worth) else row.worth
        return ShareTest(row.value or 0.0, images, self.target or 0.0)

    @property
    def value(self) -> float:
        """How far the share lies from its target."""
        return self.test.deviation

    def agrees(self, other: ShareGap) -> bool:
        """Return whether it lies on the same side of the reference as another, by its interval."""
        bounds = self.test.bounds(0.95)
        return bounds.low > 0 if other.value > 0 else bounds.high < 0

    def sentence(self) -> str:
        """Return who is shown how often, and what the reference says of it."""
        if self.target is None:
            said = {"shown": shown(self.row), "points": points(abs(self.value)).removeprefix("+")}
            if self.value > 0:
                return t("{shown}; where the reference has figures, {points} more than it says", **said)
            return t("{shown}; where the reference has figures, {points} fewer than it says", **said)
        if self.fixed is not None:
            said = {"shown": read_and_corrected(self.fixed), "target": percent(self.target)}
            return t("{shown}; the reference says {target}", **said)
        share, target = percents(self.row.value or 0.0, self.target, self.row.n)
        return t("{shown}; the reference says {target}", shown=shown(self.row, share), target=target)

    def basis(self, titles: Mapping[str, str], seen_by: str) -> str:
        """Return the interval, what the number rests on, the reference by its title, and who saw it."""
        reference = titles.get(self.compared.reference) or self.compared.reference
        partly = [note_words(note) for note in self.compared.notes if note.code == "reference_covers"]
        parts = [
            self.interval(),
            rests_on(self.compared),
            t("reference: {name}", name=word(reference)) if reference else "",
            *partly,
            t("seen by {annotator}", annotator=seen_by) if seen_by else "",
        ]
        return ", ".join(filter(None, parts))

    def interval(self) -> str:
        """Return the interval, of the share or else of the difference: the one that charts and tables have."""
        row = self.compared
        if row.low is None or row.high is None:
            return ""
        if self.target is None:
            ends = span(signed(100 * row.low), signed(100 * row.high)) + sign(row)
            return t("95 % interval of the difference {interval} points", interval=ends)
        if self.fixed is not None:
            away = self._away(self.fixed.low - self.target, self.fixed.high - self.target)
            said = t("as read, 95 % interval {interval}", interval=interval_text(row))
            return f"{said}; {t('corrected, {away}', away=away)}" if away else said
        interval = t("95 % interval {interval}", interval=interval_text(row))
        away = self._away(row.low - self.target, row.high - self.target)
        return f"{interval}: {away}" if away else interval

    def _away(self, low: float, high: float) -> str:
        """Say how many points more or fewer than the reference that is; nothing where its interval holds none."""
        if low <= 0 <= high:
            return ""
        ends = sorted(round(100 * abs(end)) for end in (low, high))
        size = str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}{DASH}{ends[1]}"
        if low > 0:
            return t("{size} points more than the reference", size=size)
        return t("{size} points fewer than the reference", size=size)

    def counted(self) -> str:
        """Return the share, in counts where images are few."""
        if self.fixed is None or self.target is None:
            return share_text(self.row)
        fixed = t("unknown") if self.fixed.value is None else percent(self.fixed.value)
        return t("{share} as read, {corrected} corrected", share=share_text(self.row), corrected=fixed)

    def ends(self) -> str:
        """Return the ends of the interval of the share."""
        if self.fixed is None or self.target is None:
            return interval_text(self.row)
        return percent_range(self.fixed.low, self.fixed.high) + (SIGN if self.fixed.wide else "")

    def wanted(self) -> str:
        """Return what the reference says, where it covers all prompts."""
        return t("in part") if self.target is None else percent(self.target, self.row.n)

    def share(self) -> str:
        """Return the share with its interval."""
        if self.fixed is not None and self.target is not None:
            return corrected_text(self.fixed)
        ends = self.ends()
        return percent(self.row.value or 0.0, self.row.n) + (f" ({ends})" if ends else "")


def contradicted(others: Iterable[ShareGap]) -> str:
    """Return what annotators saw who do not see a deviation; nothing where there are none."""
    said = [t("{annotator} sees {share}", annotator=gap.row.annotator, share=gap.share()) for gap in others]
    return t("Contested: {others}.", others=join(said)) if said else ""
