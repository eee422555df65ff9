"""Pairs of pictures: a seed beside its edit, with what moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from portrayal.language.translation import t
from portrayal.methods.biaspainter.editing import NULL
from portrayal.methods.biaspainter.report.deeds import bias, null_of_seed
from portrayal.methods.biaspainter.report.looked import ROLES, Looked
from portrayal.methods.biaspainter.report.word_changes import concerned
from portrayal.reports.data import ReportData
from portrayal.reports.findings.deviations.deviation import Thumb
from portrayal.reports.gallery.embedded_pictures import image_source
from portrayal.reports.text.notes import reason_words
from portrayal.reports.text.words import count, decimal, human

__all__ = ["Pair", "pair", "strongest", "word_edits"]

STRIP = 6
"""Pairs in the first screen."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """A seed and its edit; ``moved`` are lines of what changed, each with whether the change is significant."""

    thumbs: tuple[Thumb, Thumb]
    word: str
    topic: str
    seed: str
    editor: str
    moved: Sequence[tuple[str, bool]]
    unchanged: bool

    @property
    def before(self) -> str:
        """The seed as the address of a picture, empty: there is none."""
        return image_source(self.thumbs[0].thumbnail)

    @property
    def after(self) -> str:
        """The edit likewise."""
        return image_source(self.thumbs[1].thumbnail)


def pair(data: ReportData, seen: Looked, row: Row, roles: Sequence[str] = ()) -> Pair:
    """Return a row of the table of edits as it is shown, in all attributes or in some."""
    seed, edit = (data.thumbnails.get(row[name], b"") for name in ("seed_image", "image"))
    said = t("Seed: {seed}", seed=row["seed"]), t("Edited with “{text}”", text=row["word"])
    moved = [_moved(seen, row, role) for role in roles or seen.roles]
    return Pair(
        (Thumb(seed, said[0]), Thumb(edit, said[1])),
        word=row["word"],
        topic=row["topic"],
        seed=row["seed"],
        editor=row["generator"],
        moved=moved,
        unchanged=bool(row["unchanged"]),
    )


def _moved(seen: Looked, row: Row, role: str) -> tuple[str, bool]:
    before, after, why = (row[f"{role}_{what}"] for what in ("before", "after", "missing"))
    if before is None or after is None:
        reason = reason_words(str(why).removeprefix("seed: "))
        if role == "gender":
            return t("perceived gender: {why}", why=reason), False
        return (t("age: {why}", why=reason) if role == "age" else t("skin tone: {why}", why=reason)), False
    clear = bool(row[f"{role}_significant"])
    return _line(row, role, clear) + _beside(seen, row, role), clear


def _line(row: Row, role: str, clear: bool) -> str:
    before, after = row[f"{role}_before"], row[f"{role}_after"]
    if role == "gender":
        groups = [human("female" if value else "male") for value in (before, after)]
        if not clear:
            return t("perceived as {group}, as before", group=groups[1])
        return t("perceived as {before}, then as {after}", before=groups[0], after=groups[1])
    one, two = decimal(before, 0), decimal(after, 0)
    if role == "age":
        return t("perceived age {before}, then {after}", before=one, after=two)
    return t("skin intensity {before}, then {after}", before=one, after=two)


def _beside(seen: Looked, row: Row, role: str) -> str:
    """Return what edits that ask for nothing did to the same face, in brackets; empty where there are none."""
    values = null_of_seed(seen, row, role)
    if not values or row["topic"] == NULL:
        return ""
    if role != "gender":
        return t(" (asked for nothing: {value})", value=decimal(fmean(values), 0))
    turned = sum(value != row["gender_before"] for value in values)
    return t(" (asked for nothing: changed in {k} of {n})", k=count(turned), n=count(len(values)))


def word_edits(seen: Looked, topic: str, word: str, most: int) -> list[Row]:
    """Return the edits of a word that moved most, those that can be compared first; at most so many of each editor."""
    mine = [row for row in seen.edits if (row["topic"], row["word"]) == (topic, word) and not row["instruction"]]
    ordered = sorted(mine, key=lambda row: -_size(row))
    return [row for editor in seen.editors for row in [edit for edit in ordered if edit["generator"] == editor][:most]]


def _size(row: Row) -> float:
    return max((abs(row[f"{role}_bias"]) for role in ROLES if row[f"{role}_bias"] is not None), default=-1.0)


def strongest(seen: Looked) -> list[tuple[Row, str]]:
    """Return the edits of the first screen: of the words that stand out most, attribute by attribute in turn."""
    turns = {role: _leading(seen, role) for role in seen.roles}
    strip: list[tuple[Row, str]] = []
    while len(strip) < STRIP and any(turns.values()):
        for role, edits in turns.items():
            if edits and len(strip) < STRIP:
                row = edits.pop(0)
                if row["image"] not in {other["image"] for other, _ in strip}:
                    strip.append((row, role))
    return strip


def _leading(seen: Looked, role: str) -> list[Row]:
    """Return for each word that stands out the edit that moved furthest in the word's direction, the largest first."""
    name = seen.attributes[role]
    words = [row for row in seen.words if row["attribute"] == name and row["stands_out"]]
    words.sort(key=lambda row: -abs(bias(row)[0]))
    return [edit for word in words[:STRIP] for edit in _furthest(seen, word, role)]


def _furthest(seen: Looked, word: Row, role: str) -> Iterator[Row]:
    """Yield that edit; none of a word that stands out by doing less than edits that ask for nothing."""
    sign = 1 if bias(word)[0] > 0 else -1
    known = [row for row in concerned(seen, role, word) if row[f"{role}_bias"] is not None]
    beyond = [row for row in known if sign * row[f"{role}_bias"] > 0 and sign * _gone_beyond(seen, row, role) > 0]
    if beyond:
        yield max(beyond, key=lambda row: sign * _gone_beyond(seen, row, role))


def _gone_beyond(seen: Looked, row: Row, role: str) -> float:
    """Return how much further an edit moved a face than edits that ask for nothing moved it."""
    values = null_of_seed(seen, row, role)
    return float(row[f"{role}_after"] - (fmean(values) if values else row[f"{role}_before"]))
