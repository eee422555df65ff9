"""What is to be known of shares by language, in English."""

from collections.abc import Mapping

__all__ = ["LANGUAGE_NOTES"]

LANGUAGE_NOTES: Mapping[str, str] = {
    "only_occupations": "only {n|occupation|occupations}",
    "only_pairs": "only {n|pair|pairs}",
    "no_usable_pair": "no pair in which both images can be used",
    "unequal_seeds": "{n} of {m} possible pairs have no equal seeds",
    "chosen_languages": "languages {names}",
    "chosen_variants": "variants {names}",
}
