"""SocialBiasKG: relations between occupations and groups of people, as people see them and as models draw them."""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:SocialBiasKG",
        "SocialBiasKG: which relations of occupations and races models draw, against people's",
        words="SocialBiasKG: which links of occupations and races models draw, and which people see",
    ),
    section=Entry(".report.section:SocialBiasKGSection"),
    reproduction=Entry(".reproduction:reproduce", "the numbers of prompts and of shared edges that the paper prints"),
    graphs={"occupations": Entry(".vertices:read_domain", "occupations and groups of people")},
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry(".wide:wide"),
    texts="texts",
    suites={
        "socialbiaskg": Entry(
            ".suite:socialbiaskg",
            "SocialBiasKG: 100 occupations and 11 races, alone and in pairs, in a few words and in situations",
        )
    },
    study="study.toml.in",
    suite="socialbiaskg",
    occupations={"socialbiaskg": Entry(".vertices:coded_occupations", "SocialBiasKG's 100 occupations")},
    attributes=("race11",),
    annotators=({"use": "vlm:gpt-4o", "options": {"attributes": ["race11", "occupation"]}},),
)

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
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
