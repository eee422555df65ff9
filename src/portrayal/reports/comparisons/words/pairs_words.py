"""Which comparisons are of pictures that belong together, in words."""

from __future__ import annotations

from collections.abc import Iterable

from portrayal.language.translation import t
from portrayal.reports.comparisons.difference import Difference
from portrayal.reports.comparisons.matching import is_share
from portrayal.reports.text.words import count

__all__ = ["pairs_words", "same_files_words"]


def same_files_words(one: str, other: str, common: int, of: int) -> str:
    """Return that two models have the same pictures."""
    return t(
        "{common} of {n|different picture|different pictures} by {one} are the same files as pictures by {other}. "
        "Check that each model drew its own.",
        common=count(common),
        n=of,
        one=one,
        other=other,
    )


def pairs_words(differences: Iterable[Difference], *, sought: bool) -> str:
    """Return how many comparisons are of pairs, what is left out of these, and how many are not.

    ``sought``: whether it is known which pictures belong together; where there are too many to know it, that is said.
    """
    tested = [each for each in differences if is_share(each.one) and each.p == each.p]
    paired = [each.pairs for each in tested if each.pairs is not None]
    if not tested:
        return ""
    said = []
    if paired and not paired[0].same:
        said.append(t("{n|comparison is|comparisons are} made pair by pair, by the same seeds.", n=len(paired)))
    elif paired:
        said.append(t("Both looked at the same pictures, which are compared one by one."))
    alone = max((each.alone for each in paired), default=0)
    if alone:
        said.append(t("Pictures without a partner are left out there: up to {n} of a comparison.", n=count(alone)))
    rest = len(tested) - len(paired)
    if rest and sought:
        said.append(t("{n|takes|take} pictures as independent: too few have a partner of the same seed.", n=rest))
    elif rest:
        said.append(t("Pictures are taken as independent, and not paired by their seeds."))
    return " ".join(said)
