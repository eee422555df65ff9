"""How many comparisons differ by more than chance explains, in words, and what the correction promises."""

from __future__ import annotations

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Correction
from portrayal.reports.text.words import count

__all__ = ["differ_words"]


def differ_words(found: int, n: int, correction: Correction) -> str:
    """Return how many of ``n`` comparisons differ; ``found`` is at least one."""
    if correction == "holm":
        if found == 1:
            return t(
                "1 of {n|comparison|comparisons} differs by more than chance explains, corrected for all of them; "
                "at most one study in twenty reports such a difference by chance.",
                n=n,
            )
        return t(
            "{found} of {n|comparison|comparisons} differ by more than chance explains, corrected for all of them; "
            "at most one study in twenty reports any such difference by chance.",
            found=count(found),
            n=n,
        )
    if found == 1:
        return t(
            "1 of {n|comparison|comparisons} differs by more than chance explains, corrected for all of them: "
            "at most about one in twenty of such differences is chance.",
            n=n,
        )
    return t(
        "{found} of {n|comparison|comparisons} differ by more than chance explains, corrected for all of them: "
        "at most about one in twenty of such differences is chance.",
        found=count(found),
        n=n,
    )
