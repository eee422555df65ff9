"""How far a share lies from its reference: in numbers, and in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.language import t, word
from portrayal.reports.notes import note_words
from portrayal.reports.rests import image_count, rests_on
from portrayal.reports.words import human, join, percent, percent_range, points, signed, span

__all__ = ["Gap", "contradicted"]


@dataclass(frozen=True, slots=True)
class Gap:
    """A share, and how far it lies from its target; ``target`` is None where the reference covers some prompts only.

    ``covered`` is the row that the distance rests on.
    """

    row: Measurement
    target: float | None
    value: float
    low: float
    high: float
    covered: Measurement
    repeated: tuple[int, int] | None = None
    """Images of which this is about, and different pictures among them, where these are fewer."""

    @property
    def _copies(self) -> float:
        """How many of what is counted there are for each different picture: copies, and people of one picture.

        That people of a picture resemble each other shows in how prompts differ, where there are several.
        """
        images, pictures = self.repeated or (1, 1)
        people = self.row.n / max(image_count(self.row), 1) if self.row.prompts <= 1 else 1.0
        return max(images / max(pictures, 1) * people, 1.0)

    @property
    def p(self) -> float:
        """How likely a share so far off were by chance."""
        from portrayal.stats.target import number_p, share_p  # scipy takes a moment to load

        row, target, (low, high) = self.row, self.target, self._widened()
        if target is None or row.value is None:
            return number_p(self.value, low, high, 0.0, self.covered.prompts)
        return share_p(row.value, low + target, high + target, target, row.n / self._copies, row.prompts)

    def _widened(self) -> tuple[float, float]:
        """Return the interval, as wide as that of so many different pictures is."""
        wider = math.sqrt(self._copies)
        return self.value - wider * (self.value - self.low), self.value + wider * (self.high - self.value)

    def least(self, p: float) -> list[float]:
        """Return the smallest deviations below and above that would have such a p-value."""
        from portrayal.stats.target import least_difference, least_share

        row, target, (low, high) = self.row, self.target, self._widened()
        if target is None:
            return least_difference(low, high, self.covered.prompts, p)
        return least_share(low + target, high + target, target, row.n / self._copies, row.prompts, p)

    def agrees(self, other: Gap) -> bool:
        """Return whether it lies on the same side of the reference as another, by its interval."""
        return self.low > 0 if other.value > 0 else self.high < 0

    def sentence(self) -> str:
        """Return the share, and what the reference says of it."""
        row, group = self.row, human(self.row.group)
        told = {"share": percent(row.value or 0.0, row.n), "group": group}
        if self.target is None:
            size = points(abs(self.value)).removeprefix("+")
            if self.value > 0:
                return t(
                    "{share} {group}; where the reference has figures, {points} more than it says", points=size, **told
                )
            return t(
                "{share} {group}; where the reference has figures, {points} fewer than it says", points=size, **told
            )
        told["target"] = percent(self.target, row.n)
        if self.value > 0:
            return t("{share} {group}, more than the {target} of the reference", **told)
        return t("{share} {group}, fewer than the {target} of the reference", **told)

    def basis(self, titles: Mapping[str, str], seen_by: str) -> str:
        """Return the interval, what the number rests on, the reference by its title, and who saw it."""
        reference = titles.get(self.covered.reference) or self.covered.reference
        partly = [note_words(note) for note in self.covered.notes if note.code == "reference_covers"]
        parts = [
            self.interval(),
            rests_on(self.covered),
            t("{n|different picture|different pictures}", n=self.repeated[1]) if self.repeated else "",
            t("reference: {name}", name=word(reference)) if reference else "",
            *partly,
            t("seen by {annotator}", annotator=seen_by) if seen_by else "",
        ]
        return ", ".join(filter(None, parts))

    def interval(self) -> str:
        """Return the interval, of the share or else of the difference."""
        if self.target is None:
            between = span(signed(100 * self.low), signed(100 * self.high))
            return t("95 % interval of the difference {interval} points", interval=between)
        return t("95 % interval {interval}", interval=self.bounds())

    def bounds(self) -> str:
        """Return the ends of the interval of the share, or of the difference."""
        if self.target is None:
            return span(signed(100 * self.low), signed(100 * self.high))
        return percent_range(max(self.low + self.target, 0.0), min(self.high + self.target, 1.0), self.row.n)


def contradicted(others: Iterable[Gap]) -> str:
    """Return what annotators saw who do not see a deviation."""
    told = [
        t(
            "{annotator} sees {share} ({interval})",
            annotator=own.row.annotator,
            share=percent(own.row.value or 0.0, own.row.n),
            interval=own.bounds(),
        )
        for own in others
    ]
    return t("Contested: {others}", others=join(told)) if told else ""
