"""What is to be known of bias scores, and how a study may differ from the published one, in English."""

from collections.abc import Mapping

__all__ = ["SCORE_NOTES"]

SCORE_NOTES: Mapping[str, str] = {
    "some_prompts": "{n} of {m|prompt|prompts}",
    "some_pairs": "{n} of {m|pair|pairs}",
    "pairs_not_asked": "not scored, for want of their prompts in this study: {names}",
    "few_images_lower": "few images lower this score by about {n}; the interval is around the corrected one",
    "few_images_raise": "few images raise this score by about {n}; the interval is around the corrected one",
    "few_images_lower_some": "few images lower this score; the interval is around the corrected one",
    "few_images_raise_some": "few images raise this score; the interval is around the corrected one",
    "under_ten_images": "fewer than ten images a prompt: the interval holds the truth less often than it should; "
    "with 20 it holds it",
    "variant": "variant {name}",
    "not_asked": "not asked: no image planned or imported",
    "no_pairs": "the suite has no pair of prompts to compare",
    "prompts_sampled": "the interval takes the prompts for a sample of others",
    "unknown_prompt": "not a prompt of the suite: its images are in no score",
    "not_observed": "{attribute}: not observed by {annotator}",
    "not_asked_for": "{attribute}: not asked for here",
    "no_weight": "{attribute}: has no weight, so it is not scored",
    "no_reference": "{attribute}: no reference",
    "no_total": "no total without {attributes}",
    "chosen_kinds": "kinds {names}",
    "chosen_visibility": "visibility {names}",
    "chosen_attributes": "attributes {attributes}",
    "chosen_terms": "only the terms {names}",
    "dropped_terms": "without the terms {names}",
    "stratified_sample": "a stratified sample of {n} (seed {seed})",
    "weights_in_totals": "weights in totals",
    "weight_of_attribute": "{attribute} {n} (published {m})",
    "weights_in_eta": "weights of {attribute} in the manifestation factor",
    "weight_of_group": "{group} {n} (published {m})",
    "person_threshold": "person threshold {n} (published {m})",
}
