"""The verdict on a model in words: one word, then the sentence behind it."""

from __future__ import annotations

import math

from portrayal.reports.findings.power import points
from portrayal.reports.findings.verdict import Verdict, Word
from portrayal.reports.language import t
from portrayal.reports.words import count

__all__ = ["verdict_sentence", "verdict_word"]


def verdict_word(verdict: Verdict, tolerance: float) -> str:
    """Return the verdict in a word or two."""
    return {
        Word.FOUND: t("Deviations found"),
        Word.NONE: t("None found of {points} points or more", points=points(tolerance)),
        Word.INCONCLUSIVE: t("Inconclusive"),
        Word.NOT_COMPARED: t("Not compared"),
    }[verdict.word]


def verdict_sentence(verdict: Verdict, tolerance: float, found: int, compared: int) -> str:
    """Return what the word rests on."""
    if verdict.word is Word.NOT_COMPARED:
        return t("No reference was chosen for this model’s pictures, so there is nothing to compare with.")
    if verdict.word is Word.FOUND:
        said = [_found(found, compared) if found else "", _opposed(verdict), _elsewhere(verdict, compared - found)]
        return " ".join(filter(None, said))
    if verdict.explained:
        explained = t("The annotator’s own errors could explain all of them.")
        return f"{_found(found, compared)} {explained} {_possible(verdict, compared)}"
    if verdict.word is Word.NONE and found:
        return t(
            "In {n|comparison|comparisons} the images rule out any deviation of more than {points} points; smaller "
            "ones were found and are listed below.",
            n=compared,
            points=points(verdict.possible),
        )
    if verdict.word is Word.NONE:
        return t(
            "No deviation was found in {n|comparison|comparisons}, and the images rule out any of more than {points} "
            "points.",
            n=compared,
            points=points(verdict.possible),
        )
    return f"{_why(verdict, tolerance)} {_possible(verdict, compared)}"


def _found(found: int, compared: int) -> str:
    if found == 1:
        return t("1 of {n|comparison|comparisons} differs by more than chance explains.", n=compared)
    return t(
        "{found} of {n|comparison|comparisons} differ by more than chance explains.", found=count(found), n=compared
    )


def _elsewhere(verdict: Verdict, others: int) -> str:
    """Say that what was not found is not excluded by that; nothing where sizes are not known."""
    if verdict.elsewhere == math.inf:
        return ""
    if others == 1:
        return t("In the other one, up to {points} points are still possible.", points=points(verdict.elsewhere))
    return t("In the others, up to {points} points are still possible.", points=points(verdict.elsewhere))


def _opposed(verdict: Verdict) -> str:
    if not verdict.opposed:
        return ""
    return t(
        "Single prompts lie {points} points or more from the reference on average, in whatever direction.",
        points=points(verdict.opposed),
    )


def _why(verdict: Verdict, tolerance: float) -> str:
    if not verdict.complete and verdict.possible <= tolerance:
        return t("Not every term could be compared.")
    if verdict.hidden <= tolerance < verdict.possible:
        return t("Too many images are missing to tell.")
    if verdict.read_right <= tolerance < verdict.possible:
        return t("The annotator errs too often to tell.")
    if verdict.enough:
        return t("No deviation was found, but not all can be ruled out.")
    return t("Too few images to tell.")


def _possible(verdict: Verdict, compared: int) -> str:
    if verdict.possible == math.inf:
        return t(
            "Nothing was found in {n|comparison|comparisons}, which does not mean that nothing is there.", n=compared
        )
    if compared == 1:
        return t("A deviation of up to {points} points is possible.", points=points(verdict.possible))
    return t(
        "Taken together, {n|comparison leaves|comparisons leave} deviations of up to {points} points possible.",
        n=compared,
        points=points(verdict.possible),
    )
