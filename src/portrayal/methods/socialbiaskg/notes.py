"""What is to be known of these numbers, and how a study may differ from the published, in English."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NOTES"]

NOTES: Mapping[str, str] = {
    "only_prompt_kinds": "only prompts of the kinds {names}",
    "chosen_wordings": "only {names} prompts",
    "chosen_occupations": "only the occupations {names}",
    "own_edges": "people’s edges from {names}",
    "own_occupations": "occupations from {names}",
    "own_groups": "groups of people from {names}",
    "all_pairs": "every pair of an occupation and a group",
    "all_words": "groups in all the words for them",
    "other_thresholds": "other thresholds: {names}",
    "printed_quality": "image quality with 1 − NIQE as it is printed",
    "similarity_weight": "structure counts for {value} of style similarity",
    "quality_weight": "NIQE counts for {value} of image quality",
    "diversity_images": "groups that are seen are counted in {n} images of an occupation, not 40",
    "diversity_of_all": "groups that are seen are counted in all images of an occupation, however many there are",
    "no_edge_tested": "no data: none of these edges could be tested",
    "occupation_sample": "a sample of {n} occupations (seed {seed})",
}
