"""What is to be known of BAFIS's numbers, and how a study may differ from the published, in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTES"]

NOTES: Mapping[str, str] = {
    "only_occupations": "only {n|occupation|occupations}",
    "only_pairs": "only {n|pair|pairs}",
    "no_usable_pair": "no pair in which both images can be used",
    "unequal_seeds": "{n} of {m} possible pairs have no equal seeds",
    "chosen_languages": "languages {names}",
    "chosen_variants": "variants {names}",
    "chosen_occupations": "only the occupations {names}",
    "language_packs": "language packs {names}",
    "reduced_form": "the reduced form, without the face",
    "released_star": "the gender star as released",
    "occupation_sample": "a sample of {n} occupations (seed {seed})",
    "pack_gap": "language pack {name}: no {variant} prompt for {n} of {m} occupations",
}
