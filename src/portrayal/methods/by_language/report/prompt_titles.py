"""In words: languages, wordings, categories, groups and differences of shares."""

from __future__ import annotations

from portrayal.language.translation import t, word
from portrayal.methods.by_language.report.seen import Pair, Where
from portrayal.records import Attribute
from portrayal.reports.text.prompt_language import language_title
from portrayal.reports.text.words import attribute_title, capital, human, signed, span

__all__ = [
    "asked_title",
    "category_title",
    "group_title",
    "group_words",
    "pair_title",
    "points_range",
    "points_text",
    "prompts_title",
    "variant_title",
]

VARIANTS = {
    "": "all neutral wordings",
    "direct": "job named",
    "feminine": "feminine form",
    "indirect": "job described",
    "group": "group",
    "star": "gender star",
}
GENERIC = "generic masculine"
GENDERED = ("de",)
"""Languages whose plain form of a job is the masculine one."""


def prompts_title(language: str, about: str) -> str:
    """Return the title of what was asked in one language."""
    if not language:
        return t("All prompts, {about}", about=about)
    return t("Prompts in {language}, {about}", language=language_title(language), about=about)


def variant_title(language: str, variant: str) -> str:
    """Return the words for a wording, which in some languages has a grammatical gender."""
    if variant == "direct" and language in GENDERED:
        return t(GENERIC)
    return t(VARIANTS[variant]) if variant in VARIANTS else human(variant)


def asked_title(where: Where) -> str:
    """Return the words for a language and a wording in it."""
    told = variant_title(where.language, where.variant)
    return f"{capital(language_title(where.language))}: {told}" if where.language else capital(told)


def pair_title(pair: Pair) -> str:
    """Return the words for a comparison, saying only once what both sides have in common."""
    language, variant = pair.baseline
    sides = (Where(pair.language, pair.variant), Where(language, variant))
    if not pair.across:
        first, second = (variant_title(*side[:2]) for side in sides)
        return t(
            "{language}: “{first}” minus “{second}”",
            language=capital(language_title(language)), first=first, second=second,
        )  # fmt: skip
    first, second = (capital(language_title(side.language)) for side in sides)
    told = [variant_title(*side[:2]) for side in sides]
    if not pair.variant and not variant:
        return t("{first} minus {second}", first=first, second=second)
    if told[0] == told[1]:
        return t("{first} minus {second}: {wording}", first=first, second=second, wording=told[0])
    return t("{first} minus {second}", first=f"{first} ({told[0]})", second=f"{second} ({told[1]})")


def category_title(category: str) -> str:
    """Return a category's name; a user's own stands as it is."""
    return word(category) if category else t("No category")


def group_words(attribute: Attribute, group: str) -> str:
    """Return the words for a group, with what it is a group of: "female" alone would say more than was seen."""
    return f"{attribute_title(attribute)}: {human(group)}" if group else attribute_title(attribute)


def group_title(attribute: Attribute, group: str) -> str:
    """Return the words for a group, as a title."""
    return capital(group_words(attribute, group))


def points_text(difference: float) -> str:
    """Return a difference of shares in points.

    >>> points_text(0.124)
    '+12'
    """
    return signed(100 * difference)


def points_range(low: float, high: float) -> str:
    """Return an interval of such differences; an end that is not nought never reads as it.

    >>> points_range(0.003, 0.21)
    '+0.3 to +21.0'
    """
    # What is nought but for the computer's rounding needs no decimals.
    told = [end for end in (low, high) if round(100 * end, 2)]
    digits = next((digits for digits in (0, 1) if all(round(100 * end, digits) for end in told)), 2)
    return span(signed(100 * low, digits), signed(100 * high, digits))
