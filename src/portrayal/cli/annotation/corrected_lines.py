"""Corrected shares in lines of text: what becomes of each finding, the doubtful ones first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from portrayal.reports.text.wide_intervals import SIGN, wide_words
from portrayal.terminal import text_table

__all__ = ["difference_lines", "lines", "score_lines", "sign_lines"]

Row = dict[str, Any]
_BECOMES = {
    "reversed": "is on the other side",
    "gone": "does not survive",
    "appears": "appears",
    "stands": "survives",
    "undecided": "undecided before and after",
    None: "not compared",
}
_BY = {"matrix": "confusion matrix", "sample": "labelled sample"}
_PLACE = ("method", "generator", "annotator", "attribute", "level", "item", "language", "variant", "by")
_HEAD = ("annotator", "model", "about", "group", "as read", "corrected", "by", "labels", "reference", "finding")


def lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a summary, then every share with the correction that decides, or the only one there is."""
    deciding = [row for row in rows if row["decides"]]
    chosen = _worst_first(_one_of_two(deciding or list(rows)))
    yield from _doubts(rows)
    if not any(row["decides"] or row["uneven"] or row["chosen"] for row in rows):
        yield f"Too few labels to decide anything by: {max(row['labels'] for row in rows)}; label at least 30 images."
    if deciding:
        yield _summary("Deviations from a reference", chosen)
    yield ""
    named = len({row["annotator"] for row in chosen}) > 1
    table = [_cells(row) if named else _cells(row)[1:] for row in chosen]
    yield from text_table(_HEAD if named else _HEAD[1:], table)


def _doubts(rows: Sequence[Row]) -> Iterator[str]:
    """Yield why labels, or the confusion matrix, decide nothing about an attribute."""
    for annotator, attribute in _whose(rows, "chosen"):
        yield (
            f"The labelled images were not chosen at random: {annotator} reads perceived {attribute} there in other "
            "shares than in the other images of the same prompts, by more than chance explains. These labels decide "
            "nothing about it; portrayal labels draws images at random."
        )
    for annotator, attribute in _whose(rows, "uneven"):
        yield (
            f"The errors of {annotator} on perceived {attribute} differ between prompts or models by more than chance "
            "explains, so the confusion matrix decides nothing about it."
        )


def _whose(rows: Sequence[Row], doubt: str) -> Sequence[tuple[str, str]]:
    return list(dict.fromkeys((row["annotator"], row["attribute"]) for row in rows if row[doubt]))


def difference_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what becomes of differences between models, the doubtful ones first; nothing where there are none."""
    chosen = _worst_first(_one_of_two(rows, ("one", "other", "method", *_PLACE[2:])))
    if chosen:
        yield from ("", _summary("Differences between models", chosen), "")
        head = ("models", "about", "group", "as read", "corrected", "by", "labels", "finding")
        yield from text_table(head, [_difference_cells(row) for row in chosen])


def score_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what becomes of distances from a reference, the doubtful ones first; nothing where there are none."""
    known = [row for row in rows if not row["group"] and row["finding"] and row["metric"] != "kl_divergence"]
    chosen = _worst_first([row for row in known if row["decides"]])
    if chosen:
        yield from ("", _summary("Distances from a reference", chosen, sides=False), "")
        head = ("annotator", "model", "about", "score", "as read", "corrected", "by", "labels", "finding")
        yield from text_table(head, [_score_cells(row) for row in chosen])


def sign_lines(told: Sequence[str]) -> Iterator[str]:
    """Yield what the sign of a wide interval means, where any line has it."""
    if any(SIGN in line for line in told):
        yield from ("", wide_words())


def _worst_first(rows: Sequence[Row]) -> list[Row]:
    order = list(_BECOMES)
    return sorted(rows, key=lambda row: order.index(row["finding"]))


def _summary(what: str, rows: Sequence[Row], *, sides: bool = True) -> str:
    """Say how many survive; a distance has no other side to change to."""
    counts = Counter(row["finding"] for row in rows)
    before = counts["stands"] + counts["gone"] + counts["reversed"]
    turned = f"{_count(counts['reversed'], 'changes', 'change')} sides, " if sides else ""
    return (
        f"{what} by single 95 % intervals: {before}; {_count(counts['stands'], 'survives', 'survive')} the correction, "
        f"{_count(counts['gone'], 'does', 'do')} not, {turned}{_count(counts['appears'], 'appears', 'appear')}."
    )


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _one_of_two(rows: Sequence[Row], about: Sequence[str] = _PLACE) -> list[Row]:
    """Return the rows without the first of two groups, which is the mirror image of the other."""
    places: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        places[tuple(row[name] for name in about)].append(row)
    return [row for place in places.values() for row in (place[1:] if len(place) == 2 else place)]


def _cells(row: Row) -> tuple[str, ...]:
    seen = _share(row["value"], row["low"], row["high"])
    after = _share(row["corrected"], row["corrected_low"], row["corrected_high"]) + _sign(row)
    reference = "" if row["target"] is None else f"{row['target']:.2f}"
    about = row["annotator"], row["generator"], _about(row), f"{row['attribute']}: {row['group']}"
    finding = _BECOMES[row["finding"]] if row["decides"] else "not decided by this"
    return (*about, seen, after, *_by_labels(row), reference, finding)


def _difference_cells(row: Row) -> tuple[str, ...]:
    seen = _share(row["difference"], row["low"], row["high"])
    after = _share(row["corrected"], row["corrected_low"], row["corrected_high"]) + _sign(row)
    about = f"{row['one']} - {row['other']}", _about(row), f"{row['attribute']}: {row['group']}"
    return (*about, seen, after, *_by_labels(row), _BECOMES[row["finding"]])


def _score_cells(row: Row) -> tuple[str, ...]:
    seen = _distance(row["value"], row["low"], row["high"])
    after = _distance(row["corrected"], row["corrected_low"], row["corrected_high"]) + _sign(row)
    score = f"{row['attribute']}: {row['metric'].replace('_', ' ')}"
    about = row["annotator"], row["generator"], _about(row), score
    return (*about, seen, after, *_by_labels(row), _BECOMES[row["finding"]])


def _about(row: Row) -> str:
    return " ".join(filter(None, (row["item"] or row["level"], row["language"], row["variant"])))


def _by_labels(row: Row) -> tuple[str, str]:
    return _BY[row["by"]], str(row["labels"])


def _distance(value: float | None, low: float, high: float | None) -> str:
    """Return a distance; of one that may be 0 only how large it may be, since few images make it too large."""
    if high is None:
        return f"at least {low:.2f}"
    return f"at most {high:.2f}" if low <= 0 or value is None else _share(value, low, high)


def _sign(row: Row) -> str:
    return SIGN if row["wide"] else ""


def _share(value: float | None, low: float, high: float) -> str:
    return f"unknown ({low:.2f} to {high:.2f})" if value is None else f"{value:.2f} ({low:.2f} to {high:.2f})"
