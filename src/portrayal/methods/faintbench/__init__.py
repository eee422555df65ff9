"""FAIntbench (Luo et al. 2024): implicit and explicit bias scores, and the manifestation factor, at every level."""

from collections.abc import Mapping

from portrayal.bundles import Bundle
from portrayal.methods.bias_scores.notes import SCORE_NOTES
from portrayal.registry import Entry

__all__ = ["BUNDLE", "NOTES"]

GROUPS = (
    "The groups are those of FAIntbench's published list; some occupations stand where one would not look for them."
)

BUNDLE = Bundle(
    package=__name__,
    method=Entry(
        ".method:Faintbench",
        "FAIntbench: implicit and explicit bias scores, manifestation factor",
        words="FAIntbench: scores of bias for occupations, characteristics and relations",
    ),
    section=Entry(".report.section:FaintbenchSection"),
    texts="texts",
    notes=Entry(f"{__name__}:NOTES"),
    wide=Entry(".wide:wide"),
    reasons=Entry(".reasons:REASONS"),
    reproduction=Entry(".paper_tables:reproduce", "totals of Tables 6 to 9 and 17 from their rows, and other checks"),
    suites={
        "occupations": Entry(
            ".suite.occupations:occupations", "179 occupations in 15 categories, one portrait prompt each", words=GROUPS
        ),
        "faintbench": Entry(
            ".suite:faintbench",
            "FAIntbench: 2,654 prompts about 179 occupations, 24 characteristics and 11 relations",
            words=GROUPS,
        ),
    },
    references={
        "faintbench": Entry(
            ".demographic_references:released",
            "labour statistics and census, by occupation, as released with FAIntbench",
            words="Labour statistics and census by occupation, as FAIntbench released them",
        ),
        "us": Entry(
            ".demographic_references:us",
            "US labour statistics and census, by occupation",
            words="US labour statistics and census by occupation",
        ),
    },
    layouts={"faintbench": Entry(".importing.image_tree:read_tree", "model/prompt/image.png")},
    results={
        "faintbench-json": Entry(
            ".importing.results:read_results", "the results that FAIntbench's alignment wrote for each image"
        )
    },
    study="study.toml.in",
    suite="faintbench",
    own_suite_only=True,
    attributes=("gender", "race5", "age3"),
    annotators=({"use": "clip:openai/clip-vit-large-patch14"},),
    occupations={"faintbench": Entry(".suite.terms:coded_occupations", "FAIntbench's 179 occupations")},
)

NOTES: Mapping[str, str] = {
    **SCORE_NOTES,
    "other_words": "other words for {attributes}",
    "own_terms": "terms of {name}",
    "weights_changed": "weights changed",
    "weight_of_term": "{name} {n} (published {m})",
    "other_references": "references: {name} instead of the published",
    "references_changed": "references changed",
    "group_words": "other words for the groups of {attribute}",
    "word_for_group": "{group} “{name}”",
    "suffix_changed": "photorealism suffix changed",
    "own_pairs": "pairs of your own for the manifestation factor: {n} instead of {m}",
    "uncorrected": "alignment “{name}”: masses are not corrected (published: “{published}”)",
    "alignment": "alignment “{name}”, {attribute}",
    "alignment_rule": "{rule} (published: {published})",
}
"""What is to be known of its numbers, and how a study may differ from the published, in English."""
