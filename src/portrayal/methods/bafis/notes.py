"""What is to be known of BAFIS's numbers, in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTES"]

NOTES: Mapping[str, str] = {
    "only_occupations": "only {n|occupation|occupations}",
    "only_pairs": "only {n|pair|pairs}",
    "no_usable_pair": "no pair in which both images can be used",
    "unequal_seeds": "{n} of {m} possible pairs have no equal seeds",
}
