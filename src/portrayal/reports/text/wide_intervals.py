"""Intervals that are wider than they need be: which they are, the sign that follows them, and what it means.

Nothing of it is stored: it follows from a row. The thresholds are read off the tables of docs/validity.md, so that
intervals without the sign hold in 93 to 98 of 100 cases. Where a method has intervals of its own kind, its folder
brings a function that knows them (``wide`` of its bundle); all others follow :func:`usually_wide`.
"""

from __future__ import annotations

from collections.abc import Callable

from portrayal.bundles import BundleRegistry
from portrayal.language.translation import t
from portrayal.records import Measurement
from portrayal.reports.charts.axes import PERCENTAGES
from portrayal.reports.text.notes import attribute_named
from portrayal.reports.text.sample_words import image_count
from portrayal.reports.text.words import known, percent_range

__all__ = [
    "SIGN",
    "few_on_a_side",
    "interval_text",
    "is_wide",
    "like_sign",
    "side_is_small",
    "sign",
    "usually_wide",
    "wide_by_labels",
    "wide_words",
]

SIGN = "\N{SUPERSCRIPT PLUS SIGN}"
FEW = 10
"""Images on the smaller side of a share: those that show the group, or those that do not."""
FEW_OF_A_PROMPT = 5
"""Independent images of a prompt, where there are several: fewer do not show how much prompts differ."""
FEW_OF_A_GROUP = 50
"""Images for each group, where a distance is over all groups."""
FEW_PROMPTS, FEW_PROMPTS_ON_A_SIDE = 20, 4
"""Prompts behind a share of prompts like these, and those on its smaller side."""
FEW_NUMBERS = 50
"""Images behind a mean."""
FEW_MISREAD, FEW_LABELS = 5, 200
"""Of so few labelled images fewer misread ones do not show how often an annotator errs."""
LOPSIDED = 1.5
"""One arm of an interval by the other: nearly all images agree, and the few that differ leave much open."""

_KINDS: BundleRegistry[Callable[[Measurement], bool]] = BundleRegistry("kinds of intervals", "wide")


def is_wide(row: Measurement) -> bool:
    """Return whether a row has an interval that holds the truth in more than 98 of 100 cases, as far as is known."""
    if None in (known(row.value), known(row.low), known(row.high)):
        return False
    judge = _KINDS.load(row.method) if row.method in _KINDS.entries() else usually_wide
    return judge(row)


def sign(row: Measurement) -> str:
    """Return the sign that follows an interval which is wider than it need be, else nothing."""
    return SIGN if is_wide(row) else ""


def interval_text(row: Measurement) -> str:
    """Return the interval of a share in words, with its sign; nothing where there is none."""
    return "" if row.low is None or row.high is None else percent_range(row.low, row.high, row.n) + sign(row)


def wide_words() -> str:
    """Return what the sign means: once below each table or chart that has it."""
    return t(
        "{sign} This interval is wider than it need be, because few images stand behind it or few differ from the "
        "others: it holds the truth more often than 19 times in 20.",
        sign=SIGN,
    )


def like_sign(row: Measurement) -> str:
    """Return the sign of a share's interval for prompts like these: few prompts tell little about others."""
    share = row.value or 0.0
    few = row.prompts < FEW_PROMPTS or min(share, 1 - share) * row.prompts < FEW_PROMPTS_ON_A_SIDE
    return SIGN if few else ""


def usually_wide(row: Measurement) -> bool:
    """Return whether the interval of a metric that any method may have is wide."""
    if row.metric in PERCENTAGES:
        return few_on_a_side(row)
    if row.metric in ("difference", "ratio"):
        return _independent(row) < 2 * FEW or _lopsided(row)
    if row.metric in ("total_variation", "kl_divergence"):
        return image_count(row) < FEW_OF_A_GROUP * _groups(row)
    if row.metric == "mean":
        return image_count(row) < FEW_NUMBERS or _lopsided(row)
    return row.metric == "mean_total_variation"


def few_on_a_side(row: Measurement) -> bool:
    """Return whether a share has too few images that show the group, or too few that do not, or too few of a prompt.

    >>> few_on_a_side(Measurement("m", "share", "g", value=0.0, n=5)), few_on_a_side(Measurement("m", "share", "g",
    ... value=0.5, n=200))
    (True, False)
    """
    images = _independent(row)
    return side_is_small(row.value or 0.0, images) or (row.prompts > 1 and images < FEW_OF_A_PROMPT * row.prompts)


def side_is_small(share: float, images: float) -> bool:
    """Return whether fewer than ten images show what was counted, or all but fewer than ten do."""
    return min(share, 1 - share) * images < FEW - 1e-9


def wide_by_labels(share: float, labels: float, misread: int) -> bool:
    """Return whether the interval of a share that its own labelled images put right is wide.

    >>> wide_by_labels(0.5, 50, misread=6), wide_by_labels(0.5, 50, misread=1), wide_by_labels(0.02, 200, misread=6)
    (False, True, True)
    """
    return side_is_small(share, labels) or (labels < FEW_LABELS and misread < FEW_MISREAD)


def _independent(row: Measurement) -> float:
    return known(row.worth) or float(image_count(row))


def _groups(row: Measurement) -> int:
    attribute = attribute_named(row.attribute.rpartition(".")[2])
    return len(attribute.groups) if attribute and attribute.groups else 2


def _lopsided(row: Measurement) -> bool:
    value, low, high = row.value or 0.0, row.low or 0.0, row.high or 0.0
    arms = sorted((value - low, high - value))
    return arms[1] > LOPSIDED * arms[0]
