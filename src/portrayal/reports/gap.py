"""How far a share lies from its reference: in numbers, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portrayal.records import Measurement
from portrayal.reports.data import Repeated
from portrayal.reports.language import t, word
from portrayal.reports.notes import note_words
from portrayal.reports.repeats import wider
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
    repeated: Repeated | None = None
    """The pictures that this is about, where some are the same."""

    @property
    def _copies(self) -> float:
        """How many images count for one."""
        return self.repeated.copies if self.repeated else 1.0

    @property
    def _together(self) -> float:
        """How many of what is counted count for one: copies, and people of one picture.

        That people of a picture resemble each other shows in how prompts differ, where there are several.
        """
        people = self.row.n / max(image_count(self.row), 1) if self.row.prompts <= 1 else 1.0
        return max(self._copies * people, 1.0)

    @property
    def p(self) -> float:
        """How likely a share so far off were by chance."""
        from portrayal.stats.target import number_p, share_p  # scipy takes a moment to load

        row, target, (low, high) = self.row, self.target, self._widened()
        if target is None or row.value is None:
            return number_p(self.value, low, high, 0.0, self.covered.prompts)
        return share_p(row.value, low + target, high + target, target, row.n / self._together, row.prompts)

    def _widened(self) -> tuple[float, float]:
        """Return the interval, as wide as that of so many different pictures is."""
        return wider(self.value, self.low, self.high, self._together)

    def least(self, p: float) -> list[float]:
        """Return the smallest deviations below and above that would have such a p-value."""
        from portrayal.stats.target import least_difference, least_share

        row, target, (low, high) = self.row, self.target, self._widened()
        if target is None:
            return least_difference(low, high, self.covered.prompts, p)
        return least_share(low + target, high + target, target, row.n / self._together, row.prompts, p)

    def agrees(self, other: Gap) -> bool:
        """Return whether it lies on the same side of the reference as another, by its interval."""
        low, high = self._widened()
        return low > 0 if other.value > 0 else high < 0

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
            self._same(),
            t("reference: {name}", name=word(reference)) if reference else "",
            *partly,
            t("seen by {annotator}", annotator=seen_by) if seen_by else "",
        ]
        return ", ".join(filter(None, parts))

    def _same(self) -> str:
        """Say that some of the images are the same picture; how many is known where all of them were judged."""
        if self.repeated is None:
            return ""
        if image_count(self.covered) < self.repeated.images:
            return t("some of them the same picture")
        return t("{n|different picture|different pictures}", n=self.repeated.pictures)

    def interval(self) -> str:
        """Return the interval, of the share or else of the difference."""
        if self.target is None:
            return t("95 % interval of the difference {interval} points", interval=self.bounds())
        return t("95 % interval {interval}", interval=self.bounds())

    def bounds(self) -> str:
        """Return the ends of the interval of the share, or of the difference."""
        low, high = wider(self.value, self.low, self.high, self._copies)
        if self.target is None:
            return span(signed(100 * max(low, -1.0)), signed(100 * min(high, 1.0)))
        return percent_range(max(low + self.target, 0.0), min(high + self.target, 1.0), self.row.n)


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
