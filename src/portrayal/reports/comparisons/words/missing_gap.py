"""Whether more of one side's pictures are missing than of the other's: refused, failed, or not to be judged.

A release that refuses more shows less of how it portrays people, whatever is said of the pictures that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from portrayal.language.translation import t
from portrayal.records import Attribute, Measurement
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import aspect_title, capital, count, join, percents

__all__ = ["MissingGap", "missing_gaps"]

REASONS = 2
"""Reasons that are named."""


@dataclass(frozen=True, slots=True)
class LostPictures:
    """How many of the pictures asked for are missing to one annotator, and why."""

    missing: int
    asked: int
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def share(self) -> float:
        """Which share is missing."""
        return self.missing / self.asked


@dataclass(frozen=True, slots=True)
class MissingGap:
    """Of one side surely more is missing than of the other; ``annotator`` is named where several looked.

    ``about`` are the attributes that it is about, where others lack another number of pictures; else nothing.
    """

    more: str
    fewer: str
    lost: LostPictures
    other: LostPictures
    p: float
    annotator: str = ""
    about: Sequence[str] = ()

    def sentence(
        self,
        phrases: Mapping[str, str] = MappingProxyType({}),
        attributes: Mapping[str, Attribute] = MappingProxyType({}),
    ) -> str:
        """Return it in words that can be quoted alone; ``phrases`` say whose pictures they are, where not a model's."""
        said = t(
            "{from_whom}: {numbers}. Nobody knows what they would have shown.",
            from_whom=self._from_whom(phrases),
            numbers=self._numbers(),
        )
        if self.about:
            titles = capital(join([aspect_title(name, attributes) for name in self.about]))
            said = t("{attributes}: {said}", attributes=titles, said=said)
        return t("Seen by {annotator}: {said}", annotator=self.annotator, said=said) if self.annotator else said

    def _from_whom(self, phrases: Mapping[str, str]) -> str:
        if {self.more, self.fewer} <= set(phrases):
            names = {"more": phrases[self.more], "fewer": phrases[self.fewer]}
            return t("Of pictures {more} more are missing than of pictures {fewer}", **names)
        return t("More pictures are missing from {more} than from {fewer}", more=self.more, fewer=self.fewer)

    def _numbers(self) -> str:
        share, other_share = percents(self.lost.share, self.other.share, min(self.lost.asked, self.other.asked))
        return t(
            "{lost} of {n} ({share}{reasons}) against {other} of {m} ({other_share})",
            lost=count(self.lost.missing),
            n=count(self.lost.asked),
            share=share,
            reasons=_reasons(self.lost),
            other=count(self.other.missing),
            m=count(self.other.asked),
            other_share=other_share,
        )


def _reasons(lost: LostPictures) -> str:
    named = [f"{reason_words(reason)} {count(number)}" for reason, number in lost.reasons.most_common(REASONS)]
    return f"; {', '.join(named)}" if named else ""


def missing_gaps(
    one: tuple[str, Iterable[Measurement]], other: tuple[str, Iterable[Measurement]], level: float
) -> Iterator[MissingGap]:
    """Yield of each annotator whether more is missing on either side, by Fisher's exact test (mid-p).

    Of attributes that lack different numbers of pictures the surest is said. That any is yielded by chance happens with
    a probability of ``level`` at most.
    """
    (name, rows), (other_name, others) = ((side, list(rows)) for side, rows in (one, other))
    mine, theirs = _by_annotator(rows, others), _by_annotator(others, rows)
    common = [annotator for annotator in mine if annotator in theirs]
    for annotator in common:
        gap = _surest((name, mine[annotator]), (other_name, theirs[annotator]), level / len(common))
        if gap is not None:
            yield replace(gap, annotator=annotator if len(common) > 1 else "")


def _surest(
    one: tuple[str, Mapping[str, LostPictures]], other: tuple[str, Mapping[str, LostPictures]], level: float
) -> MissingGap | None:
    """Return the surest gap of all attributes of one annotator, where chance does not explain it."""
    (name, mine), (other_name, theirs) = one, other
    alike: dict[tuple[int, ...], list[str]] = {}
    for attribute in (attribute for attribute in mine if attribute in theirs):
        here, there = mine[attribute], theirs[attribute]
        alike.setdefault((here.missing, here.asked, there.missing, there.asked), []).append(attribute)
    if not alike:
        return None
    p, about = min((_p_value(mine[names[0]], theirs[names[0]]), names) for names in alike.values())
    if p > level / len(alike):
        return None
    here, there = mine[about[0]], theirs[about[0]]
    more, fewer = ((name, here), (other_name, there))[:: 1 if here.share > there.share else -1]
    named = about if len(alike) > 1 else ()
    return MissingGap(more[0], fewer=fewer[0], lost=more[1], other=fewer[1], p=p, about=named)


def _p_value(here: LostPictures, there: LostPictures) -> float:
    from portrayal.stats.two_sides.two_shares import difference_p  # numpy takes a moment to load

    if here.share == there.share:
        return 1.0
    return float(difference_p(here.share, here.asked, there.share, there.asked))


def _by_annotator(rows: Sequence[Measurement], others: Sequence[Measurement]) -> dict[str, dict[str, LostPictures]]:
    """Return what is missing of all prompts to each annotator, by attribute; where no shares are counted, of none."""
    of_all = [row for row in rows if row.level == "overall"]
    whole = [row for row in of_all if row.metric in ("share", "missing")]
    if not any(row.metric == "share" for row in whole):
        of_others = [row for row in others if row.level == "overall"]
        return {annotator: {"": lost} for annotator, lost in _of_pictures(of_all, of_others)}
    shares = [row for row in whole if row.metric == "share" and row.attribute and row.n + row.missing]
    found: dict[str, dict[str, LostPictures]] = {}
    for annotator in dict.fromkeys(row.annotator for row in shares):
        mine = [row for row in shares if row.annotator == annotator]
        mine = [row for row in mine if row.method == mine[0].method]
        of = [row for row in whole if (row.annotator, row.method) == (annotator, mine[0].method)]
        # Pictures that were never made are nobody's to judge: their reasons stand with every annotator.
        why = [row for row in of if row.metric == "missing" and not row.attribute]
        reasons = Counter[str]()
        for row in _apart(why):
            reasons[row.group] += row.missing
        for attribute in dict.fromkeys(row.attribute for row in mine):
            pictures = _once(mine, attribute)
            asked = sum(image_count(row) + row.missing for row in pictures)
            found.setdefault(annotator, {})[attribute] = LostPictures(_missing(pictures), asked, reasons)
    return found


def _of_pictures(rows: Sequence[Measurement], others: Sequence[Measurement]) -> Iterator[tuple[str, LostPictures]]:
    """Yield what is missing to each annotator by a method that counts no shares: of all pictures, whatever in them.

    A side that lacks nothing has no row that says so. Numbers that rest on every picture of the ``others`` rest on
    every picture here, too, and say how many that are.
    """
    for annotator in dict.fromkeys(row.annotator for row in rows):
        mine, theirs = (_plain(side, annotator) for side in (rows, others))
        why = Counter[str]()
        for row in mine:
            if row.metric == "missing":
                why[row.group] += row.missing
        asked, of_others = _planned(mine), _planned(theirs)
        whole = {(row.metric, row.attribute) for row in theirs if of_others and row.n + row.missing == of_others}
        counted = (row.n + row.missing for row in mine if (row.metric, row.attribute) in whole)
        if asked := asked or max(counted, default=0):
            yield annotator, LostPictures(min(why.total(), asked), asked, why)


def _plain(rows: Sequence[Measurement], annotator: str) -> list[Measurement]:
    plain = [row for row in rows if row.annotator == annotator and not row.variant and not row.language]
    return [row for row in plain if row.method == plain[0].method]


def _planned(rows: Iterable[Measurement]) -> int:
    """Return how many pictures were asked for, as rows about missing ones have it; 0 where there are none."""
    return max((row.n for row in rows if row.metric == "missing" and not row.attribute), default=0)


def _once(rows: Sequence[Measurement], attribute: str) -> list[Measurement]:
    """Return the rows of the first group of an attribute: together they are all pictures, each once."""
    mine = _apart([row for row in rows if row.attribute == attribute])
    return [row for row in mine if row.group == mine[0].group]


def _apart(rows: Sequence[Measurement]) -> list[Measurement]:
    """Return those of each way of asking and language where a method counts these apart, else those of all."""
    parts = [row for row in rows if row.variant] or [row for row in rows if row.language] or list(rows)
    whole = [row for row in rows if not row.variant and not row.language]
    return whole or parts


def _missing(rows: Sequence[Measurement]) -> int:
    return sum(row.missing for row in rows)
