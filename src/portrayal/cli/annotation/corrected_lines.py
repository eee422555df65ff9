"""Corrected shares in lines of text: what becomes of each finding, the doubtful ones first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from portrayal.terminal import text_table

__all__ = ["difference_lines", "lines", "score_lines"]

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
    chosen = _one_of_two([row for row in rows if row["decides"]] or list(rows))
    order = list(_BECOMES)
    chosen.sort(key=lambda row: order.index(row["finding"]))
    counts = Counter(row["finding"] for row in chosen)
    before = counts["stands"] + counts["gone"] + counts["reversed"]
    for annotator, attribute in dict.fromkeys((row["annotator"], row["attribute"]) for row in rows if row["uneven"]):
        yield (
            f"The errors of {annotator} on perceived {attribute} differ between prompts or models by more than chance "
            "explains, so the confusion matrix decides nothing about it."
        )
    if not any(row["decides"] or row["uneven"] for row in rows):
        yield f"Too few labels to decide anything by: {max(row['labels'] for row in rows)}; label at least 30 images."
    yield (
        f"Deviations from a reference by single 95 % intervals: {before}; {counts['stands']} survive the correction, "
        f"{counts['gone']} do not, {counts['reversed']} change sides, {counts['appears']} appear."
    )
    yield ""
    named = len({row["annotator"] for row in chosen}) > 1
    table = [_cells(row) if named else _cells(row)[1:] for row in chosen]
    yield from text_table(_HEAD if named else _HEAD[1:], table)


def difference_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what becomes of differences between models, the doubtful ones first; nothing where there are none."""
    chosen = _one_of_two(rows, ("one", "other", "method", *_PLACE[2:]))
    if not chosen:
        return
    order = list(_BECOMES)
    chosen.sort(key=lambda row: order.index(row["finding"]))
    counts = Counter(row["finding"] for row in chosen)
    before = counts["stands"] + counts["gone"] + counts["reversed"]
    yield ""
    yield (
        f"Differences between models by single 95 % intervals: {before}; {counts['stands']} survive the correction, "
        f"{counts['gone']} do not, {counts['reversed']} change sides, {counts['appears']} appear."
    )
    yield ""
    head = ("models", "about", "group", "as read", "corrected", "by", "labels", "finding")
    yield from text_table(head, [_difference_cells(row) for row in chosen])


def score_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what becomes of distances from a reference, the doubtful ones first; nothing where there are none."""
    known = [row for row in rows if not row["group"] and row["finding"] and row["metric"] != "kl_divergence"]
    chosen = [row for row in known if row["decides"]]
    if not chosen:
        return
    order = list(_BECOMES)
    chosen.sort(key=lambda row: order.index(row["finding"]))
    counts = Counter(row["finding"] for row in chosen)
    yield ""
    yield (
        f"Distances from a reference by single 95 % intervals: {counts['stands'] + counts['gone']}; "
        f"{counts['stands']} survive the correction, {counts['gone']} do not, {counts['appears']} appear."
    )
    yield ""
    yield from text_table(
        ("annotator", "model", "about", "score", "as read", "corrected", "by", "labels", "finding"),
        [_score_cells(row) for row in chosen],
    )


def _score_cells(row: Row) -> tuple[str, ...]:
    return (
        row["annotator"],
        row["generator"],
        " ".join(filter(None, (row["item"] or row["level"], row["language"], row["variant"]))),
        f"{row['attribute']}: {row['metric'].replace('_', ' ')}",
        _distance(row["value"], row["low"], row["high"]),
        _distance(row["corrected"], row["corrected_low"], row["corrected_high"]),
        _BY[row["by"]],
        str(row["labels"]),
        _BECOMES[row["finding"]],
    )


def _distance(value: float | None, low: float, high: float | None) -> str:
    """Return a distance; of one that may be 0 only how large it may be, since few images make it too large."""
    if high is None:
        return f"at least {low:.2f}"
    return f"at most {high:.2f}" if low <= 0 or value is None else _share(value, low, high)


def _difference_cells(row: Row) -> tuple[str, ...]:
    return (
        f"{row['one']} - {row['other']}",
        " ".join(filter(None, (row["item"] or row["level"], row["language"], row["variant"]))),
        f"{row['attribute']}: {row['group']}",
        _share(row["difference"], row["low"], row["high"]),
        _share(row["corrected"], row["corrected_low"], row["corrected_high"]),
        _BY[row["by"]],
        str(row["labels"]),
        _BECOMES[row["finding"]],
    )


def _one_of_two(rows: Sequence[Row], about: Sequence[str] = _PLACE) -> list[Row]:
    """Return the rows without the first of two groups, which is the mirror image of the other."""
    places: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        places[tuple(row[name] for name in about)].append(row)
    return [row for place in places.values() for row in (place[1:] if len(place) == 2 else place)]


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row["annotator"],
        row["generator"],
        " ".join(filter(None, (row["item"] or row["level"], row["language"], row["variant"]))),
        f"{row['attribute']}: {row['group']}",
        _share(row["value"], row["low"], row["high"]),
        _share(row["corrected"], row["corrected_low"], row["corrected_high"]),
        _BY[row["by"]],
        str(row["labels"]),
        "" if row["target"] is None else f"{row['target']:.2f}",
        _BECOMES[row["finding"]],
    )


def _share(value: float | None, low: float, high: float) -> str:
    return f"unknown ({low:.2f} to {high:.2f})" if value is None else f"{value:.2f} ({low:.2f} to {high:.2f})"
