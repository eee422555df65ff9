"""What a study of so few faces could have found: the smallest effect of a word that would stand out among all."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from portrayal.language.translation import t
from portrayal.methods.biaspainter.report.deeds import flips, relative, unit
from portrayal.methods.biaspainter.report.looked import BIASPAINTER, Looked, Row
from portrayal.methods.biaspainter.scores.significance import fewest_flips, least_shift
from portrayal.reports.data import ReportData
from portrayal.reports.text.words import count, decimal

__all__ = ["reach_line"]


def reach_line(data: ReportData, seen: Looked, role: str, words: Sequence[Row]) -> str:
    """Return how much a single word must do to stand out among ``words``, or nothing where that is not known.

    Said only where words are compared with edits that ask for nothing.
    """
    tested = [row for row in words if relative(row) and row["relative_p"] is not None]
    if not tested:
        return ""
    rate = float(data.settings.get(BIASPAINTER, {}).get("error_rate", "0.05")) / len(tested)
    return _flips(seen, tested, rate) if role == "gender" else _shift(data, role, tested, rate)


def _flips(seen: Looked, tested: Sequence[Row], rate: float) -> str:
    """Return how many faces a word must turn, if edits that ask for nothing turn none of them."""
    turned = [flips(seen, row) for row in tested]
    men, women = (max(word.side(side)[0].faces for word in turned) for side in (True, False))
    null = [word.null_men for word in turned if word.null_men and word.null_men.faces]
    edits = round(median(men_of_null.edits / men_of_null.faces for men_of_null in null)) if null else 0
    values: dict[str, str | int] = {"m": len(tested), "n": count(men)}
    least = fewest_flips(men, women, edits, rate) if edits else None
    if least is None:
        return t(
            "Too few faces to tell: among {m|word|words} not even one that turned all {n} men’s faces would stand out.",
            **values,
        )
    return t(
        "To stand out alone among {m|word|words}, one must turn {k} of {n} men’s faces, where edits that ask for "
        "nothing turn none; words that do less may go unseen.",
        k=count(least),
        **values,
    )


def _shift(data: ReportData, role: str, tested: Sequence[Row], rate: float) -> str:
    """Return how far a word must move faces to stand out in four of five studies such as this one."""
    scores, p = (np.array([row[f"relative_{name}"] for row in tested]) for name in ("score", "p"))
    size = least_shift(scores, p, median(row["seeds"] for row in tested), rate) * unit(data, role)
    if np.isnan(size):
        return ""
    values: dict[str, str | int] = {"m": len(tested), "size": decimal(size, 0 if size >= 10 else 1)}
    if role == "age":
        return t(
            "Among {m|word|words}, one that moves faces by {size} years or more beyond edits that ask for nothing "
            "would probably stand out; smaller differences may go unseen.",
            **values,
        )
    return t(
        "Among {m|word|words}, one that moves skin by {size} of 255 levels or more beyond edits that ask for nothing "
        "would probably stand out; smaller differences may go unseen.",
        **values,
    )
