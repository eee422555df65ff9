"""MAGBIG (Friedrich et al. 2025): deviation from parity by language and way of asking, pairs across ten languages.

Its prompts are read from a clone of the authors' repository or dataset; nothing of them is shipped.
"""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.methods.by_language.notes import LANGUAGE_NOTES
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Magbig",
        "MAGBIG: deviation from parity in ten languages, pairs with equal seeds, alignment",
        words="MAGBIG: how far pictures are from equal shares of women and men, in ten languages",
    ),
    section=Entry(".report.section:MagbigSection"),
    texts="texts",
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry(".wide:wide"),
    suites={
        "magbig": Entry(
            ".suite:magbig", "MAGBIG: occupations and adjectives in ten languages, named, described, with gender star"
        )
    },
    study="study.toml.in",
    suite="magbig",
    attributes=("gender",),
)

NOTES: Mapping[str, str] = {
    **LANGUAGE_NOTES,
    "chosen_kinds": "kinds {names}",
    "chosen_terms": "only the terms {names}",
    "sampled_terms": "a sample of {n|term|terms} (seed {seed})",
    "same_words": "{n|prompt|prompts} of the release left out, whose words another prompt has",
    "lacking": "not in the folder: {n|file or prompt|files or prompts} of the release",
    "too_few_terms": "only {n|term|terms}, of {m} that a user would look at",
}
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
