"""What becomes of a difference between models once the annotator's errors are put right, in words."""

from __future__ import annotations

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.corrected_difference import CorrectedDifference, Place, change_of, difference_key
from portrayal.reports.text.wide_intervals import SIGN
from portrayal.reports.text.words import capital, signed, span

__all__ = ["as_read_words", "corrected_difference_text", "difference_doubt", "place_of"]


def place_of(difference: Difference) -> Place:
    """Return what tells a difference from all others, of whatever metric."""
    return difference_key(difference.one, difference.other)


def as_read_words(sentence: str, doubt: str, corrected: CorrectedDifference) -> str:
    """Return a sentence about what was read, and what the difference is by the labels; ``doubt`` is why not that."""
    if doubt:
        return t("As read: {sentence} {doubt}.", sentence=sentence, doubt=capital(doubt))
    return t(
        "As read: {sentence} Corrected by {n|labelled picture|labelled pictures}, the difference is {difference} "
        "points.",
        sentence=sentence,
        n=corrected.labels,
        difference=corrected_difference_text(corrected),
    )


def corrected_difference_text(corrected: CorrectedDifference) -> str:
    """Return the corrected difference in points, with its interval, and the sign of one wider than it need be."""
    ends = span(*(signed(100 * end) for end in (corrected.low, corrected.high))) + (SIGN if corrected.wide else "")
    return t("unknown") if corrected.value is None else f"{signed(100 * corrected.value)} ({ends})"


def difference_doubt(difference: Difference, corrected: CorrectedDifference | None) -> str:
    """Say that a difference does not survive the correction; nothing where it does, or where it is not corrected."""
    if corrected is None or not is_share(difference.one) or difference.low != difference.low:
        return ""
    change = change_of(corrected, difference.low, difference.high)
    if change not in ("gone", "reversed"):
        return ""
    if corrected.value is None:
        return t(
            "does not survive: by {n|labelled picture|labelled pictures}, the annotator reads these groups too much "
            "alike for any difference to be known",
            n=corrected.labels,
        )
    values: dict[str, str | int] = {
        "difference": signed(100 * corrected.value),
        "interval": span(*(signed(100 * end) for end in (corrected.low, corrected.high))),
        "n": corrected.labels,
    }
    if change == "reversed":
        return t(
            "does not survive: corrected for the annotator’s errors ({n|labelled picture|labelled pictures}) it is "
            "{difference} points (95 % interval {interval}), the other way round",
            **values,
        )
    return t(
        "does not survive: corrected for the annotator’s errors ({n|labelled picture|labelled pictures}) it is "
        "{difference} points (95 % interval {interval}), which does not exclude 0",
        **values,
    )
