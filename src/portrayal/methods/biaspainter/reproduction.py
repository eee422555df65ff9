"""Recomputing what the supplement prints: the threshold study of Table 3, and what Table 2 says of the annotator."""

from __future__ import annotations

from portrayal.csvfile import read_shipped
from portrayal.methods.biaspainter.thresholds import Threshold, printed_votes, score_thresholds
from portrayal.methods.reproduction import PrintedNumber, Reproduction

__all__ = ["reproduce"]

_PRINTED = {
    ("age", 15.0): 14, ("age", 25.0): 18, ("age", 35.0): 13,
    ("tone", 10.0): 14, ("tone", 20.0): 18, ("tone", 30.0): 10,
}  # fmt: skip
_ERRATA = {("age", 15.0): "10 no below and 3 yes above are printed, which add up to 13"}
_COUNTS = {
    ("age", 15.0): (10, 3), ("age", 25.0): (9, 9), ("age", 35.0): (3, 10),
    ("tone", 10.0): (10, 4), ("tone", 20.0): (9, 9), ("tone", 30.0): (0, 10),
}  # fmt: skip
_MOST = 4
"""The text calls an age wrong when more evaluators than this disagree at the same time."""
_MODEL = "votes"
_RELIABILITY = ("image", "gender", "age", "disagreed", "direction")


def reproduce() -> Reproduction:
    """Return the totals of Table 3 from its votes, its counts, and the text's summary of Table 2 from its rows."""
    found = score_thresholds(printed_votes())
    cells = [_cell(own, own.score, _PRINTED[_key(own)], "overall", _ERRATA.get(_key(own), "")) for own in found]
    counts = [
        _cell(own, seen, printed, side, "")
        for own in found
        for side, seen, printed in zip(
            ("no below", "yes above"), (own.no_below, own.yes_above), _COUNTS[_key(own)], strict=True
        )
    ]
    return Reproduction(cells, [*counts, *_reliability()], [])


def _key(own: Threshold) -> tuple[str, float]:
    return own.attribute, own.threshold


def _cell(own: Threshold, computed: int, printed: int, row: str, note: str) -> PrintedNumber:
    return PrintedNumber(3, f"{own.attribute} {own.threshold:g}, {row}", _MODEL, computed, printed, 0.0, note)


def _reliability() -> list[PrintedNumber]:
    rows = read_shipped("portrayal.methods.biaspainter", "reliability.csv", _RELIABILITY)
    named = sum(("female" in row["image"].casefold()) == (row["gender"] == "female") for row in rows)
    wrong = sum(row.number("disagreed", 0) > _MOST for row in rows)
    return [
        PrintedNumber(2, "images", "Face++", len(rows), 54, 0.0),
        PrintedNumber(2, "gender as in the name", "Face++", named, 54, 0.0),
        PrintedNumber(2, "ages called wrong", "Face++", wrong, 3, 0.0),
    ]
