"""Pairs of pictures: a seed beside its edit, with what moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from portrayal.methods.biaspainter.report.rows import ROLES, Looked
from portrayal.reports.data import ReportData
from portrayal.reports.deviation import Thumb
from portrayal.reports.language import t
from portrayal.reports.notes import reason_words
from portrayal.reports.pictures import image_source
from portrayal.reports.words import decimal, human

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


def pair(data: ReportData, row: Row, roles: Sequence[str] = ROLES) -> Pair:
    """Return a row of the table of edits as it is shown."""
    seed, edit = (data.thumbnails.get(row[name], b"") for name in ("seed_image", "image"))
    said = t("Seed: {seed}", seed=row["seed"]), t("Edited with “{text}”", text=row["word"])
    moved = [_moved(row, role) for role in roles]
    return Pair(
        (Thumb(seed, said[0]), Thumb(edit, said[1])),
        row["word"],
        row["topic"],
        row["seed"],
        row["generator"],
        moved,
        bool(row["unchanged"]),
    )


def _moved(row: Row, role: str) -> tuple[str, bool]:
    before, after, why = (row[f"{role}_{what}"] for what in ("before", "after", "missing"))
    if before is None or after is None:
        reason = reason_words(str(why).removeprefix("seed: "))
        if role == "gender":
            return t("perceived gender: {why}", why=reason), False
        return (t("age: {why}", why=reason) if role == "age" else t("skin tone: {why}", why=reason)), False
    clear = bool(row[f"{role}_significant"])
    if role == "gender":
        groups = [human("female" if value else "male") for value in (before, after)]
        if not clear:
            return t("perceived as {group}, as before", group=groups[1]), False
        return t("perceived as {before}, then as {after}", before=groups[0], after=groups[1]), True
    one, two = decimal(before, 0), decimal(after, 0)
    if role == "age":
        return t("perceived age {before}, then {after}", before=one, after=two), clear
    return t("skin intensity {before}, then {after}", before=one, after=two), clear


def word_edits(seen: Looked, topic: str, word: str, most: int) -> list[Row]:
    """Return the edits of a word that moved most, those that can be compared first; at most so many of each editor."""
    mine = [row for row in seen.edits if (row["topic"], row["word"]) == (topic, word) and not row["instruction"]]
    ordered = sorted(mine, key=lambda row: -_size(row))
    return [row for editor in seen.editors for row in [own for own in ordered if own["generator"] == editor][:most]]


def _size(row: Row) -> float:
    return max((abs(row[f"{role}_bias"]) for role in ROLES if row[f"{role}_bias"] is not None), default=-1.0)


def strongest(seen: Looked) -> list[Row]:
    """Return the edits of the first screen: of the words that stand out most, attribute by attribute in turn."""
    turns = [_leading(seen, role) for role in seen.roles]
    found: list[Row] = []
    while len(found) < STRIP and any(turns):
        for own in turns:
            if own and len(found) < STRIP:
                row = own.pop(0)
                if row["image"] not in {other["image"] for other in found}:
                    found.append(row)
    return found


def _leading(seen: Looked, role: str) -> list[Row]:
    """Return for each word that stands out the edit that moved furthest in the word's direction, the largest first."""
    name = seen.attributes[role]
    words = [row for row in seen.words if row["attribute"] == name and row["stands_out"]]
    words.sort(key=lambda row: -abs(row["score"] or 0.0))
    return [edit for word in words[:STRIP] for edit in _furthest(seen, word, role)]


def _furthest(seen: Looked, word: Row, role: str) -> Iterator[Row]:
    sign = 1 if (word["relative_score"] if word["relative_score"] is not None else word["score"]) > 0 else -1
    about = (word["generator"], word["topic"], word["word"], "")
    mine = [
        row
        for row in seen.edits
        if (row["generator"], row["topic"], row["word"], row["instruction"]) == about
        and row[f"{role}_bias"] is not None
        and sign * row[f"{role}_bias"] > 0
    ]
    if mine:
        yield max(mine, key=lambda row: sign * row[f"{role}_bias"])
