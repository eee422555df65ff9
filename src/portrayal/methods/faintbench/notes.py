"""What is to be known of FAIntbench's scores, in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTES"]

NOTES: Mapping[str, str] = {
    "some_prompts": "{n} of {m|prompt|prompts}",
    "some_pairs": "{n} of {m|pair|pairs}",
    "few_images_lower": "few images lower this score by about {n}; the interval allows for that",
    "few_images_raise": "few images raise this score by about {n}; the interval allows for that",
    "few_images_lower_some": "few images lower this score; the interval allows for that",
    "few_images_raise_some": "few images raise this score; the interval allows for that",
    "variant": "variant {name}",
    "not_asked": "not asked: no image planned or imported",
    "no_pairs": "the suite has no pair of prompts to compare",
    "unknown_prompt": "not a prompt of the suite: its images are in no score",
    "not_observed": "{attribute}: not observed by {annotator}",
    "not_asked_for": "{attribute}: not asked for here",
    "no_weight": "{attribute}: has no weight, so it is not scored",
    "no_reference": "{attribute}: no reference",
    "no_total": "no total without {attributes}",
}
