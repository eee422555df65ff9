"""The verdict on a model in words: one word, then the sentence behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.reports.findings.power import points
from portrayal.reports.findings.verdict import Verdict, Word
from portrayal.reports.text.missing_range import stated_words
from portrayal.reports.text.words import count

__all__ = ["Compared", "verdict_sentence", "verdict_word"]


def verdict_word(verdict: Verdict, tolerance: float) -> str:
    """Return the verdict in a word or two."""
    return {
        Word.FOUND: t("Deviations found"),
        Word.NONE: t("None found of {points} points or more", points=points(tolerance)),
        Word.INCONCLUSIVE: t("Inconclusive"),
        Word.NOT_COMPARED: t("Not compared"),
    }[verdict.word]


@dataclass(frozen=True, slots=True)
class Compared:
    """How many comparisons of a model there are, how many are sure to deviate, of which attributes they are, and by
    which of these single prompts lie furthest off. ``possible`` are those found that are not sure.
    """

    number: int
    sure: int
    topics: str = ""
    opposed: str = ""
    possible: int = 0
    languages: bool = True
    """Whether every language could be compared."""

    @property
    def words(self) -> str:
        """The number of comparisons and what they are about."""
        if not self.topics:
            return t("{n|comparison|comparisons}", n=self.number)
        return t("{n|comparison|comparisons} of {topics}", n=self.number, topics=self.topics)


def verdict_sentence(verdict: Verdict, tolerance: float, compared: Compared) -> str:
    """Return what the word rests on, and what was stated and not measured."""
    said = _sentence(verdict, tolerance, compared)
    return f"{said} {stated_words(verdict.stated)}" if verdict.stated < 1 else said


def _sentence(verdict: Verdict, tolerance: float, compared: Compared) -> str:
    if verdict.word is Word.NOT_COMPARED:
        return t("No reference was chosen for this model’s pictures, so there is nothing to compare with.")
    if verdict.word is Word.FOUND:
        if not compared.sure:
            return _opposed(verdict, compared)
        return " ".join(filter(None, [_found(compared), _elsewhere(verdict, compared.number - compared.sure)]))
    if verdict.word is Word.NONE:
        return " ".join(filter(None, [_ruled_out(verdict, compared), _if_read_right(verdict)]))
    if verdict.explained:
        explained = t("The annotator’s errors, or missing pictures, could explain all of them.")
        return f"{_found(compared)} {explained} {_possible(verdict, compared)}"
    if verdict.possible == math.inf:
        return _possible(verdict, compared)  # no share was compared: whether the images are enough is not known
    return f"{_why(verdict, tolerance, compared)} {_possible(verdict, compared)}"


def _ruled_out(verdict: Verdict, compared: Compared) -> str:
    values = {"compared": compared.words, "points": points(verdict.possible)}
    if compared.sure:
        return t(
            "In {compared} the images rule out any deviation of more than {points} points; smaller ones were found and "
            "are listed below.",
            **values,
        )
    return t(
        "No deviation was found in {compared}, and the images rule out any of more than {points} points.", **values
    )


def _if_read_right(verdict: Verdict) -> str:
    if verdict.errors_known:
        return ""
    return t("That holds if the annotator reads people right: how often it errs is not known.")


def _found(compared: Compared) -> str:
    if compared.sure == 1:
        return t("1 of {compared} differs by more than chance explains.", compared=compared.words)
    return t(
        "{found} of {compared} differ by more than chance explains.",
        found=count(compared.sure),
        compared=compared.words,
    )


def _elsewhere(verdict: Verdict, others: int) -> str:
    """Say that what was not found is not excluded by that; nothing where sizes are not known."""
    if verdict.elsewhere == math.inf:
        return ""
    if others == 1:
        return t("In the other one, up to {points} points are still possible.", points=points(verdict.elsewhere))
    return t("In the others, up to {points} points are still possible.", points=points(verdict.elsewhere))


def _opposed(verdict: Verdict, compared: Compared) -> str:
    return t(
        "Single prompts lie {points} points or more from the reference on average, in whatever direction ({topic}).",
        points=count(math.floor(100 * verdict.opposed + 1e-9)),
        topic=compared.opposed,
    )


def _why(verdict: Verdict, tolerance: float, compared: Compared) -> str:
    if not verdict.complete and verdict.possible <= tolerance:
        return (
            t("Not every term could be compared.") if compared.languages else t("Not every language could be compared.")
        )
    if verdict.hidden <= tolerance < verdict.possible:
        return t("Too many images are missing to tell.")
    if verdict.read_right <= tolerance < verdict.possible:
        return t("The annotator errs too often to tell.")
    if verdict.enough and compared.possible:
        return t("No deviation is certain, and not all can be ruled out.")
    if verdict.enough:
        return t("No deviation was found, but not all can be ruled out.")
    return t("Too few images or labels to tell.") if verdict.by_labels else t("Too few images to tell.")


def _possible(verdict: Verdict, compared: Compared) -> str:
    if verdict.possible == math.inf and compared.possible:
        return t(
            "Nothing is certain by itself in {compared}; {n|deviation is|deviations are} possible, and listed below.",
            compared=compared.words,
            n=compared.possible,
        )
    if verdict.possible == math.inf:
        return t("Nothing was found in {compared}, which does not mean that nothing is there.", compared=compared.words)
    if compared.number == 1:
        return t("A deviation of up to {points} points is possible.", points=points(verdict.possible))
    return t(
        "Taken together, {n|comparison leaves|comparisons leave} deviations of up to {points} points possible.",
        n=compared.number,
        points=points(verdict.possible),
    )
