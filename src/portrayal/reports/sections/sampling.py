"""How the images were drawn, where that was in rounds: nobody must take such numbers for those of a fixed number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portrayal.language.translation import t
from portrayal.reports.data import ReportData
from portrayal.reports.drawn_in_rounds import DrawnInRounds, state_words, stop_words
from portrayal.reports.text.words import aspect_title, count, human, percent

__all__ = ["SampledLine", "Sampling", "sampling"]

_WHOLE = 0.01
"""Of lower rates a whole percentage would hide what is left."""


@dataclass(frozen=True, slots=True)
class SampledLine:
    """A prompt in words: model, prompt, what was looked at, images, most images, widest interval, why it stopped."""

    model: str
    prompt: str
    about: str
    images: int
    most: int
    width: str
    reason: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """Sentences, and a line for each prompt of each model."""

    sentences: Sequence[str]
    lines: Sequence[SampledLine]


def sampling(data: ReportData) -> Sampling | None:
    """Return how images were drawn in rounds; None where all were drawn at once."""
    drawn = data.rounds
    if drawn is None:
        return None
    lines = [
        SampledLine(
            each.generator,
            prompt=each.prompt,
            about=each.about or t("all prompts"),
            images=each.images,
            most=each.most,
            width="" if each.half_width is None else t("{n|point|points} wide", n=round(200 * each.half_width)),
            reason=stop_words(each.reason),
        )
        for each in drawn.prompts
    ]
    return Sampling(
        [_wanted(data, drawn), *([_allowed(drawn)] if drawn.looks else []), _saved(drawn), state_words(drawn)], lines
    )


def _wanted(data: ReportData, drawn: DrawnInRounds) -> str:
    if drawn.policy:
        return t(
            "Images were drawn in rounds, and after each one only of prompts with a scenario of {policy} that was not "
            "decided yet.",
            policy=drawn.policy,
        )
    units = {
        "prompt": t("of a single prompt"),
        "term": t("of a term"),
        "category": t("of a category"),
        "overall": t("over all prompts"),
    }
    about = aspect_title(drawn.attribute, data.attributes) + (f", {human(drawn.group)}" if drawn.group else "")
    return t(
        "Images were drawn in rounds, and after each one only where the interval of a share {unit} was "
        "wider than {n|point|points} ({about}).",
        unit=units[drawn.unit],
        n=round(200 * drawn.half_width),
        about=about,
    )


def _allowed(drawn: DrawnInRounds) -> str:
    return t(
        "After each of {n|round|rounds} the results so far decided whether to go on. The numbers allow for that: "
        "intervals are made for {confidence}, so they hold in {held} of cases where drawing stopped, and p-values "
        "of deviations and differences count {times|time|times}. A share seen at an early stop lies, on average, about "
        "a point closer to 0 or 100 % than the true one.",
        n=drawn.looks,
        confidence=percent(drawn.confidence, 1000),
        held=percent(1 - drawn.error_rate, 1000 if drawn.error_rate < _WHOLE else 100),
        times=drawn.times,
    )


def _saved(drawn: DrawnInRounds) -> str:
    return t(
        "Of at most {most|image|images}, {drawn} were asked for; the others are not missing: they were not drawn.",
        most=drawn.most,
        drawn=count(drawn.images),
    )
