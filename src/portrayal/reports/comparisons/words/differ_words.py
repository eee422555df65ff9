"""How many comparisons differ by more than chance explains, in words, and what the correction promises."""

from __future__ import annotations

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import LEAST_IMAGES, Correction
from portrayal.reports.text.words import count

__all__ = ["differ_words", "less_sure_words", "too_few_words"]


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


def less_sure_words(n: int) -> str:
    """Return how many of the differences found may be chance: they stand in the table alone."""
    return t("{n|of the differences found is|of the differences found are} less sure, and only in the table.", n=n)


def too_few_words(tested: int, few: int, untested: int) -> str:
    """Return in how many of the ``tested`` comparisons images are too few, and how many could not even be tested.

    >>> too_few_words(6, 1, 0).replace("\N{NO-BREAK SPACE}", " ")
    'In 1 of 6 comparisons there are too few images to tell.'
    """
    said = []
    if few:
        said.append(t("In {k} of {n|comparison|comparisons} there are too few images to tell.", k=count(few), n=tested))
    if untested:
        said.append(
            t(
                "{n|further comparison|further comparisons} could not be tested: a side has fewer than {k} different "
                "pictures.",
                n=untested,
                k=LEAST_IMAGES,
            )
            if tested
            else t(
                "{n|comparison|comparisons} could not be tested: a side has fewer than {k} different pictures.",
                n=untested,
                k=LEAST_IMAGES,
            )
        )
    return " ".join(said)
