"""What is compared with what, where it is not models: ways of asking, languages, annotators, perceived gender."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from portrayal.language.translation import t
from portrayal.reports.findings.words.people_words import someone
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import capital, human

__all__ = ["By", "SideName", "side_name"]


class By(StrEnum):
    """What the two sides of a comparison differ in."""

    MODEL = "model"
    MITIGATION = "mitigation"
    LANGUAGE = "language"
    ANNOTATOR = "annotator"
    GENDER = "gender"


@dataclass(frozen=True, slots=True)
class SideName:
    """What a side is called, and how a sentence speaks of its pictures."""

    label: str
    phrase: str


def side_name(by: By, value: str, model: str) -> SideName:
    """Return the name of one side; ``model`` is who drew, named where there are several.

    >>> side_name(By.LANGUAGE, "de", "")
    SideName(label='German', phrase='asked for in German')
    >>> side_name(By.MITIGATION, "", "Model A").phrase
    'by Model A without an addition'
    >>> side_name(By.GENDER, "female", "").phrase
    'that show a woman'
    """
    match by:
        case By.LANGUAGE:
            label = language_title(value)
            phrase = t("asked for in {language}", language=label)
        case By.ANNOTATOR:
            label, phrase = value, t("as {annotator} sees them", annotator=value)
        case By.GENDER:
            label = capital(human(value))
            phrase = t("that show {someone}", someone=someone("gender", value))
        case _:
            label = phrase = t("with “{addition}”", addition=value) if value else t("without an addition")
    if not model:
        return SideName(label, phrase)
    return SideName(f"{model}, {label}", f"{t('by {model}', model=model)} {phrase}")
